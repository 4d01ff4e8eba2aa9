import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkHealth } from './health.ts'

const now = new Date('2030-01-10T00:00:00.000Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000)
const almost = new Date(daysAgo(5).getTime() + 1)

const table: [name: string, since: Date | null, delivered: boolean, gone: boolean, to: unknown][] =
  [
    ['a delivery where nothing had failed writes nothing', null, true, false, undefined],
    ['the first failure starts the time', null, false, false, ['ACTIVE', now, null]],
    ['a further failure writes nothing', daysAgo(1), false, false, undefined],
    ['a delivery ends the time', daysAgo(4), true, false, ['ACTIVE', null, null]],
    ['a millisecond before five days it still serves', almost, false, false, undefined],
    ['after five days of failure it is disabled', daysAgo(5), false, false, ['DISABLED', daysAgo(5), 'FAILING']],
    ['a delivery after six days keeps it', daysAgo(6), true, false, ['ACTIVE', null, null]],
    ['410 disables at once', null, false, true, ['DISABLED', now, 'GONE']],
    ['410 beside a delivery disables all the same', null, true, true, ['DISABLED', now, 'GONE']],
  ] // biome-ignore format: a table.

for (const [name, failing_since, delivered, gone, to] of table) {
  test(name, () => {
    const health = checkHealth({ failing_since }, { delivered, gone }, now)
    const found = health && [health.status, health.failing_since, health.disabled_reason]
    assert.deepEqual(found, to)
  })
}
