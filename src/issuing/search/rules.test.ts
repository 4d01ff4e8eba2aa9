import assert from 'node:assert/strict'
import { test } from 'node:test'
import { soughtOf } from './rules.ts'

const ID = '01A1FE68-8EB9-7639-9FB4-CEA499DD03D0'

const cases: [q: string, sought: ReturnType<typeof soughtOf>][] = [
  [` ${ID} `, { id: ID.toLowerCase() }],
  ['aisha@example.com', { email: 'aisha@example.com' }],
  ['Aisha Khan', { name: 'Aisha Khan' }],
  ['4242', { name: '4242', last_four: '4242' }],
  ['042112345678', { name: '042112345678', rrn: '042112345678', mobile: '042112345678' }],
  ['ABC123', { name: 'ABC123', rrn: 'ABC123' }],
  ['+971 50 123 4567', { name: '+971 50 123 4567', mobile: '+971 50 123 4567' }],
  ['12345', { name: '12345' }],
  ['  ', {}],
  ['a\0b', { name: 'ab' }],
]
for (const [q, sought] of cases) {
  const named = Object.keys(sought).join(' and ') || 'nothing'
  test(`${JSON.stringify(q)} is sought as ${named}`, () => {
    assert.deepEqual(soughtOf(q), sought)
  })
}
