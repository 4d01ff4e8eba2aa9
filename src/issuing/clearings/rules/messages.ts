/** Messages of outgoing clearing files (D-1063), as members of records (clearing/json.ts). Pure. */

import { AMOUNT_DIGITS, dateOf, type Members } from '#clearing/envelope.ts'
import { recordOf } from '#clearing/json.ts'
import { encodeRecord } from '#clearing/record.ts'
import type { OutgoingDispute } from '#issuing/disputes/schema.ts'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import { exponentOf, numericOf } from '#lib/currency.ts'
import { referenceOf } from './answers.ts'
import type { RecordKind } from './facts.ts'

type Money = { amount: bigint; currency: string }

/** DE4, DE49 and the exponent; undefined for an amount that twelve digits cannot have. */
function moneyOf({ amount, currency }: Money): Members | undefined {
  let exponent = exponentOf(currency)
  let units = amount
  while (units >= 10n ** BigInt(AMOUNT_DIGITS) && exponent > 0 && units % 10n === 0n) {
    units /= 10n
    exponent -= 1
  }
  const digits = String(units)
  if (digits.length > AMOUNT_DIGITS) return undefined
  const numeric = numericOf(currency)
  const DE4 = digits.padStart(AMOUNT_DIGITS, '0')
  return { DE4, DE49: numeric, PDS0148: `${numeric}${exponent}` }
}

const TEXT_MAX = 999
const OTHER_CHARACTERS = /[^\x20-\x7e\xa0-\xff]+/g

/** A text that every character set of a file has. */
const plain = (text: string): string =>
  text.replace(OTHER_CHARACTERS, ' ').trim().slice(0, TEXT_MAX)

/** Undefined if no record can have its values. */
function checked(members: Members | undefined): Members | undefined {
  const read = members && recordOf(members)
  return read?.ok && encodeRecord(read.record, 'latin1').ok ? members : undefined
}

/** Elements of the presentment that a message about it repeats. */
const REPEATED = [
  ...['DE3', 'DE12', 'DE22', 'DE23', 'DE26', 'DE31', 'DE32', 'DE33', 'DE37', 'DE38', 'DE40'],
  ...['DE41', 'DE42', 'DE43', 'DE63'],
]

const those = (content: Members, names: readonly string[]): Members =>
  Object.fromEntries(
    names.flatMap((name) => (content[name] === undefined ? [] : [[name, content[name]]])),
  )

/** The institution that a presentment came from. */
const destinationOf = (content: Members): Members => {
  const id = content['DE94'] ?? content['DE32'] ?? content['DE33']
  return id === undefined ? {} : { DE93: id }
}

export type Disputed = {
  dispute: Pick<OutgoingDispute, 'id' | 'explanation' | 'evidence' | 'reason_code' | 'outgoing'>
  /** The amount that the network settles of it, and whether that is all of the payment. */
  money: Money
  is_whole: boolean
  /** The presentment as a file had it; undefined if none had. */
  presented: Members | undefined
  transaction: Pick<TransactionRow, 'rrn' | 'approval_code' | 'merchant' | 'created'>
}

const CODES = { whole: ['450', '451'], part: ['453', '454'] } as const

/** 1442: a first or arbitration chargeback, or the reversal of the first (PDS 0025). */
export function chargebackOf(of: Disputed, institution: string, now: Date): Members | undefined {
  const { dispute, money, is_whole, presented } = of
  const { outgoing } = dispute
  const amounts = moneyOf(money)
  if (amounts === undefined) return undefined
  const [first, second] = is_whole ? CODES.whole : CODES.part
  const code = dispute.reason_code?.replaceAll(/\D/g, '').slice(0, 4).padStart(4, '0')
  const original = presented ?? madeOf(of.transaction)
  return checked({
    MTI: '1442',
    ...those(original, REPEATED),
    ...amounts,
    DE24: outgoing === 'ARBITRATION' ? second : first,
    ...(code !== undefined && { DE25: code }),
    ...(presented?.['DE4'] && { DE30: presented['DE4'].padEnd(2 * AMOUNT_DIGITS, '0') }),
    DE72: plain(dispute.explanation),
    ...destinationOf(original),
    DE94: institution,
    DE95: referenceOf(dispute.id),
    ...(outgoing === 'REVERSAL' && { PDS0025: `R${dateOf(now)}` }),
    PDS0262: Object.keys(dispute.evidence).length > 0 ? '1' : '0',
  })
}

const LENGTHS = { rrn: 12, approval_code: 6, acceptor: 15 }

/** The elements of a payment that no file has presented. */
function madeOf({ rrn, approval_code, merchant, created }: Disputed['transaction']): Members {
  const { id, mcc } = merchant
  return {
    DE3: '000000',
    DE12: created.toISOString().slice(2, 19).replaceAll(/\D/g, ''),
    ...(mcc !== undefined && { DE26: mcc }),
    ...(rrn !== null && { DE37: rrn.padEnd(LENGTHS.rrn) }),
    ...(approval_code !== null && { DE38: approval_code.padEnd(LENGTHS.approval_code) }),
    ...(id !== undefined && { DE42: id.padEnd(LENGTHS.acceptor) }),
  }
}

export type Returned = {
  file_id: string
  number: number
  kind: RecordKind
  credit: boolean
  note: string
  money: Money
  content: Members
}

const RETURN_OF_FEE = '780'
const FEE = '700'

/** 1740: gets what the network took with a record (19), or gives what it paid (29). */
export function returnOf(of: Returned, institution: string, now: Date): Members | undefined {
  const { content, kind, credit, note, money, file_id, number } = of
  const amounts = moneyOf(money)
  if (amounts === undefined) return undefined
  return checked({
    MTI: '1740',
    ...those(content, ['DE31', 'DE37']),
    ...amounts,
    DE3: credit ? '290000' : '190000',
    DE24: kind === 'FEE' ? RETURN_OF_FEE : FEE,
    DE72: plain(note),
    DE73: dateOf(now),
    ...destinationOf(content),
    DE94: institution,
    PDS0137: `${referenceOf(file_id)}${String(number).padStart(AMOUNT_DIGITS - 2, '0')}`,
  })
}
