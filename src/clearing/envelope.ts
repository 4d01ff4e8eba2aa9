/** Header, trailer and numbers of a file that this program sends, as members of records. Pure. */

import { recordOf } from './json.ts'
import type { ClearingRecord } from './record.ts'

export type Members = Readonly<Record<string, string>>

/** YYMMDD of UTC. */
export const dateOf = (at: Date): string => at.toISOString().slice(2, 10).replaceAll('-', '')

/** Digits of an institution in PDS 0105. */
export const INSTITUTION_DIGITS = 11
/** Digits of DE4. */
export const AMOUNT_DIGITS = 12

/** A file by its PDS 0105; `amount` is the sum of DE4 of its messages. */
export type Outgoing = { file: string; messages: number; amount: bigint; is_test: boolean }

/** 1644 697. */
export const headerOf = ({ file, is_test }: Outgoing): Members => ({
  ...{ MTI: '1644', DE24: '697', DE71: numberOf(0), PDS0105: file },
  PDS0122: is_test ? 'T' : 'P',
})

/** 1644 695. */
export const trailerOf = ({ file, messages, amount }: Outgoing): Members => ({
  ...{ MTI: '1644', DE24: '695', DE71: numberOf(messages + 1), PDS0105: file },
  PDS0301: String(amount).padStart(16, '0'),
  PDS0306: String(messages + 2).padStart(8, '0'),
})

/** DE71 of a message by its number from 1; the header is 0. */
export const numberOf = (number: number): string => String(number + 1).padStart(8, '0')

/** Throws where the members are those of no record. */
export function asRecord(members: Members): ClearingRecord {
  const read = recordOf(members)
  if (!read.ok) throw new Error(`a message is no record: ${read.reason}`)
  return read.record
}
