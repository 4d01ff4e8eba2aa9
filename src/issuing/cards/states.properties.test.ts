/** No sequence of calls moves a card other than by the tables of moves. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
import { transact } from '#kit/context.ts'
import { addDays } from '#lib/time.ts'
import { type Cardholder, cardholder } from '#test/support/cardholder.ts'
import { openWorld } from '#test/support/world.ts'
import { blockCardProvisioning, lockCardRow } from './cards.ts'
import { fulfillmentMoves } from './rules/fulfillment.ts'
import { moves } from './rules/moves.ts'
import {
  type CardState,
  checkMigration,
  checkStatusChange,
  isMigrating,
  type NewStatus,
} from './rules/status.ts'
import { cardStatuses, cardTypes, fulfillmentStatuses, statusReasons } from './schema.ts'
import type { CardRow } from './store.ts'

const IS_DEEP = process.env['TEST_DEEP'] === '1'
const SEED = IS_DEEP ? Date.now() % 2 ** 31 : 20_260_101
const RUNS = IS_DEEP ? 300 : 20
const CALLS_MAX = 14

type State = { card_type: string; status: string; status_reason_code: string }

/** The states of the table: initial ones, and those that moves lead to. */
const known = new Set(
  [['INACTIVE', 'I0'], ['ACTIVE', 'A0'], ...moves.map(({ to, reason }) => [to, reason])].map(
    (state) => state.join('/'),
  ),
)
const stateOf = ({ status, status_reason_code }: Omit<State, 'card_type'>) =>
  `${status}/${status_reason_code}`

/** Moves of the table are generated more often than others. */
const target = fc.oneof(
  fc.constantFrom(...moves).map(({ to, reason }) => ({ status: to, status_reason_code: reason })),
  fc.record({
    status: fc.constantFrom(...cardStatuses),
    status_reason_code: fc.constantFrom(...statusReasons),
  }),
)

function checkState(card: State & Pick<CardState, 'fulfillment_status'>): void {
  assert.ok(known.has(stateOf(card)), stateOf(card))
  if (isMigrating(card)) {
    assert.deepEqual([card.card_type, card.fulfillment_status === null], ['VIRTUAL', false])
  }
}

test(`the rules allow no other move (SEED=${SEED})`, () => {
  const start = fc.record({
    card_type: fc.constantFrom(...cardTypes),
    is_active: fc.boolean(),
  })
  const wish = fc.oneof(
    fc.record({ target, mover: fc.constantFrom('client', 'operator', 'system') }),
    fc.constant('change_to_physical' as const),
    fc.constantFrom(...fulfillmentMoves),
  )
  fc.assert(
    fc.property(start, fc.array(wish, { maxLength: 60 }), ({ card_type, is_active }, wishes) => {
      let card: CardState = {
        card_type,
        status: is_active ? 'ACTIVE' : 'INACTIVE',
        status_reason_code: is_active ? 'A0' : 'I0',
        fulfillment_status: card_type === 'PHYSICAL' ? 'CREATED' : null,
      }
      const take = (granted: NewStatus) => {
        card = { ...card, ...granted }
      }
      for (const one of wishes) {
        if (one === 'change_to_physical') {
          const result = checkMigration(card)
          if (result.ok) card = { ...card, ...result.value, fulfillment_status: 'CREATED' }
        } else if ('target' in one) {
          const result = checkStatusChange(card, one.target, one.mover)
          if (result.ok) take(result.value)
        } else if (one.from === card.fulfillment_status) {
          card = { ...card, fulfillment_status: one.to }
        }
        checkState(card)
      }
    }),
    { seed: SEED, numRuns: RUNS * 50 },
  )
})

type Call = (they: Cardholder, id: string) => Promise<unknown>

const call: fc.Arbitrary<Call> = fc.oneof(
  target.map(
    ({ status, status_reason_code }): Call =>
      (they, id) =>
        they.change(id, status, status_reason_code),
  ),
  target.map(
    (state): Call =>
      (they, id) =>
        they.operate('PUT', `cards/${id}:statuschange`, state),
  ),
  fc.constantFrom(...fulfillmentStatuses).map(
    (fulfillment_status): Call =>
      (they, id) =>
        they.operate('PUT', `cards/${id}/fulfillment`, { fulfillment_status }),
  ),
  fc.constantFrom<Call[]>(
    (they, id) => they.put(id, { change_to_physical: true }),
    (they, id) => they.put(id, { change_to_physical: false, name_on_card: 'X' }),
    (they, id) => they.put(`${id}/authsettings`, { atm: false }),
    (they, id) => they.simulate(id, 'emboss'),
    (they, id) => they.simulate(id, 'ship', { delivery_partner: 'Falcon' }),
    (they) => they.advance('P1D'),
    (they) => they.advance('P200D'),
    block,
  ),
)

async function block(they: Cardholder, id: string): Promise<void> {
  await transact(await they.ctx(), async (tx) => {
    const card = await lockCardRow(tx, id)
    if (card) await blockCardProvisioning(tx, card, addDays(tx.now, 1))
  })
}

describe('through the API and the sweeps', () => {
  const world = openWorld()
  after(async () => (await world)[Symbol.asyncDispose]())

  test(`every state and every step of cards is a row of the tables (SEED=${SEED})`, async () => {
    const seen = new Set<string>()
    const card_types = fc.constantFrom(...cardTypes)
    const calls = fc.array(call, { minLength: 1, maxLength: CALLS_MAX })
    await fc.assert(
      fc.asyncProperty(card_types, calls, async (card_type, acts) => {
        const they = await cardholder(await world, await (await world).otherTenant())
        const { id } = await they.issue({ card_type })
        const begun = stateOf(await they.row(id))
        for (const act of acts) {
          await act(they, id)
          await they.runDueJobs()
          const card = await they.row(id)
          checkState(card)
          checkColumns(card)
          seen.add(stateOf(card))
        }
        await checkSteps(they, id, begun)
      }),
      { seed: SEED, numRuns: RUNS },
    )
    assert.ok(seen.size >= 8, `the calls lead somewhere: ${[...seen]}`)
  })
})

type Columns = Pick<CardRow, 'emboss_due' | 'fulfillment_status' | 'migration_ends'>

/** Due times are set only in the states that they belong to. */
function checkColumns(card: State & Columns): void {
  assert.equal(card.migration_ends !== null, isMigrating(card))
  const waits = card.fulfillment_status === 'CREATED' && card.status !== 'TERMINATED'
  assert.equal(card.emboss_due !== null, waits)
}

async function checkSteps(they: Cardholder, id: string, begun: string): Promise<void> {
  let before = begun
  for (const { card_status_change: reported } of await they.eventsAbout(id, 'CARD_STATUS_CHANGE')) {
    assert.equal(`${reported.old_status}/${reported.old_status_reason_code}`, before)
    const row = moves.find(
      ({ from, from_reasons, to, reason }) =>
        to === reported.new_status &&
        reason === reported.status_reason_code &&
        from.includes(reported.old_status) &&
        (from_reasons?.includes(reported.old_status_reason_code) ?? true),
    )
    assert.ok(row, JSON.stringify(reported))
    before = `${reported.new_status}/${reported.status_reason_code}`
  }
  assert.equal(await they.state(id), before)
  for (const { old_status, new_status } of await they.eventsAbout(
    id,
    'CARD_DELIVERY_STATUS_CHANGED',
  )) {
    const row = fulfillmentMoves.find(({ from, to }) => from === old_status && to === new_status)
    assert.ok(row, `${old_status} to ${new_status}`)
  }
}
