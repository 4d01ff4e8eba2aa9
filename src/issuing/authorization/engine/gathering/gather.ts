/** The data that a batch needs, read before anything is decided. */

import { findChips } from '#issuing/chips/chips.ts'
import { stoppedAmong } from '#issuing/stop_orders/stop_orders.ts'
import { mergeSettings } from '#issuing/tenants/tenants.ts'
import type { KeptPin, KeySet } from '#issuing/vault/schema.ts'
import { findPins, keySets, lockFreePins, revealNumbers } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import type { Secret } from '#lib/secret.ts'
import { hasChipToCheck } from '../../decide/checks/chip.ts'
import { hasPinToCheck, needsKeys } from '../../decide/checks/proofs.ts'
import { nameOfPayment } from '../../decide/checks/stop_orders.ts'
import { ratesByKey } from '../../decide/money/billing.ts'
import type { HeldCard, OpenTransaction } from '../../decide/rows.ts'
import type { NewMessage } from '../../decide/state/gathered.ts'
import { earlyReversalKey, isNamedBy, nameOfMessage } from '../../decide/state/message_keys.ts'
import { isReversible } from '../../decide/state/unanswered.ts'
import { isRaised } from '../../decide/state/undone.ts'
import { type Pending, place } from '../pending.ts'
import {
  findTenantSettings,
  heldCards,
  listAccountsOf,
  listCards,
  listTokens,
  lockFreeAccounts,
} from '../store/cards.ts'
import { listUnlinkedCredits } from '../store/credits.ts'
import { listRefsOf, withLists } from '../store/lists.ts'
import { listAnswered, listMessages } from '../store/messages.ts'
import { listApproved, listOriginals } from '../store/originals.ts'
import type { Products } from '../store/products.ts'
import { gatherLimits } from './gather_limits.ts'
import {
  approvalsNamed,
  creditedCard,
  messageKeysOf,
  originalsOf,
  ownerOfChip,
  pairsOf,
  stoppablePayment,
  unique,
} from './named_rows.ts'
import type { Reading } from './reading.ts'

/** Finds the cards of the numbers; an id that the caller knows is used as it is. */
async function placeCards(
  ctx: Context,
  { owners }: Products,
  taken: readonly Pending[],
): Promise<void> {
  const pans = taken.flatMap(({ request: { card } }) => ('pan' in card ? [card.pan] : []))
  const found = pans.length === 0 ? [] : await owners.find(ctx, pans)
  let at = 0
  for (const pending of taken) {
    const { card } = pending.request
    place(pending, 'pan' in card ? found[at++] : card)
  }
}

/** All that was read for a batch, before the writes of the batches before it are added. */
export type ReadBatch = Awaited<ReturnType<typeof gather>>

/**
 * Reads everything for a batch. Cards and accounts are read first, in one statement; all that
 * belongs to them is read afterwards, so that it is never older than the version of the account.
 */
export async function gather(reading: Reading, products: Products, taken: readonly Pending[]) {
  const { ctx } = reading
  await placeCards(ctx, products, taken)
  const rows = await readRows(reading, taken, products.hasLimits(ctx))
  const { free, others, cards, pins, busy, tenant, tokens, numbers, messages, named } = rows
  const known = [...others, ...cards.flatMap(({ account }) => account ?? [])]
  const locked = free && new Set(free.map(({ id }) => id))
  const accounts = locked ? known.filter(({ id }) => locked.has(id)) : known
  const [terms, refunded, taken_back, answered, rates, approved] = await Promise.all([
    products.find(ctx, unique(cards.map(({ columns }) => columns.card_product_id))),
    gatherRefunded(ctx, named.transactions),
    gatherTakenBack(ctx, taken, named),
    listAnswered(ctx, answeredAmong(taken, messages)),
    products.findRates(ctx, pairsOf(taken, cards)),
    gatherApproved(ctx, taken, named),
  ])
  const found = heldCards(cards, terms)
  const lists = await products.findLists(ctx, listRefsOf(found.values()))
  const held = withLists(found, lists)
  const originals = [...approved, ...named.transactions]
  const [keys, { siblings, ...limits }] = await Promise.all([
    gatherKeys(ctx, taken, held),
    gatherLimits(reading, products, cards, terms, { accounts, originals }),
  ])
  return {
    tenant_id: ctx.tenant_id,
    now: tenant.now,
    settings: Object.freeze(mergeSettings(tenant.settings)),
    stored_settings: tenant.settings,
    signing: tenant,
    subscribers: tenant.subscribers,
    // An account of the batch is as it was read with its cards, not later.
    accounts: [...siblings, ...accounts],
    pins,
    numbers,
    taken,
    ...limits,
    credited: rows.credited,
    chips: rows.chips,
    transactions: [...refunded, ...originals],
    messages: [...messages, ...taken_back, ...answered],
    named: named.named,
    products: [...terms.values()],
    keys,
    lists,
    stopped: new Set(rows.stopped.map(nameOfPayment)),
    applied_rates: rates,
    rates: ratesByKey(rates),
    aside: free ? asideOf(taken, { free, busy, cards: held, originals: named.transactions }) : NONE,
    cards: held,
    known_cards: new Set(cards.map(({ card_id }) => card_id)),
    tokens: new Map(tokens.map((token) => [token.token_id, token])),
    tries: cards,
  }
}

/** The rows that the messages themselves name, in one round trip. */
async function readRows(reading: Reading, taken: readonly Pending[], counters: boolean) {
  const { ctx } = reading
  const card_ids = unique(taken.map(({ card_id }) => card_id))
  const originals = originalsOf(taken)
  const withPin = taken.filter(({ request }) => hasPinToCheck(request))
  const [free, others, cards, { pins, busy }, tenant, tokens, numbers, messages, named, ...rest] =
    await Promise.all([
      reading.locking ? lockFreeAccounts(reading.ctx, card_ids, originals.ids) : undefined,
      listAccountsOf(ctx, originals.ids),
      listCards(ctx, card_ids, { counters }),
      gatherPins(reading, withPin),
      findTenantSettings(ctx),
      listTokens(ctx, unique(taken.map(({ token_id }) => token_id))),
      gatherNumbers(ctx, withPin),
      listMessages(ctx, messageKeysOf(taken)),
      listOriginals(ctx, originals),
      listUnlinkedCredits(ctx, unique(taken.map(creditedCard))),
      stoppedAmong(ctx, taken.flatMap(stoppablePayment)),
      findChips(ctx, unique(taken.map(ownerOfChip))),
    ])
  const [credited, stopped, chips] = rest
  const read = { free, others, cards, pins, busy, tenant, tokens, numbers, messages, named }
  return { ...read, credited, stopped, chips }
}

const NONE: ReadonlySet<number> = new Set()

type Locked = {
  free: readonly { id: string }[]
  busy: ReadonlySet<string>
  cards: ReadonlyMap<string, HeldCard>
  originals: readonly OpenTransaction[]
}

/**
 * The messages whose account or PIN is locked by another session, and those of the same card that
 * come after them. A request that is late needs neither: it is declined (1889).
 */
function asideOf(taken: readonly Pending[], locked: Locked): Set<number> {
  const { busy, cards } = locked
  const free = new Set(locked.free.map(({ id }) => id))
  const owners = new Map(locked.originals.map(({ row }) => [row.id, row.account_id]))
  const isLocked = (account_id: string | null | undefined) =>
    account_id !== null && account_id !== undefined && !free.has(account_id)
  const waiting = new Set<string>()
  const aside = new Set<number>()
  for (const [at, { request, card_id = '', late }] of taken.entries()) {
    if (late) continue
    const { transaction_id = '' } = request.original ?? {}
    const isBusy =
      waiting.has(card_id) ||
      isLocked(cards.get(card_id)?.card.account_id) ||
      isLocked(owners.get(transaction_id)) ||
      (busy.has(card_id) && hasPinToCheck(request))
    if (!isBusy) continue
    aside.add(at)
    if (card_id !== '') waiting.add(card_id)
  }
  return aside
}

/** Locked after the accounts; only if a message contains a PIN. */
async function gatherPins(reading: Reading, withPin: readonly Pending[]) {
  const card_ids = unique(withPin.map(({ card_id }) => card_id))
  const busy = new Set<string>()
  if (card_ids.length === 0) return { pins: new Map<string, KeptPin>(), busy }
  if (reading.locking) return lockFreePins(reading.ctx, card_ids)
  return { pins: await findPins(reading.ctx, card_ids), busy }
}

/** The cards' own numbers, for the PINs of messages that do not contain them. */
async function gatherNumbers(
  tx: Context,
  withPin: readonly Pending[],
): Promise<Map<string, Secret>> {
  const unnamed = withPin.filter(
    ({ request, token_id }) => token_id !== undefined || !('pan' in request.card),
  )
  const card_ids = unique(unnamed.map(({ card_id }) => card_id))
  return card_ids.length === 0 ? new Map() : revealNumbers(tx, card_ids)
}

/** The purchases of refunds that a message of this batch names: it may take the refund back. */
async function gatherRefunded(tx: Context, named: readonly OpenTransaction[]) {
  const known = new Set(named.map(({ row }) => row.id))
  const ids = named.flatMap(({ row: { transaction_type, reference_transaction_id: id } }) =>
    transaction_type === 'REFUND' && id !== null && !known.has(id) ? [id] : [],
  )
  if (ids.length === 0) return []
  const none = { message_keys: [], by_rrn: [] }
  return (await listOriginals(tx, { ids: [...new Set(ids)], ...none })).transactions
}

/** The approvals that messages name by their codes alone (D-1035). */
async function gatherApproved(
  tx: Context,
  taken: readonly Pending[],
  named: Awaited<ReturnType<typeof listOriginals>>,
): Promise<OpenTransaction[]> {
  const wanted = approvalsNamed(taken, named)
  if (wanted.length === 0) return []
  const known = new Set(named.transactions.map(({ row }) => row.id))
  return (await listApproved(tx, wanted)).filter(({ row }) => !known.has(row.id))
}

/** The approvals that are repeated, or reversed by the platform for want of an answer (D-528). */
function answeredAmong(taken: readonly Pending[], messages: readonly NewMessage[]): string[] {
  const stored = new Map(messages.map(({ key, answer }) => [key, answer]))
  return unique(
    taken.flatMap(({ request, reverses }) => {
      if (reverses) return reverses.message_key
      const answer = stored.get(request.duplicate_key ?? '')
      return answer && isReversible(request, answer) ? request.duplicate_key : undefined
    }),
  )
}

/**
 * The messages that reversals name, of which each did a part: completions, and requests if several
 * made one hold. With it whether the completions were reversed before, by reversals with another
 * reference than theirs.
 */
async function gatherTakenBack(
  tx: Context,
  taken: readonly Pending[],
  { transactions, named }: Awaited<ReturnType<typeof listOriginals>>,
) {
  const raised = new Set(transactions.filter(({ row }) => isRaised(row)).map(({ row }) => row.id))
  const parts = [...named].flatMap(([key, id]) => {
    const isPart = key.startsWith('0220|') || raised.has(id)
    return (isPart && nameOfMessage(key)) || []
  })
  const keys = taken.flatMap(({ request: { original }, card_id }) =>
    parts
      .filter(({ message_key }) => isNamedBy(message_key, original?.message_key))
      .flatMap(({ message_key, rrn }) => [
        `${message_key}|${rrn}`,
        earlyReversalKey(message_key, rrn, card_id),
      ]),
  )
  const unanswered = taken.map(({ reverses }) => reverses?.message_key)
  return listMessages(tx, unique([...keys, ...unanswered]))
}

/** Keys are read only for cards whose message has something to verify. */
async function gatherKeys(
  tx: Context,
  taken: readonly Pending[],
  cards: ReadonlyMap<string, HeldCard>,
): Promise<Map<string, KeySet>> {
  const products = new Set<string>()
  for (const pending of taken) {
    const held = cards.get(pending.card_id ?? '')
    const isNeeded = needsKeys(pending.request) || hasChipToCheck(pending)
    if (held && isNeeded) products.add(held.card.card_product_id)
  }
  return products.size === 0 ? new Map() : keySets(tx, [...products])
}
