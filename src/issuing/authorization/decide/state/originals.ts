/**
 * The transactions of a batch by the names that messages give them: id, DE90, or retrieval
 * reference. A message acts only on transactions of its own card (D-310).
 */

import { isTakenBackUnsent, type TransactionRow } from '#issuing/transactions/rules.ts'
import { timeOfId } from '#lib/id.ts'
import type { OriginalReference } from '../../schema.ts'
import type { OpenTransaction } from '../rows.ts'
import {
  isBeforeLookUp,
  isForgotten,
  isNamedBy,
  isOfAny,
  nameOfMessage,
  withoutAcquirer,
} from './message_keys.ts'
import { isOfPart } from './undone.ts'

/** A message that DE90 may name. */
type Named = { transaction_id: string; rrn: string }

/**
 * A transaction that a message may refer to, with the retrieval reference of the message that made
 * or changed it.
 */
type Candidate = { open: OpenTransaction; rrn?: string }

type Condition = (row: TransactionRow) => boolean
const ANY: Condition = () => true

export class Originals {
  readonly #transactions = new Map<string, OpenTransaction>()
  readonly #byMessage = new Map<string, Named[]>()
  /** Transactions by card and retrieval reference. */
  readonly #byReference = new Map<string, Map<string, OpenTransaction[]>>()
  /** The names of messages by the same without its acquirer. */
  readonly #byAny = new Map<string, Set<string>>()
  readonly #byCard = new Map<string, OpenTransaction[]>()

  add(open: OpenTransaction): void {
    const { id, card_id, rrn } = open.row
    this.#transactions.set(id, open)
    if (card_id === null) return
    const all = this.#byCard.get(card_id)
    if (all) all.push(open)
    else this.#byCard.set(card_id, [open])
    if (rrn === null) return
    const ofCard = this.#byReference.get(card_id) ?? new Map<string, OpenTransaction[]>()
    this.#byReference.set(card_id, ofCard)
    const known = ofCard.get(rrn)
    if (known) known.push(open)
    else ofCard.set(rrn, [open])
  }

  /** The message of this duplicate key made or changed that transaction. */
  name(duplicate_key: string, transaction_id: string): void {
    const name = nameOfMessage(duplicate_key)
    if (!name) return
    const { message_key, rrn } = name
    const known = this.#byMessage.get(message_key) ?? []
    if (known.some((one) => one.rrn === rrn)) return
    known.push({ transaction_id, rrn })
    this.#byMessage.set(message_key, known)
    const any = withoutAcquirer(message_key)
    const names = this.#byAny.get(any) ?? new Set()
    this.#byAny.set(any, names.add(message_key))
  }

  /**
   * The reference with the acquirer of the message that it names, if DE90 leaves it open and one
   * message of the card is meant: among several that with its retrieval reference (D-1035).
   */
  withAcquirer(
    original: OriginalReference | undefined,
    card_id: string | undefined,
  ): OriginalReference | undefined {
    const { message_key } = original ?? {}
    if (!original || message_key === undefined || !isOfAny(message_key)) return original
    const names = [...(this.#byAny.get(message_key) ?? [])].flatMap((name) =>
      this.#named({ message_key: name }, card_id).map(({ rrn }) => ({ name, rrn })),
    )
    const same = names.filter(({ rrn }) => rrn === original.rrn)
    const [meant, ...others] = new Set((same.length > 0 ? same : names).map(({ name }) => name))
    return meant === undefined || others.length > 0 ? original : { ...original, message_key: meant }
  }

  /**
   * The transaction of the card that has the approval code of the message, for one whose DE90 and
   * DE37 name nothing: one that is held first, then the newest (D-1035).
   */
  findApproved(
    original: OriginalReference | undefined,
    card_id: string | undefined,
    isAlike: Condition,
  ): OpenTransaction | undefined {
    if (original?.approval_code === undefined || card_id === undefined) return undefined
    const { approval_code } = original
    const approved = (this.#byCard.get(card_id) ?? []).filter(
      (open) => hasCode(open.row, approval_code) && isInForce(open) && isAlike(open.row),
    )
    return approved.findLast(({ row }) => row.held > 0n) ?? approved.at(-1)
  }

  get(id: string | undefined): OpenTransaction | undefined {
    return id === undefined ? undefined : this.#transactions.get(id)
  }

  /**
   * The transaction that a message names. If several messages have one DE90, the one with the same
   * retrieval reference is meant, and none if that leaves several. Without DE90 the newest of the
   * reference that `fits` is meant, then any that was not declined, then one that was, among those
   * that `mayBe` accepts.
   */
  find(
    original: OriginalReference | undefined,
    card_id: string | undefined,
    fits: Condition = ANY,
    mayBe: Condition = ANY,
  ): OpenTransaction | undefined {
    if (!original) return undefined
    const named = this.#named(original, card_id)
    if (named.length > 0) {
      const meant = chosen(named, original)
      if (meant && isInForce(meant)) return meant
      const instead = this.#standIn(original, card_id, named)
      return instead ?? (this.#isOfOther(original, card_id) ? undefined : meant)
    }
    const same = this.#ofReference(original, card_id).filter(
      (open) => isApproved(open, original) && !isOfPart(open.row) && mayBe(open.row),
    )
    const honoured = same.filter(isInForce)
    const found = honoured.findLast(({ row }) => fits(row)) ?? honoured.at(-1)
    return found ?? (this.#isOfOther(original, card_id) ? undefined : same.at(-1))
  }

  /**
   * The network has stood in for us and names another approval code: that of an advice which has
   * not come yet. A request that we declined is not meant (D-529).
   */
  #isOfOther(original: OriginalReference, card_id: string | undefined): boolean {
    return (
      original.approval_code !== undefined &&
      this.#ofReference(original, card_id).some((open) => isInForce(open) && isAdvised(open))
    )
  }

  /**
   * The transaction that the network approved in our place, if DE90 names a request that we
   * declined or whose approval never left us, or if the approval code is not that of our answer
   * (D-529).
   */
  #standIn(
    original: OriginalReference,
    card_id: string | undefined,
    named: readonly Candidate[],
  ): OpenTransaction | undefined {
    const isOurs = named.some(({ open }) => isInForce(open) && isApproved(open, original))
    if (isOurs) return undefined
    return this.#ofReference(original, card_id).findLast(
      (open) => isInForce(open) && isAdvised(open) && isApproved(open, original),
    )
  }

  /**
   * The transaction that a reversal names. DE90 names one message, the retrieval reference all of a
   * payment: if the message is not known, a search by reference would take back the effect of
   * another message of the payment. Among several messages of the card under one DE90 only one with
   * the reversal's own retrieval reference is meant; a single one is, whatever reference the
   * reversal has. `now` is real time, milliseconds since 1970.
   */
  findReversed(
    original: OriginalReference | undefined,
    card_id: string | undefined,
    { fits, now }: { fits: Condition; now: number },
  ): OpenTransaction | undefined {
    if (original?.message_key === undefined) return this.find(original, card_id, fits)
    const named = this.#named(original, card_id)
    if (named.length === 0) return this.#forgotten(original, card_id, fits, now)
    if (named.length === 1) return chosen(named, original)
    const { rrn: of } = original
    const same = named.filter(({ rrn }) => of === undefined || !rrn || rrn === of)
    return chosen(same, original)
  }

  /**
   * A hold may last longer than messages are looked up by their keys (D-406). Then the transaction
   * of this reference that the message made is meant or, if the message is older than that, the one
   * that a completion would find (D-530).
   */
  #forgotten(
    original: OriginalReference & { message_key?: string },
    card_id: string | undefined,
    fits: Condition,
    now: number,
  ): OpenTransaction | undefined {
    const { message_key = '', rrn, approval_code } = original
    const made = this.#ofReference(original, card_id).filter(({ row }) =>
      isNamedBy(nameOfMessage(row.message?.key ?? '')?.message_key ?? '', message_key),
    )
    if (made.length > 0)
      return chosen(
        made.map((open) => ({ open })),
        original,
      )
    if (rrn === undefined || !isForgotten(message_key, now)) return undefined
    const named = { rrn, ...(approval_code !== undefined && { approval_code }) }
    const isOld = ({ id, held }: TransactionRow) => held > 0n && isBeforeLookUp(timeOfId(id), now)
    const isMeant = (row: TransactionRow) => isOld(row) && fits(row)
    const found = this.find(named, card_id, isMeant)
    return found && isMeant(found.row) ? found : undefined
  }

  /**
   * All transactions of the payment that a message belongs to: those that DE90 names first, then
   * oldest first.
   */
  ofPayment(
    original: OriginalReference | undefined,
    card_id: string | undefined,
  ): OpenTransaction[] {
    if (!original) return []
    const named = chosen(this.#named(original, card_id), original)
    return [...new Set([...(named ? [named] : []), ...this.#ofReference(original, card_id)])]
  }

  /** The retrieval reference of the message that DE90 names, whatever the naming one has. */
  rrnOfNamed(
    original: OriginalReference | undefined,
    card_id: string | undefined,
  ): string | undefined {
    const named = original ? this.#named(original, card_id) : []
    return (named.find(({ rrn }) => rrn === original?.rrn) ?? named[0])?.rrn
  }

  /**
   * The transactions with the id or DE90, of the message's card: those of other cards do not match.
   */
  #named(original: OriginalReference, card_id: string | undefined): Candidate[] {
    const { transaction_id, message_key } = original
    const named =
      transaction_id === undefined
        ? (this.#byMessage.get(message_key ?? '') ?? [])
        : [{ transaction_id }]
    return named.flatMap(({ transaction_id, ...name }) => {
      const open = this.#transactions.get(transaction_id)
      return open?.row.card_id === (card_id ?? null) && open ? [{ open, ...name }] : []
    })
  }

  #ofReference({ rrn }: OriginalReference, card_id: string | undefined): OpenTransaction[] {
    if (rrn === undefined || card_id === undefined) return []
    return this.#byReference.get(card_id)?.get(rrn) ?? []
  }
}

/**
 * The candidate with the approval code and retrieval reference; undefined if that leaves none or
 * several.
 */
function chosen(
  candidates: readonly Candidate[],
  original: OriginalReference,
): OpenTransaction | undefined {
  const approved = candidates.filter(({ open }) => isApproved(open, original))
  const same = approved.filter(({ rrn }) => rrn === original.rrn)
  const [first, ...others] = new Set((same.length > 0 ? same : approved).map(({ open }) => open))
  return others.length === 0 ? first : undefined
}

/**
 * Whether the approval code is ours or that of an advice. A declined message has none to compare.
 */
export const isApproved = (
  { row }: OpenTransaction,
  { approval_code }: { approval_code?: string | undefined },
): boolean =>
  approval_code === undefined || row.approval_code === null || hasCode(row, approval_code)

const hasCode = (row: TransactionRow, approval_code: string): boolean =>
  approval_code === row.approval_code ||
  row.events.some((event) => event.approval_code === approval_code)

/** Neither declined nor taken back by the platform without the network's knowledge. */
const isInForce = ({ row }: OpenTransaction): boolean =>
  row.status !== 'DECLINED' && !isTakenBackUnsent(row)

const isAdvised = ({ row }: OpenTransaction): boolean =>
  row.events.some(({ message_type }) => message_type === '0120')
