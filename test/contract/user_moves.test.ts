/**
 * The actions that the console offers for a user are those that the table of states permits (D-15,
 * D-618).
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkTrigger, transitions } from '#issuing/users/rules/status.ts'
import {
  awaitsReport,
  MOVES,
  mayBeApproved,
  mayBeRejected,
} from '../../apps/console/src/parts/person/moves.ts'

/** A move without reasons starts from every reason. */
const wordsOf = (from: readonly string[], reasons: readonly string[] = [], to: string) =>
  `${from.toSorted().join()} ${reasons.toSorted().join()} ${to}`

test('the moves of clients are the rows of changeStatus that a live program has', () => {
  const rows = transitions
    .filter(({ trigger, sandbox }) => trigger === 'changeStatus' && !sandbox)
    .map(({ from, from_reasons, to, reason }) => wordsOf(from, from_reasons, `${to}/${reason}`))
  const offered = MOVES.map(({ from, reasons, to, reason }) =>
    wordsOf(from, reasons, `${to}/${reason}`),
  )
  assert.deepEqual(offered.toSorted(), rows.toSorted())
})

describe('in each state', () => {
  for (const { to: status, reason: status_reason_code } of transitions) {
    const state = { status, status_reason_code }
    const allows = (trigger: Parameters<typeof checkTrigger>[1]) => checkTrigger(state, trigger).ok
    test(`${status}/${status_reason_code} offers what its review allows`, () => {
      assert.deepEqual(
        [mayBeApproved(state), mayBeRejected(state), awaitsReport(state)],
        [allows('review_approval'), allows('review_rejection'), allows('idv_clear')],
      )
    })
  }
})
