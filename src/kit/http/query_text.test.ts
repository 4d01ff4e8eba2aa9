import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

for (const path of [
  '/v1/search?q=',
  '/v1/transactions?rrn=',
  '/v1/audit?actor_id=',
  '/v1/operator/audit?actor_id=',
  '/v1/operator/mails?to=',
]) {
  test(`400 for U+0000 in ${path}`, async () => {
    const [, name = ''] = /\?(\w+)=/.exec(path) ?? []
    const key = path.includes('/operator/') ? world.operator_key : world.tenant.api_key
    const { status, body } = await world.request('GET', `${path}a%00b`, undefined, { key })
    assert.equal(status, 400, JSON.stringify(body))
    assert.deepEqual(
      [body.code, body.errors],
      ['validation_failed', [{ path: name, message: 'must not hold U+0000' }]],
    )
  })
}
