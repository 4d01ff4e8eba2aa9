/**
 * A stored decision, with some of its checks made again (D-483). The checks are the engine's own;
 * the findings of the others are in the stored trace. Pure.
 */

import { asOf, NOT_CHECKED, type TransactionRow } from '#issuing/transactions/rules.ts'
import { requestedOf, requestOf } from './asked.ts'
import { applies, checks, fundsIn } from './checks/checks.ts'
import type { CardEvidence, Evidence } from './checks/evidence.ts'

/** The conditions in force beside the message. */
export type Proposed = {
  /** The card with the settings and lists of the proposal. */
  card: CardEvidence
  limits: Pick<Evidence['limits'], 'velocity' | 'balance'>
  /**
   * The account has so much more than it had, because others were decided otherwise; minor units.
   */
  more: bigint
  /**
   * The part of the amount that came from increments which would have been declined; minor units.
   */
  less: bigint
  /** Checks whose findings take the place of the stored ones. */
  again: ReadonlySet<string>
  /** Checks that decline as they did, and also if their present findings decline. */
  also: ReadonlySet<string>
  settings: Evidence['settings']
  now: Date
}

/** `unknown`: the check that would decide was not made, or needs data that is not stored. */
export type Redecision = { code: string | undefined } | 'unknown'

/** The first message of a transaction. The code that declines it, or none. */
export function redecide(row: TransactionRow, proposed: Proposed): Redecision {
  const evidence = evidenceOf(row, 1, proposed)
  const stored = new Map(
    row.trace.flatMap(([name, detail, code, shadow]) =>
      shadow === undefined ? [[name, { detail, code }] as const] : [],
    ),
  )
  for (const check of checks) {
    if (!applies(check, evidence)) continue
    const { name, look } = check
    const before = stored.get(name)
    stored.delete(name)
    const found = proposed.again.has(name) || proposed.also.has(name) ? look(evidence) : undefined
    const isKnown = before !== undefined && before.detail !== NOT_CHECKED
    const kept = proposed.again.has(name) ? undefined : before?.code
    const code = kept ?? found?.declined
    if (code !== undefined) return { code }
    if (!isKnown && !proposed.again.has(name)) return 'unknown'
  }
  // A later decision stays, such as the decline of a refund without its purchase.
  const after = [...stored.values()].find(({ code }) => code !== undefined)
  return { code: after?.code }
}

/** An increment that was approved: all other checks let it pass. */
export function redecideIncrement(
  row: TransactionRow,
  sequence: number,
  proposed: Proposed,
): Redecision {
  const evidence = evidenceOf(row, sequence, proposed)
  const made = checks.filter(({ name }) => proposed.again.has(name) || proposed.also.has(name))
  for (const check of made) {
    const code = applies(check, evidence) ? check.look(evidence).declined : undefined
    if (code !== undefined) return { code }
  }
  return { code: undefined }
}

function evidenceOf(row: TransactionRow, sequence: number, proposed: Proposed): Evidence {
  const { card, limits, more, less, settings, now } = proposed
  const stored = sequence === 1 ? fundsIn(row.trace) : undefined
  const available = stored && stored.available + more
  const funds = available === undefined ? undefined : { balance: available, available }
  const raised = sequence > 1 ? asOf(row, sequence - 1).billing_amount : null
  return {
    request: requestOf(row, sequence),
    ...{ card, account: undefined, keys: undefined, token: undefined, card_number: undefined },
    ...{ pin: undefined, wrong_tries: [], max_tries: 0, late: false, reversed_early: false },
    billing: requestedOf(row, sequence),
    charge: stored?.charge ?? 0n,
    covered: (room) => room,
    ...(raised !== null && { raises: raised - less }),
    limits: { ...limits, standing: funds && { account: funds, user: funds } },
    room: available ?? 0n,
    ...{ stopped: false, has_responder: false, settings, now },
  }
}
