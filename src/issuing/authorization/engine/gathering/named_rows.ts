/** The messages of a batch with their cards, and the keys of the rows to read for them. Pure. */

import type { CurrencyPair } from '#issuing/rates/rates.ts'
import { isCurrency } from '#lib/currency.ts'
import { hasChipToCheck } from '../../decide/checks/chip.ts'
import { type CardPayment, stoppableMerchant } from '../../decide/checks/stop_orders.ts'
import type { OpenTransaction } from '../../decide/rows.ts'
import {
  earlyReversalKey,
  earlyReversalsOf,
  isNamedBy,
  type MessageName,
  nameOfMessage,
  usedAavKey,
} from '../../decide/state/message_keys.ts'
import type { Pending } from '../pending.ts'
import type { GatheredCard } from '../store/cards.ts'
import type { ApprovalOfCard, Reference } from '../store/originals.ts'

/** A payment that a stop order may be about. */
export function stoppablePayment(pending: Pending): CardPayment[] {
  const { card_id } = pending
  const merchant_id = stoppableMerchant(pending)
  return card_id === undefined || merchant_id === undefined ? [] : [{ card_id, merchant_id }]
}

/** The currencies of messages that are not those of their accounts. */
export function pairsOf(taken: readonly Pending[], cards: readonly GatheredCard[]): CurrencyPair[] {
  const accounts = new Map(cards.map(({ card_id, account }) => [card_id, account?.currency]))
  return taken.flatMap(({ request: { currency: from }, card_id = '' }) => {
    const to = accounts.get(card_id)
    return to === undefined || to === from || !isCurrency(from) ? [] : [{ from, to }]
  })
}

export const creditedCard = ({ kind, card_id }: Pending): string | undefined =>
  kind.direction === 'credit' ? card_id : undefined

/** The card, or the token by whose number the message names it. */
export const ownerOfChip = (pending: Pending): string | undefined =>
  hasChipToCheck(pending) ? (pending.token_id ?? pending.card_id) : undefined

export const unique = (ids: readonly (string | undefined)[]): string[] => [
  ...new Set(ids.flatMap((id) => id ?? [])),
]

export function originalsOf(taken: readonly Pending[]) {
  const ids: string[] = []
  const message_keys: MessageName[] = []
  const by_rrn: Reference[] = []
  for (const { request, kind, card_id } of taken) {
    const { transaction_id, message_key, rrn } = request.original ?? {}
    if (transaction_id !== undefined) ids.push(transaction_id)
    if (message_key !== undefined) message_keys.push({ message_key, rrn: rrn ?? '' })
    if (rrn === undefined || card_id === undefined) continue
    const isNew = request.message_type === '0100' && kind.direction === 'debit'
    by_rrn.push({ card_id, rrn, isNew })
  }
  return { ids, message_keys, by_rrn }
}

type Named = { transactions: readonly OpenTransaction[]; named: ReadonlyMap<string, string> }

/**
 * The approvals that completions and reversals name by card and code, where neither DE90 nor DE37
 * names anything of the card (D-1035).
 */
export function approvalsNamed(
  taken: readonly Pending[],
  { transactions, named }: Named,
): ApprovalOfCard[] {
  const owners = new Map(transactions.map(({ row }) => [row.id, row.card_id]))
  const names = [...named].map(([key, id]) => ({
    message_key: nameOfMessage(key)?.message_key ?? '',
    card_id: owners.get(id),
  }))
  return taken.flatMap(({ request: { original = {}, message_type }, card_id }) => {
    const { transaction_id, message_key, rrn, approval_code } = original
    const mayBe = approval_code !== undefined && LATER.has(message_type)
    if (!mayBe || card_id === undefined || transaction_id !== undefined) return []
    const isKnown =
      transactions.some(({ row }) => row.card_id === card_id && row.rrn === rrn) ||
      names.some((one) => one.card_id === card_id && isNamedBy(one.message_key, message_key))
    return isKnown ? [] : { card_id, approval_code }
  })
}

const LATER: ReadonlySet<string> = new Set(['0220', '0400', '0420'])

/**
 * The keys whose stored answers matter: a message's own, those of reversals before it, and that of
 * the value that proves it.
 */
export function messageKeysOf(taken: readonly Pending[]): string[] {
  return taken.flatMap(({ request: { duplicate_key, original, aav }, card_id }) => {
    const { message_key, rrn } = original ?? {}
    return [
      ...(duplicate_key === undefined
        ? []
        : [duplicate_key, ...earlyReversalsOf(duplicate_key, card_id)]),
      ...(message_key === undefined ? [] : [earlyReversalKey(message_key, rrn, card_id)]),
      ...(aav === undefined ? [] : [usedAavKey(aav)]),
    ]
  })
}
