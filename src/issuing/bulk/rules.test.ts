import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '#lib/result.ts'
import { checkMove, checkRequest, errorOf, type Mover } from './rules.ts'
import type { BulkStatus } from './schema.ts'

const statuses: BulkStatus[] = ['DRAFT', 'SUBMITTED', 'PROCESSING', 'COMPLETED', 'FAILED']

/** The mover from a status (row) to another (column): c the client, j the job, . neither. */
const table: Record<BulkStatus, string> = {
  DRAFT: 'cc...',
  SUBMITTED: '..j.j',
  PROCESSING: '..jj.',
  COMPLETED: '.....',
  FAILED: '.....',
}

for (const from of statuses) {
  for (const [at, to] of statuses.entries()) {
    for (const by of ['client', 'job'] satisfies Mover[]) {
      const fits = table[from][at] === by[0]
      test(`the ${by} moves ${from} to ${to}: ${fits ? 'yes' : 'no'}`, () => {
        const result = checkMove(from, to, by)
        assert.equal(result.ok, fits)
        if (result.ok) assert.equal(result.value, to)
        else assert.match(String(result.detail), new RegExp(from))
      })
    }
  }
}

describe('a request fits its product', () => {
  const product = { currency: 'AED', link_account_to_card: true }
  const unlinked = { ...product, link_account_to_card: false }
  for (const [name, requested, terms, faults] of [
    ['its currency', { currency: 'AED', amount: 1n }, product, []],
    ['another currency', { currency: 'USD', amount: null }, product, ['currency']],
    ['no money without accounts', { currency: 'AED', amount: null }, unlinked, []],
    ['money without accounts', { currency: 'AED', amount: 1n }, unlinked, ['amount']],
    ['both', { currency: 'USD', amount: 1n }, unlinked, ['currency', 'amount']],
  ] as const) {
    test(`${name}: ${faults.length === 0 ? 'yes' : `400 on ${faults.join(', ')}`}`, () => {
      const result = checkRequest(requested, terms)
      const errors = result.ok ? [] : (result.errors ?? [])
      assert.deepEqual(
        errors.map(({ path }) => path),
        faults,
      )
    })
  }
})

describe('the error of a FAILED request', () => {
  test('is 1853 for numbers used up, with what is short', () => {
    const extra = { needed: 5, available: 2 }
    const error = new ApiError('pan_range_exhausted', { detail: 'Few.', extra })
    assert.deepEqual(errorOf(error), { code: '1853', message: 'Few.', ...extra })
  })
  test('is the code of any other error', () => {
    const errors = [{ path: 'currency', message: 'is another' }]
    const reported = errorOf(new ApiError('validation_failed', { errors }))
    assert.deepEqual(reported, { code: 'validation_failed', message: 'currency is another' })
    assert.deepEqual(errorOf(new ApiError('not_found')), {
      code: 'not_found',
      message: 'not_found',
    })
  })
})
