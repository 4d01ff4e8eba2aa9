import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { cardStatuses, fulfillmentStatuses, statusReasons } from '../schema.ts'
import { cardReasons, type Mover, moves } from './moves.ts'
import { checkMigration, checkStatusChange, endedBy, isMigrating } from './status.ts'

const fulfillments = [null, ...fulfillmentStatuses]
const movers: readonly Mover[] = ['client', 'operator', 'system']
const targets = cardStatuses.flatMap((status) =>
  statusReasons.map((status_reason_code) => ({ status, status_reason_code })),
)

// card: type status/reason, fulfillment where it matters | first mover allowed: states it may reach.
// Others may do what a client may; cards are terminated by T0 to T3 (client) and T4 (system).
const table = `
  VIRTUAL  INACTIVE/I0            | client ACTIVE/a0 ACTIVE/A0
  PHYSICAL INACTIVE/I0            | client ACTIVE/a0
  VIRTUAL  ACTIVE/A0              | client SUSPENDED/S0 | operator SUSPENDED/S1 | system SUSPENDED/S2 SUSPENDED/P0
  VIRTUAL  ACTIVE/a0              | client SUSPENDED/S0 | operator SUSPENDED/S1 | system SUSPENDED/S2 SUSPENDED/P0
  PHYSICAL ACTIVE/A0              | client SUSPENDED/S0 | operator SUSPENDED/S1 | system SUSPENDED/S2 SUSPENDED/P0
  PHYSICAL ACTIVE/a0              | client SUSPENDED/S0 | operator SUSPENDED/S1 | system SUSPENDED/S2 SUSPENDED/P0
  VIRTUAL  SUSPENDED/S0           | client ACTIVE/A0
  PHYSICAL SUSPENDED/S0           | client ACTIVE/A0
  VIRTUAL  SUSPENDED/S1           | operator ACTIVE/A0
  PHYSICAL SUSPENDED/S1           | operator ACTIVE/A0
  VIRTUAL  SUSPENDED/S2           | operator ACTIVE/A0
  PHYSICAL SUSPENDED/S2           | operator ACTIVE/A0
  VIRTUAL  SUSPENDED/P0           | operator ACTIVE/A0
  PHYSICAL SUSPENDED/P0           | operator ACTIVE/a0
  VIRTUAL  ACTIVE/AT CREATED      | client SUSPENDED/ST
  VIRTUAL  ACTIVE/AT FAILED       | client SUSPENDED/ST
  VIRTUAL  ACTIVE/AT ORDERED      | client SUSPENDED/ST ACTIVE/A0
  VIRTUAL  ACTIVE/AT SHIPPED      | client SUSPENDED/ST ACTIVE/A0
  VIRTUAL  ACTIVE/AT DELIVERED    | client SUSPENDED/ST ACTIVE/A0
  VIRTUAL  SUSPENDED/ST CREATED   | client ACTIVE/AT
  VIRTUAL  SUSPENDED/ST FAILED    | client ACTIVE/AT
  VIRTUAL  SUSPENDED/ST ORDERED   | client ACTIVE/AT ACTIVE/A0
  VIRTUAL  SUSPENDED/ST SHIPPED   | client ACTIVE/AT ACTIVE/A0
  VIRTUAL  SUSPENDED/ST DELIVERED | client ACTIVE/AT ACTIVE/A0`
  .trim()
  .split('\n')
  .map((line) => {
    const [card = '', ...grants] = line.split('|').map((part) => part.trim().split(/\s+/))
    const [card_type = '', state = '', fulfillment] = card
    const [status = '', status_reason_code = ''] = state.split('/')
    const plain = fulfillment === undefined ? fulfillments : [fulfillment]
    return {
      name: [...card].join(' '),
      cards: plain.map((fulfillment_status) => ({
        card_type,
        status,
        status_reason_code,
        fulfillment_status,
      })),
      grants: grants.map(([mover, ...reached]) => ({ mover, reached })),
    }
  })

const isEnd = (state: string, mover: Mover) =>
  state === 'TERMINATED/T4' ? mover === 'system' : /^TERMINATED\/T[0-3]$/.test(state)

describe('every target for every state', () => {
  for (const { name, cards, grants } of table) {
    test(`${name}: ${grants.map(({ reached }) => reached.join(' ')).join(' ')} or the end`, () => {
      for (const card of cards) {
        for (const [rank, mover] of movers.entries()) {
          const granted = grants
            .filter((grant) => movers.slice(0, rank + 1).some((each) => each === grant.mover))
            .flatMap(({ reached }) => reached)
          for (const target of targets) {
            const state = `${target.status}/${target.status_reason_code}`
            const result = checkStatusChange(card, target, mover)
            const expected = granted.includes(state) || isEnd(state, mover)
            assert.equal(result.ok, expected, `${mover}: ${state}`)
            if (result.ok) assert.partialDeepStrictEqual(result.value, target)
            else {
              assert.equal(result.code, 'card_status_move_refused')
              assert.match(
                result.detail ?? '',
                new RegExp(`${card.status} .${card.status_reason_code}`),
              )
            }
          }
        }
      }
    })
  }

  for (const reason of ['T0', 'T1', 'T2', 'T3', 'T4']) {
    test(`TERMINATED/${reason}: none`, () => {
      const card = { status: 'TERMINATED', status_reason_code: reason, fulfillment_status: null }
      for (const target of targets) {
        for (const mover of movers) {
          for (const card_type of ['VIRTUAL', 'PHYSICAL']) {
            const result = checkStatusChange({ ...card, card_type }, target, mover)
            assert.equal(result.ok ? 'allowed' : result.code, 'card_terminated')
          }
        }
      }
    })
  }
})

describe('change_to_physical', () => {
  for (const { name, cards } of table) {
    const expected = /^VIRTUAL +ACTIVE\/[aA]0/.test(name)
      ? 'allowed'
      : / (ACTIVE\/AT|SUSPENDED\/ST)/.test(name)
        ? 'card_migrating'
        : 'card_migration_refused'
    test(`${name}: ${expected}`, () => {
      for (const card of cards) {
        const result = checkMigration(card)
        assert.equal(result.ok ? 'allowed' : result.code, expected)
        if (result.ok) {
          assert.deepEqual(result.value, { status: 'ACTIVE', status_reason_code: 'AT' })
        }
      }
    })
  }
  test('TERMINATED: card_terminated', () => {
    const card = { card_type: 'VIRTUAL', status: 'TERMINATED', fulfillment_status: null }
    const result = checkMigration({ ...card, status_reason_code: 'T0' })
    assert.equal(result.ok ? 'allowed' : result.code, 'card_terminated')
  })
})

test('only the completed transition changes the type of a card', () => {
  const changing = moves.filter(({ becomes }) => becomes !== undefined)
  assert.deepEqual(
    changing.map(({ from_reasons, reason, becomes }) => [from_reasons, reason, becomes]),
    [[['AT', 'ST'], 'A0', 'PHYSICAL']],
  )
})

test('no move leaves TERMINATED, and none leads to INACTIVE', () => {
  assert.ok(moves.every(({ from, to }) => !from.includes('TERMINATED') && to !== 'INACTIVE'))
})

test('every reason code has a meaning, and all but that of new cards a move that leads to it', () => {
  const reached = new Set(moves.map(({ reason }) => reason))
  assert.deepEqual(Object.keys(cardReasons).toSorted(), statusReasons.toSorted())
  assert.deepEqual(
    statusReasons.filter((reason) => !reached.has(reason)),
    ['I0'],
  )
})

describe('what ends with a change of state', () => {
  const stateOf = (text: string) => {
    const [status = '', status_reason_code = ''] = text.split('/')
    return { status, status_reason_code }
  }
  const migration = { migration_started: null, migration_ends: null, frozen_settings: null }
  const block = { provisioning_failures: 0, provisioning_blocked_until: null }
  const ending: [before: string, after: string, ended: object][] = [
    ['ACTIVE/A0', 'SUSPENDED/S0', {}],
    ['ACTIVE/A0', 'ACTIVE/AT', {}],
    ['ACTIVE/AT', 'SUSPENDED/ST', {}],
    ['SUSPENDED/ST', 'ACTIVE/AT', {}],
    ['ACTIVE/AT', 'ACTIVE/A0', migration],
    ['SUSPENDED/ST', 'TERMINATED/T2', { ...migration, emboss_due: null }],
    ['ACTIVE/A0', 'SUSPENDED/P0', {}],
    ['SUSPENDED/P0', 'ACTIVE/A0', block],
    ['SUSPENDED/P0', 'TERMINATED/T0', { ...block, emboss_due: null }],
    ['INACTIVE/I0', 'TERMINATED/T0', { emboss_due: null }],
  ]
  for (const [before, after, ended] of ending) {
    test(`${before} to ${after}: ${Object.keys(ended).join(', ') || 'nothing'}`, () => {
      assert.deepEqual(endedBy(stateOf(before), stateOf(after)), ended)
    })
  }
  test('a card is migrating with AT and ST alone', () => {
    const those = statusReasons.filter((status_reason_code) => isMigrating({ status_reason_code }))
    assert.deepEqual(those, ['AT', 'ST'])
  })
})
