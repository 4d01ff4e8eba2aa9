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

test('a watchlist report is chosen by its name, and passes nobody without a setting', () => {
  const chosen = (more: object) => settingsOf({ ...TOKENS, ONFIDO_WATCHLIST: 'aml', ...more })
  assert.equal(settingsOf(TOKENS)?.watchlist, null)
  assert.deepEqual([chosen({})?.watchlist, chosen({})?.clear], ['aml', 'COMPLIANCE'])
  assert.equal(chosen({ ONFIDO_WATCHLIST_CLEAR: 'pass' })?.clear, 'OK')
})

test('without a watchlist report Onfido is no provider of KYC, and beside Watchman it is a fault', () => {
  const provided = (env: Record<string, string>) =>
    readConfig(env).adapters.flatMap(({ provides }) => provides)
  assert.deepEqual(provided(TOKENS), ['identity'])
  const watchlist = { ...TOKENS, ONFIDO_WATCHLIST: 'standard' }
  assert.deepEqual(provided(watchlist), ['identity', 'kyc'])
  assert.throws(() => readConfig({ ...watchlist, WATCHMAN_URL: 'http://watchman:8084' }), {
    message: /onfido and watchman both provide kyc/,
  })
})

for (const [name, env, message] of [
  ['another region', { ...TOKENS, ONFIDO_REGION: 'MARS' }, /^ONFIDO_REGION must be EU, US or CA/],
  [
    'another report',
    { ...TOKENS, ONFIDO_WATCHLIST: 'all' },
    /^ONFIDO_WATCHLIST must be standard, /,
  ],
  ['a report alone', { ONFIDO_WATCHLIST: 'aml' }, /^ONFIDO_API_TOKEN is missing/],
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
