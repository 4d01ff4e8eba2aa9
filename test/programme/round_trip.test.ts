import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { ENVIRONMENT, EVERYTHING, fileOf, PASSWORD, TOKEN } from './files.ts'
import { openPlatform } from './support.ts'

const keep = keeper()
const first = await openPlatform()
keep(first.world)
const second = await openPlatform()
keep(second.world)

/** The references that an export makes for the secrets of EVERYTHING. */
const EXPORTED_ENV = {
  WEBHOOK_127_0_0_1_9_HOOK_PASSWORD: PASSWORD,
  WEBHOOK_127_0_0_1_9_HOOK_X_TOKEN: TOKEN,
}

test('an export that is applied to another platform is exported there as the same bytes', async () => {
  await first.apply(EVERYTHING)
  const text = await first.exported()
  const env = EXPORTED_ENV
  const applied = await second.run(['apply', fileOf(text), '--yes'], { env })
  assert.equal(applied.code, 0, applied.errors)
  assert.equal(await second.exported(), text)
  assert.equal(await first.exported(), text)
  for (const secret of [PASSWORD, TOKEN]) {
    assert.ok(!`${text}${applied.out}${applied.errors}`.includes(secret))
  }
})

test('what was applied has no difference, by its own file and by the export', async () => {
  for (const text of [EVERYTHING, await first.exported()]) {
    const planned = await first.run(['plan', fileOf(text), '--prune'])
    assert.deepEqual([planned.code, planned.out, planned.errors], [0, 'no difference', ''])
    const again = await first.run(['apply', fileOf(text), '--yes'], { env: ENVIRONMENT })
    assert.deepEqual([again.code, again.out], [0, 'no difference'])
  }
})

test('an export has no setting that a key may not change', async () => {
  const { world } = first
  const path = `/v1/operator/tenants/${world.tenant.id}/settings`
  const put = (second_factor_required: boolean | null) =>
    world.request('PUT', path, { second_factor_required }, { key: world.operator_key })
  assert.equal((await put(true)).status, 200)
  const applied = await second.run(['apply', fileOf(await first.exported()), '--yes'], {
    env: EXPORTED_ENV,
  })
  assert.deepEqual([applied.code, applied.errors], [0, ''])
  assert.equal((await put(null)).status, 200)
})

test('an export as JSON is the same programme', async () => {
  const { code, out, errors } = await first.run(['export', '--json'])
  assert.equal(code, 0, errors)
  assert.equal(JSON.parse(out).version, 1)
  const planned = await first.run(['plan', fileOf(out), '--prune'])
  assert.deepEqual([planned.code, planned.out, planned.errors], [0, 'no difference', ''])
})
