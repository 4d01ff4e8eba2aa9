/** The dispute that a record of a clearing file answers (D-1063). Pure. */

import type { AnswerableDispute } from '#issuing/disputes/schema.ts'
import { portionOf } from '#lib/money.ts'
import type { RecordKind } from './facts.ts'

type Money = { amount: bigint; currency: string }

/**
 * A record of a file; `settled` is the amount that a second presentment takes back, and `presented`
 * that of DE4.
 */
export type Answered = {
  mti: string
  function_code: string
  kind: RecordKind
  credit: boolean
  processing_code: string
  card_id: string | null
  content: Readonly<Record<string, string>>
  settled: Money | undefined
  presented: Money | undefined
}

/** `abroad` is the disputed amount in the currency of its payment, where that is another one. */
export type Answerable = AnswerableDispute & { abroad?: Money }

export type Answer = { dispute: Answerable } & (
  | { step: 'REPRESENT'; amount: bigint }
  | { step: 'REJECT'; note: string }
)

const SECOND_PRESENTMENTS: ReadonlySet<string> = new Set(['205', '282'])
const REJECTIONS: ReadonlySet<string> = new Set(['691', '699'])

/** A second presentment, or what the centre did not take. */
export function answerStep(record: Answered): Answer['step'] | undefined {
  const { mti, function_code, kind, credit, processing_code } = record
  if (mti === '1644' && REJECTIONS.has(function_code)) return 'REJECT'
  const isPresented = kind === 'DISPUTE' && mti === '1240' && SECOND_PRESENTMENTS.has(function_code)
  // Its reversal (PDS 0025) gives back; and no dispute is about a refund.
  return isPresented && !credit && !processing_code.startsWith('2') ? 'REPRESENT' : undefined
}

/**
 * `disputes` are those of the transaction that the record's reference data name. Undefined where
 * none fits, or more than one: a person decides then.
 */
export function answerOf(record: Answered, disputes: readonly Answerable[]): Answer | undefined {
  const step = answerStep(record)
  if (step === undefined) return undefined
  const { card_id, content } = record
  // A record that names no card says all by its reference data.
  const isOfCard = (one: Answerable) => content['DE2'] === undefined || one.card_id === card_id
  const fitting = disputes.filter((one) => one.steps.includes(step) && isOfCard(one))
  const named = fitting.filter(({ id }) => referenceOf(id) === content['DE95']?.trim())
  const [dispute, ...others] = named.length > 0 ? named : fitting
  if (!dispute || others.length > 0) return undefined
  if (step === 'REJECT') return { dispute, step, note: rejectionIn(content) }
  const amount = partOf(dispute, record.settled) ?? partAbroad(dispute, record.presented)
  return amount === undefined ? undefined : { dispute, step, amount }
}

const REFERENCE = 10

/** DE95 of the messages about a dispute, which the other side repeats. */
export const referenceOf = (dispute_id: string): string =>
  dispute_id.replaceAll('-', '').slice(-REFERENCE).toUpperCase()

/** The part of the dispute whose settlement is exactly what the network takes. */
function partOf(
  { amount, settled, currency }: AnswerableDispute,
  taken: Answered['settled'],
): bigint | undefined {
  if (taken?.currency !== currency || taken.amount > settled) return undefined
  const part = portionOf(amount, settled, taken.amount)
  return part > 0n && portionOf(settled, amount, part) === taken.amount ? part : undefined
}

/**
 * The same of an amount that the network does not bill in the currency of the account: it is worth
 * what its share of the disputed payment was settled for (D-1442).
 */
function partAbroad({ amount, abroad }: Answerable, taken: Money | undefined): bigint | undefined {
  if (!abroad || taken?.currency !== abroad.currency || taken.amount > abroad.amount) {
    return undefined
  }
  const part = portionOf(amount, abroad.amount, taken.amount)
  return part > 0n ? part : undefined
}

const CONTROL = /\p{Cc}+/gu

/** The reason of a rejection: its code, the errors of its message, and its text. */
function rejectionIn({ DE25, PDS0005, DE72 }: Answered['content']): string {
  const parts = [DE25 && `reason ${DE25}`, PDS0005 && `error ${PDS0005}`, DE72]
  const said = parts.flatMap((part) => part?.replace(CONTROL, ' ').trim() || [])
  return ['Rejected by the centre', ...said].join(': ')
}
