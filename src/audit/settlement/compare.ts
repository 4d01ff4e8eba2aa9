/** Compares the records of a settlement file with the issuer's transactions (D-766). Pure. */

import type { Day } from '../reconciliation/rules/day.ts'
import { isWithin } from '../reconciliation/rules/day.ts'
import type { IssuerTransaction, Posting } from '../reconciliation/rules/model.ts'
import { amountText } from '../reconciliation/rules/words.ts'
import type { Claim } from './read.ts'

/** The sentence of a finding, by its kind. */
export const findingKinds = {
  unknown: 'The issuer has no transaction of the retrieval reference of the record.',
  missing: 'The issuer has the payment of the record, and has not posted the record.',
  other_currency: 'The issuer posted the record in another currency.',
  other_amount: 'The issuer posted the record with another amount.',
  other_day: 'The issuer posted the record on another day.',
  twice: 'The file has the record twice.',
  not_in_file: 'The issuer posted it on the day of the file, and the file does not have it.',
} as const satisfies Record<string, string>
export type FindingKind = keyof typeof findingKinds

type Type = 'CAPTURE' | 'REFUND'
/** The issuer's posting; amounts in minor units. */
type PostedSide = {
  tenant_id: string
  transaction_id: string
  amount: bigint
  currency: string
  time: Date
}

export type Finding = {
  kind: FindingKind
  type: Type
  rrn: string
  /** The record of the file, if it has one. */
  record?: { number: number; stan: string; amount: bigint; currency: string }
  issuer?: PostedSide
  detail: string
}

/**
 * The issuer posts captures and refunds. Its disputes are compared with chargebacks by the
 * reconciliation of the day (D-1371), which knows both sides of each.
 */
type Posted = Claim & { type: Type }
const isPosted = (claim: Claim): claim is Posted =>
  claim.type === 'CAPTURE' || claim.type === 'REFUND'

type Candidate = { transaction: IssuerTransaction; posting: Posting }

/**
 * Around midnight a posting is of one day, and its approval of the next: a request waits 30 s, its
 * answer 5 s, and the first repeats of an advice some minutes.
 */
export const LATE_MS = 5 * 60_000

/** Transactions by their retrieval references. */
export type Transactions = ReadonlyMap<string, readonly IssuerTransaction[]>

/**
 * The comparison of one file. It keeps the keys of the records and the ids of the postings that it
 * has paired.
 */
export class Comparison {
  readonly #day: Day
  readonly #around: Day
  readonly #seen = new Set<string>()
  readonly #paired = new Set<string>()
  #over_midnight = 0

  constructor(day: Day) {
    this.#day = day
    this.#around = {
      from: new Date(day.from.getTime() - LATE_MS),
      to: new Date(day.to.getTime() + LATE_MS),
    }
  }

  /** Postings near midnight that are not in the file: they may be in that of the day beside. */
  get over_midnight(): number {
    return this.#over_midnight
  }

  /** The faults of these records: each gets the posting of its amount, else any of its own. */
  records(claims: readonly Claim[], issuer: Transactions): Finding[] {
    const found: Finding[] = []
    const unpaired: Posted[] = []
    for (const claim of claims) {
      if (!isPosted(claim)) continue
      const { type, rrn, stan, transmitted } = claim
      const key = `${type[0]}${rrn}${stan}${transmitted}`
      if (this.#seen.has(key)) found.push(findingOf('twice', claim))
      else if (this.#pairExactly(claim, issuer, found)) this.#seen.add(key)
      else {
        this.#seen.add(key)
        unpaired.push(claim)
      }
    }
    for (const claim of unpaired) found.push(this.#judge(claim, issuer))
    return found
  }

  /** The issuer's postings of the day that no record has; to be called after all records. */
  left(transactions: readonly IssuerTransaction[]): Finding[] {
    const found: Finding[] = []
    for (const transaction of transactions) {
      for (const posting of transaction.postings) {
        if (!isWithin(this.#day, posting.created) || this.#paired.has(posting.id)) continue
        this.#paired.add(posting.id)
        if (this.#isNearMidnight(posting.created)) this.#over_midnight += 1
        else found.push(lacking({ transaction, posting }))
      }
    }
    return found
  }

  #pairExactly(claim: Posted, issuer: Transactions, found: Finding[]): boolean {
    const same = this.#free(claim, issuer).filter(
      ({ transaction, posting }) =>
        transaction.currency === claim.currency && posting.amount === claim.amount,
    )
    const one = same.find(({ posting }) => isWithin(this.#around, posting.created)) ?? same[0]
    if (!one) return false
    this.#paired.add(one.posting.id)
    if (!isWithin(this.#around, one.posting.created)) found.push(findingOf('other_day', claim, one))
    return true
  }

  #judge(claim: Posted, issuer: Transactions): Finding {
    const [one] = this.#free(claim, issuer)
    if (!one) return findingOf(issuer.has(claim.rrn) ? 'missing' : 'unknown', claim)
    this.#paired.add(one.posting.id)
    const isOtherCurrency = one.transaction.currency !== claim.currency
    return findingOf(isOtherCurrency ? 'other_currency' : 'other_amount', claim, one)
  }

  /** A capture leaves no transaction of its own; a refund is found by its DE11 and DE7. */
  #free({ type, rrn, stan, transmitted }: Posted, issuer: Transactions): Candidate[] {
    const key = `${stan}|${transmitted}`
    const own = (one: IssuerTransaction) =>
      type === 'CAPTURE' ? one.type === 'PURCHASE' : one.type === 'REFUND' && one.key === key
    return (issuer.get(rrn) ?? [])
      .filter(own)
      .flatMap((transaction) =>
        transaction.postings
          .filter(({ id }) => !this.#paired.has(id))
          .map((posting) => ({ transaction, posting })),
      )
  }

  #isNearMidnight(at: Date): boolean {
    const { from, to } = this.#day
    const [after, before] = [at.getTime() - from.getTime(), to.getTime() - at.getTime()]
    return Math.min(after, before) < LATE_MS
  }
}

const NOUN = { CAPTURE: 'capture', REFUND: 'refund' } as const

function findingOf(kind: FindingKind, claim: Posted, one?: Candidate): Finding {
  const { type, rrn, number, stan, amount, currency } = claim
  const what = `The ${NOUN[type]} of ${amountText(claim)}`
  const posted = one && postedOf(one)
  const own = posted && `the issuer posted ${amountText(posted)} at ${posted.time.toISOString()}`
  const details: Record<FindingKind, string> = {
    unknown: `${what} has a retrieval reference that the issuer does not know.`,
    missing: `${what} is of a payment that the issuer has, and the issuer has not posted it.`,
    other_currency: `${what} is in the file, and ${own}.`,
    other_amount: `${what} is in the file, and ${own}.`,
    other_day: `${what} is in the file, and ${own}.`,
    twice: `${what} is in the file for a second time.`,
    not_in_file: '',
  }
  const record = { number, stan, amount, currency }
  return { kind, type, rrn, record, ...(posted && { issuer: posted }), detail: details[kind] }
}

function lacking(one: Candidate): Finding {
  const { type, rrn } = one.transaction
  const entry = type === 'REFUND' ? 'REFUND' : 'CAPTURE'
  const issuer = postedOf(one)
  const what = `a ${NOUN[entry]} of ${amountText(issuer)}`
  const detail = `The issuer posted ${what}, which the file lacks.`
  return { kind: 'not_in_file', type: entry, rrn, issuer, detail }
}

const postedOf = ({ transaction, posting }: Candidate): PostedSide => ({
  tenant_id: transaction.tenant_id,
  transaction_id: transaction.id,
  amount: posting.amount,
  currency: transaction.currency,
  time: posting.created,
})
