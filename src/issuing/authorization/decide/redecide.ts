/**
 * A stored decision, with some of its checks made again (D-483). The checks are the engine's own;
 * the findings of the others are in the stored trace. Pure.
 */

import { NOT_CHECKED, type TransactionRow } from '#issuing/transactions/rules.ts'
import { applies, checks } from './checks/checks.ts'
import { type Conditions, storedCase } from './make_case.ts'

/** The conditions in force beside the message, and what they decide again. */
export type Proposed = Conditions & {
  /** Checks whose findings take the place of the stored ones. */
  again: ReadonlySet<string>
  /** Checks that decline as they did, and also if their present findings decline. */
  also: ReadonlySet<string>
}

/** `unknown`: the check that would decide was not made, or needs data that is not stored. */
export type Redecision = { code: string | undefined } | 'unknown'

/** The first message of a transaction. The code that declines it, or none. */
export function redecide(row: TransactionRow, proposed: Proposed): Redecision {
  const input = storedCase(row, 1, proposed)
  const stored = new Map(
    row.trace.flatMap(([name, detail, code, shadow]) =>
      shadow === undefined ? [[name, { detail, code }] as const] : [],
    ),
  )
  for (const check of checks) {
    if (!applies(check, input)) continue
    const { name, look } = check
    const before = stored.get(name)
    stored.delete(name)
    const found = proposed.again.has(name) || proposed.also.has(name) ? look(input) : undefined
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
  const input = storedCase(row, sequence, proposed)
  const made = checks.filter(({ name }) => proposed.again.has(name) || proposed.also.has(name))
  for (const check of made) {
    const code = applies(check, input) ? check.look(input).declined : undefined
    if (code !== undefined) return { code }
  }
  return { code: undefined }
}
