/** One batch is one transaction: gather under locks, decide without I/O, write, commit. */

import { randomInt } from 'node:crypto'
import { writeLedger } from '#issuing/ledger/ledger.ts'
import { mergeSettings } from '#issuing/tenants/tenants.ts'
import { present } from '#issuing/transactions/rules.ts'
import type { Transaction } from '#issuing/transactions/schema.ts'
import { writeTransactions } from '#issuing/transactions/transactions.ts'
import {
  findCardsByNumber,
  keySets,
  lockPins,
  type NumberOwner,
  revealNumbers,
  savePinFailures,
} from '#issuing/vault/vault.ts'
import type { Services } from '#kit/callers.ts'
import type { Context, Tx } from '#kit/context.ts'
import { transact } from '#kit/context.ts'
import { keepAnswers } from '#kit/idempotency.ts'
import { emitSequenced } from '#kit/outbox.ts'
import type { Keep } from '#kit/route.ts'
import { newId } from '#lib/id.ts'
import { addCredited, gatherCredited } from './credit_store.ts'
import { messageFingerprint } from './fingerprint.ts'
import { Book } from './rules/book.ts'
import { bringsPin } from './rules/checks.ts'
import { decide } from './rules/decide.ts'
import type { CardEvidence, KeptPin, KeySet, OpenTransaction, Secret } from './rules/evidence.ts'
import { kindOf } from './rules/kinds.ts'
import { earlyReversalKey, earlyReversalsOf, type MessageName } from './rules/message_keys.ts'
import { bringsCardData } from './rules/proofs.ts'
import { Tries } from './rules/tries.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from './schema.ts'
import {
  gatherCards,
  gatherMessages,
  gatherOriginals,
  gatherTenant,
  gatherTokens,
  insertMessages,
  lockAccounts,
} from './store.ts'
import { lockTries, saveTries } from './tries_store.ts'

/** A request with the idempotent answer that is to be kept with its effect, if any (D-10). */
export type Job = {
  request: AuthorizationRequest
  keep?: Keep
  /** Is given the transaction as it stands after the request, before the batch is committed. */
  shown?: (transaction: Transaction) => void
}

/** Where the number was a token's, with the token. */
type Placed = Job & { card_id: string | undefined; token_id: string | undefined }

/** A batch has its instant from its tenant's row (D-350); nothing before that asks for it. */
const NO_TIME = new Date(0)

/** The network's own bytes are held to the instant of their decision, not of their arrival. */
export async function runBatch(
  services: Services,
  tenant_id: string,
  jobs: readonly Job[],
): Promise<AuthorizationAnswer[]> {
  const actor = { kind: 'network', id: 'engine' } as const
  const ctx: Context = { ...services, tenant_id, now: NO_TIME, actor }
  return transact(ctx, async (tx) => {
    const placed = await placeCards(tx, jobs)
    const { book, ...gathered } = await gather(tx, placed)
    const answers = placed.map((job) =>
      decide(book, {
        request: job.request,
        id: newId(),
        approval_code: makeApprovalCode(),
        ...evidenceOf(job, gathered),
        fingerprint: messageFingerprint(tx, job.request),
        late: performance.now() > (job.request.deadline ?? Number.POSITIVE_INFINITY),
      }),
    )
    await write({ ...tx, now: book.now }, book, gathered.tries, placed, answers)
    return answers
  })
}

/** Finds the cards of the numbers; an id that the caller knows is taken as it is. */
async function placeCards(tx: Tx, jobs: readonly Job[]): Promise<Placed[]> {
  const pans = jobs.flatMap(({ request: { card } }) => ('pan' in card ? [card.pan] : []))
  const found = pans.length === 0 ? [] : await findCardsByNumber(tx, pans)
  let at = 0
  return jobs.map((job) => {
    const { card } = job.request
    const owner: NumberOwner | undefined = 'pan' in card ? found[at++] : card
    return { ...job, card_id: owner?.card_id, token_id: owner?.token_id }
  })
}

async function gather(tx: Tx, placed: readonly Placed[]) {
  const card_ids = [...new Set(placed.flatMap(({ card_id }) => card_id ?? []))]
  const originals = originalsOf(placed)
  const withPin = placed.filter(({ request }) => bringsPin(request))
  const [accounts, pins, tenant, tokens, numbers, cards, messages, named, credited] =
    await Promise.all([
      lockAccounts(tx, card_ids, originals.ids),
      gatherPins(tx, withPin),
      gatherTenant(tx),
      gatherTokens(tx, unique(placed.map(({ token_id }) => token_id))),
      gatherNumbers(tx, withPin),
      gatherCards(tx, card_ids),
      gatherMessages(tx, messageKeysOf(placed)),
      gatherOriginals(tx, originals),
      gatherCredited(tx, unique(placed.map(creditedCard))),
    ])
  const { now } = tenant
  const settings = mergeSettings(tenant.settings)
  const gathered = {
    tenant_id: tx.tenant_id,
    now,
    settings,
    accounts,
    pins,
    transactions: [...(await gatherRefunded(tx, named.transactions)), ...named.transactions],
    messages,
    named: named.named,
    credited,
  }
  const byId = new Map(cards.map((card) => [card.card_id, card]))
  const [keys, unowned] = await Promise.all([
    gatherKeys(tx, placed, byId),
    gatherUnownedTries(tx, placed, byId),
  ])
  return {
    book: new Book(gathered),
    cards: byId,
    tokens: new Map(tokens.map((token) => [token.token_id, token])),
    numbers,
    keys,
    tries: new Tries([...cards, ...unowned]),
  }
}

const creditedCard = ({ request, card_id }: Placed): string | undefined =>
  kindOf(request).direction === 'credit' ? card_id : undefined

const unique = (ids: readonly (string | undefined)[]): string[] => [
  ...new Set(ids.flatMap((id) => id ?? [])),
]

/** Locked after the accounts; only where a message brings a PIN. */
async function gatherPins(tx: Tx, withPin: readonly Placed[]) {
  const card_ids = unique(withPin.map(({ card_id }) => card_id))
  return card_ids.length === 0 ? new Map<string, KeptPin>() : lockPins(tx, card_ids)
}

/** The cards' own numbers, for the PINs of messages that do not name them by it. */
async function gatherNumbers(tx: Tx, withPin: readonly Placed[]): Promise<Map<string, Secret>> {
  const unnamed = withPin.filter(
    ({ request, token_id }) => token_id !== undefined || !('pan' in request.card),
  )
  const card_ids = unique(unnamed.map(({ card_id }) => card_id))
  return card_ids.length === 0 ? new Map() : revealNumbers(tx, card_ids)
}

/** The purchases of refunds that a message of this batch names: it may take the refund back. */
async function gatherRefunded(tx: Tx, named: readonly OpenTransaction[]) {
  const known = new Set(named.map(({ row }) => row.id))
  const ids = named.flatMap(({ row: { transaction_type, reference_transaction_id: id } }) =>
    transaction_type === 'REFUND' && id !== null && !known.has(id) ? [id] : [],
  )
  if (ids.length === 0) return []
  const none = { message_keys: [], by_rrn: [] }
  return (await gatherOriginals(tx, { ids: [...new Set(ids)], ...none })).transactions
}

/** Keys are brought only for cards whose message has something to verify. */
async function gatherKeys(
  tx: Tx,
  placed: readonly Placed[],
  cards: Map<string, CardEvidence>,
): Promise<Map<string, KeySet>> {
  const products = new Set<string>()
  for (const { request, card_id } of placed) {
    const card = card_id === undefined ? undefined : cards.get(card_id)
    const { cvv2, track_cvv } = request
    if (card && (cvv2 || track_cvv || bringsPin(request))) products.add(card.card_product_id)
  }
  return products.size === 0 ? new Map() : keySets(tx, [...products])
}

/**
 * The wrong tries of cards without an account, which no account's lock stands for: locked and read
 * again, where a message brings something to try.
 */
async function gatherUnownedTries(
  tx: Tx,
  placed: readonly Placed[],
  cards: Map<string, CardEvidence>,
) {
  const tried = placed.filter(({ request }) => bringsCardData(request))
  const card_ids = unique(tried.map(({ card_id }) => card_id))
  return lockTries(
    tx,
    card_ids.filter((card_id) => cards.get(card_id)?.account_id === null),
  )
}

type Evidence = Omit<Awaited<ReturnType<typeof gather>>, 'book'>

/** What was gathered for one message. */
function evidenceOf({ request, card_id, token_id }: Placed, gathered: Evidence) {
  const { cards, keys, tokens, numbers, tries } = gathered
  const card = card_id === undefined ? undefined : cards.get(card_id)
  const own = card && numbers.get(card.card_id)
  const given = 'pan' in request.card && token_id === undefined ? request.card.pan : undefined
  return {
    card,
    keys: card && keys.get(card.card_product_id),
    token: token_id === undefined ? undefined : tokens.get(token_id),
    card_number: given ?? own,
    tries,
  }
}

function originalsOf(placed: readonly Placed[]) {
  const ids: string[] = []
  const message_keys: MessageName[] = []
  const by_rrn: { card_id: string; rrn: string }[] = []
  for (const { request, card_id } of placed) {
    const { transaction_id, message_key, rrn } = request.original ?? {}
    if (transaction_id !== undefined) ids.push(transaction_id)
    if (message_key !== undefined) message_keys.push({ message_key, rrn: rrn ?? '' })
    if (rrn !== undefined && card_id !== undefined) by_rrn.push({ card_id, rrn })
  }
  return { ids, message_keys, by_rrn }
}

/** The keys whose stored answers matter: a message's own, and those of reversals before it. */
function messageKeysOf(placed: readonly Placed[]): string[] {
  return placed.flatMap(({ request: { duplicate_key, original }, card_id }) => {
    const { message_key, rrn } = original ?? {}
    return [
      ...(duplicate_key === undefined
        ? []
        : [duplicate_key, ...earlyReversalsOf(duplicate_key, card_id)]),
      ...(message_key === undefined ? [] : [earlyReversalKey(message_key, rrn, card_id)]),
    ]
  })
}

/** Six digits, as the field has it (DE38). */
const makeApprovalCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** Every statement is started at once, so that they travel together; each holds whole arrays. */
async function write(
  tx: Tx,
  book: Book,
  tries: Tries,
  placed: readonly Placed[],
  answers: readonly AuthorizationAnswer[],
): Promise<void> {
  const { created, changed, accountStates: accounts, holdStates: holds, transfers } = book
  // Made first: a failure between started statements would leave theirs to nobody.
  const kept = keptAnswers(book, placed, answers)
  await Promise.all([
    writeTransactions(tx, { created, changed }),
    writeLedger(tx, { accounts, transfers, holds }),
    emitSequenced(tx, book.events),
    insertMessages(tx, book.messages),
    savePinFailures(tx, book.pinFailures),
    addCredited(tx, book.unlinked.changes),
    saveTries(tx, tries.changed),
    keepAnswers(tx, kept),
  ])
}

function keptAnswers(
  book: Book,
  placed: readonly Placed[],
  answers: readonly AuthorizationAnswer[],
) {
  return placed.flatMap(({ keep, shown }, at) => {
    const row = book.transaction(answers[at]?.transaction_id)
    if (shown && row) shown(present(row))
    if (!keep || !row) return []
    return [{ key: keep.key, ...keep.finish(present(row)) }]
  })
}
