import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Schema } from '#lib/openapi.ts'
import { faultsOf } from './arguments.ts'

const nullable = (schema: Schema) => ({ anyOf: [schema, { type: 'null' }] })
const input = {
  type: 'object',
  properties: {
    id: { type: 'string', format: 'uuid' },
    limit: { type: 'integer', maximum: 200 },
    period: nullable({ enum: ['DAY', 'MONTH'] }),
    address: nullable({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    }),
    tags: { type: 'array', items: { type: 'string' } },
  },
  required: ['id', 'limit'],
  additionalProperties: false,
}

const cases: [given: unknown, faults: string[]][] = [
  [{ id: '01900000-0000-7000-8000-000000000000', limit: 1, address: null }, []],
  [7, ['the call must be an object']],
  [{}, ['the call lacks id, and lacks limit']],
  [{ id: 'x', limit: 201 }, ['id must be a uuid', 'limit must be at most 200']],
  [{ id: 7, limit: 1.5 }, ['id must be text: write it in quotes', 'limit must be a whole number']],
]

for (const [given, faults] of cases) {
  test(`the faults of ${JSON.stringify(given)} are: ${faults.join('; ') || 'none'}`, () =>
    assert.deepEqual(faultsOf(input, given).toSorted(), faults.toSorted()))
}

test('a fault within an argument has its whole path, and alternatives are one sentence', () => {
  const given = {
    id: '01900000-0000-7000-8000-000000000000',
    limit: 1,
    period: 'WEEK',
    address: { city: 7, town: 'A' },
    tags: ['a', 1],
    colour: 1,
  }
  assert.deepEqual(
    faultsOf(input, given).toSorted(),
    [
      'address must be null',
      'address.city must be text: write it in quotes',
      'address.town is unknown here',
      'colour is unknown here',
      'period must be one of DAY, MONTH, or must be null',
      'tags.1 must be text: write it in quotes',
    ].toSorted(),
  )
})

test('at most ten faults are listed', () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`a${at}`, at]))
  assert.equal(faultsOf(input, many).length, 10)
})
