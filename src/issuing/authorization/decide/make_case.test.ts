/** The case of a message that has come, and that of the same message as it is stored. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { softwareProofs } from '#issuing/vault/software/software.ts'
import { Desk, heldOf, purchase, type TestMessage } from '#test/support/desk.ts'
import { kindOf } from './kinds.ts'
import { liveCase, storedCase } from './make_case.ts'
import { WorkingSet } from './state/working_set.ts'

function openDesk() {
  const desk = new Desk()
  desk.settings.time_zone = 'Asia/Dubai'
  const card = desk.addCard(desk.addAccount(1_000n).id)
  return { desk, card }
}

function caseOf(desk: Desk, request: TestMessage, workingSet = new WorkingSet(desk.read())) {
  const card_id = 'card_id' in request.card ? request.card.card_id : undefined
  const kind = kindOf(request)
  const none = { token_id: undefined, verdict: undefined, reverses: undefined }
  const drawn = { id: 'id', approval_code: '000001', fingerprint: () => '', proofs: softwareProofs }
  return liveCase(workingSet, { request, kind, card_id, late: false, ...none }, drawn)
}

test('a case that is stored has the members of one that has come, in their order', () => {
  const { desk, card } = openDesk()
  const message = purchase(card, 100n, { recurring: true })
  const live = caseOf(desk, message)
  const row = desk.row(desk.ask(message))
  const { settings, now } = desk
  const limits = { velocity: [], balance: [] }
  const conditions = { card: heldOf(card), limits, more: 0n, less: 0n, settings, now }
  const stored = storedCase(row, 1, conditions)
  assert.deepEqual(Object.keys(stored), Object.keys(live))
  const { kind, code, billing, currency, room, charge, product, holder } = live
  assert.partialDeepStrictEqual(stored, { kind, code, billing, currency, room, charge })
  assert.partialDeepStrictEqual(stored, { product, holder, settings, now })
})

test('a case that raises a hold has the amount before it, and a stored one less what would be declined', () => {
  const { desk, card } = openDesk()
  const first = purchase(card, 100n)
  const answer = desk.ask(first)
  const raise = { ...purchase(card, 50n), original: first.original ?? {} }
  assert.deepEqual([caseOf(desk, raise).raises, caseOf(desk, raise).billing], [100n, 50n])
  desk.ask(raise)
  const limits = { velocity: [], balance: [] }
  const { settings, now } = desk
  const conditions = { card: heldOf(card), limits, more: 0n, less: 30n, settings, now }
  const { raises, billing } = storedCase(desk.row(answer), 2, conditions)
  assert.deepEqual([raises, billing], [70n, 50n])
})

test('the settings of a case are those of its batch, and its local time is that of the tenant', () => {
  const { desk, card } = openDesk()
  desk.now = new Date('2026-06-12T20:30:05.999Z')
  const workingSet = new WorkingSet(desk.read())
  const at_terminal = { local_time: '100000', local_date: '0612' }
  const live = caseOf(desk, purchase(card, 100n, at_terminal), workingSet)
  assert.equal(live.settings, workingSet.settings)
  assert.equal(live.local_time(), '00:30:05')
  assert.equal(live.request.local_time, '100000')
})

test('a case of a message that is no request has no data for the checks of requests', () => {
  const { desk, card } = openDesk()
  const { room, done, raised, chip } = caseOf(desk, purchase(card, 100n, { message_type: '0220' }))
  assert.deepEqual([room, done, raised, chip], [0n, undefined, undefined, undefined])
})
