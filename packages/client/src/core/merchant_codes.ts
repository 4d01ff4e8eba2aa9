/** The codes of the merchant API's errors (D-804). */

import { sentences } from '../generated/merchant/sentences.ts'

/** Answers of this API have no code; its sentences are those of the codes. */
export function merchantCodeOf(status: number, detail: string): string | undefined {
  if (status === 400) return 'validation_failed'
  return sentences.find(([of, , sentence]) => of === status && detail.startsWith(sentence))?.[1]
}
