import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readVariables } from '#kit/settings/read.ts'
import { readConfig } from '#src/config/config.ts'
import { settingsOf as read, variables } from './settings.ts'

const TOKENS = { ONFIDO_API_TOKEN: 'hidden-api-token', ONFIDO_WEBHOOK_TOKEN: 'hidden-hook-token' }

const settingsOf = (env: Readonly<Record<string, string>>) =>
  read(readVariables(variables, env).values, { faults: [], live: false })

test('without credentials Onfido is not configured', () => {
  assert.equal(settingsOf({}), undefined)
})

test('an API token alone is enough', () => {
  const settings = settingsOf({ ONFIDO_API_TOKEN: TOKENS.ONFIDO_API_TOKEN })
  assert.equal(settings?.region, 'EU')
  assert.equal(settings?.webhook_token, null)
  assert.equal(settings?.api_token.reveal(), TOKENS.ONFIDO_API_TOKEN)
})

for (const [name, env, message] of [
  ['another region', { ...TOKENS, ONFIDO_REGION: 'MARS' }, /^ONFIDO_REGION must be EU, US or CA/],
  ['a webhook token alone', { ONFIDO_WEBHOOK_TOKEN: 'x' }, /^ONFIDO_API_TOKEN is missing/],
  ['no address', { ...TOKENS, ONFIDO_BASE_URL: 'onfido' }, /^ONFIDO_BASE_URL must be an http/],
] as const) {
  test(`rejects ${name} in one line without the token`, () => {
    assert.throws(() => readConfig(env), { message })
    assert.throws(
      () => readConfig(env),
      (error: Error) => !/hidden/.test(error.message),
    )
  })
}
