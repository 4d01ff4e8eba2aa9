/** The places that produce each status code, from the tables of the code itself. */

import { statusCodes } from '#iso8583/codes.ts'
import { checks } from '#issuing/authorization/decide/checks/checks.ts'
import {
  adviceCodes,
  approvalCodes,
  CONTRADICTION,
  completionCodes,
  MALFUNCTION,
  reversalCodes,
} from '#issuing/authorization/decide/messages/answers.ts'
import { creditCodes } from '#issuing/authorization/decide/messages/credit.ts'
import { NUMBERS_USED_UP } from '#issuing/bulk/rules.ts'

/** Code and reason. */
export type Reasons = readonly (readonly [code: string, reason: string])[]

/** The answers beside the checks, by what gives them. */
export const otherAnswers: Readonly<Record<string, Reasons>> = {
  approval: approvalCodes,
  advice: adviceCodes,
  credit: creditCodes,
  completion: completionCodes,
  reversal: reversalCodes,
  duplicate: [[CONTRADICTION, 'the key of an earlier message that differs from it']],
  'network port': [[MALFUNCTION, 'a fault of the program: nothing is recorded of the message']],
  'bulk issuance': [[NUMBERS_USED_UP, 'too few numbers are left in the range of the card product']],
}

/**
 * Producers by code: the checks that give it, and other places. Codes without a producer are
 * missing.
 */
export function producersOf(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const add = (code: string, by: string) => found.set(code, [...(found.get(code) ?? []), by])
  for (const { name, codes } of checks) for (const code of codes) add(code, `check: ${name}`)
  for (const [by, reasons] of Object.entries(otherAnswers)) {
    for (const [code] of reasons) add(code, by)
  }
  return found
}

/** The documented codes that nothing gives (D-525). */
export const unusedCodes: readonly string[] = statusCodes.flatMap(({ code, isUnused }) =>
  isUnused ? [code] : [],
)
