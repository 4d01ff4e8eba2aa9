/** Lists and limits in SHADOW as the checks see them (D-480). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LimitTerms } from '#issuing/limits/rules.ts'
import { ruleOf, type StoredList } from '#issuing/lists/rules.ts'
import type { ControlMode } from '#issuing/lists/schema.ts'
import { tracePresented } from '#issuing/transactions/rules.ts'
import { type Change, closed, seen } from '#test/support/seen.ts'
import type { ListsInForce } from '../rows.ts'
import { examine } from './checks.ts'

const list = (kind: StoredList['kind'], mode: ControlMode, fields: Partial<StoredList>) =>
  ruleOf({
    kind,
    id: mode,
    name: 'Name',
    allow: true,
    active: true,
    entries: [],
    version: 1n,
    mode,
    ...fields,
  })
const shop = (mode: ControlMode, allow: boolean) =>
  list('merchants', mode, { entries: [{ merchant_id: 'SHOP1', allow }] })

const withLists = (lists: Partial<ListsInForce>): Change => ({
  request: { merchant: { id: 'SHOP1', country: 'ARE' } },
  card: { lists: { product: {}, card: {}, ...lists } },
})

const velocity: LimitTerms = {
  id: 'l',
  kind: 'VELOCITY',
  type: 'PER_TRANSACTION',
  currency: 'AED',
  min_amount: null,
  max_amount: 999n,
  frequency: null,
  period: null,
  transaction_scope: ['ALL'],
  short_id: 1n,
  version: 1n,
  mode: 'SHADOW',
}
const balance: LimitTerms = {
  ...velocity,
  kind: 'BALANCE',
  type: 'PER_ACCOUNT',
  transaction_scope: null,
  min_amount: 500n,
  max_amount: null,
}
const account = { balance: 1_000n, available: 1_000n }
const counted = { amount: 0n, number: 0 }
const withLimits = (fields: object, room = 1_000n): Change => ({
  evidence: {
    limits: { velocity: [], balance: [], standing: { account, user: account }, ...fields },
    room,
  },
})

const found = (...changes: Change[]) => {
  const { declined, shadows } = examine(seen(...changes))
  return [declined, shadows.map(({ kind, id, code }) => `${kind} ${id} ${code}`)]
}

describe('a list in SHADOW', () => {
  test('declines nothing and names what it would decline', () => {
    const blocks = { countries: list('countries', 'SHADOW', { entries: ['SAU'] }) }
    assert.deepEqual(found(withLists({ product: blocks })), [undefined, ['countries SHADOW 1860']])
    assert.deepEqual(found(withLists({ card: blocks })), [undefined, ['countries SHADOW 1880']])
    const both = withLists({ product: blocks, card: blocks })
    assert.deepEqual(found(both), [undefined, ['countries SHADOW 1860']])
  })

  test('leaves a list in force as it is', () => {
    const product = { countries: list('countries', 'SHADOW', { entries: ['SAU'] }) }
    const card = { countries: list('countries', 'ENFORCED', { entries: ['SAU'] }) }
    assert.deepEqual(found(withLists({ product, card })), ['1880', ['countries SHADOW 1860']])
  })

  test('of merchants lets nothing pass that another list declines', () => {
    const card = { merchants: shop('SHADOW', true) }
    const product = { merchants: shop('ENFORCED', false) }
    assert.deepEqual(found(withLists({ product, card })), ['1019', []])
    const other = { merchants: shop('ENFORCED', true) }
    const shadow = { merchants: shop('SHADOW', false) }
    assert.deepEqual(found(withLists({ product: shadow, card: other })), [undefined, []])
    assert.deepEqual(found(withLists({ product: other, card: shadow })), [
      undefined,
      ['merchants SHADOW 1019'],
    ])
  })
})

describe('a limit in SHADOW', () => {
  test('of velocity declines nothing, beside one in force that does', () => {
    const rule = { limit: velocity, counted }
    assert.deepEqual(found(withLimits({ velocity: [rule] })), [undefined, ['VELOCITY l 1896']])
    const own = { limit: { ...velocity, id: 'own', mode: 'ENFORCED' }, counted }
    const both = withLimits({ velocity: [rule, rule, own] })
    assert.deepEqual(found(both), ['1896', ['VELOCITY l 1896']])
  })

  test('of the balance declines nothing', () => {
    assert.deepEqual(found(withLimits({ balance: [balance] })), [undefined, ['BALANCE l 1876']])
  })

  test('of the balance names nothing where a part would be approved', () => {
    const partial: Change = {
      request: { partial_capable: true },
      card: { partial_approval: true },
    }
    assert.deepEqual(found(withLimits({ balance: [balance] }), partial), [undefined, []])
  })
})

test('a trace shows a finding of a shadow as one that decided nothing', () => {
  const rule = { limit: velocity, counted }
  const { trace } = examine(seen(withLimits({ velocity: [rule] })))
  const shown = tracePresented(trace).filter(({ check }) => check === 'velocity')
  assert.deepEqual(shown, [
    { check: 'velocity', detail: '0 within', verdict: 'passed', decisive: true },
    {
      check: 'velocity',
      detail: '1000 > 999, PER_TRANSACTION l',
      verdict: 'would_refuse',
      status_code: '1896',
      control_id: 'l',
      decisive: false,
    },
  ])
  assert.equal(tracePresented(trace).at(-1)?.decisive, true)
})

test('a check that is made for the trace only names its shadows', () => {
  const rule = { limit: velocity, counted }
  const after = found(closed('T3'), withLimits({ velocity: [rule] }))
  assert.deepEqual(after, ['1816', ['VELOCITY l 1896']])
})
