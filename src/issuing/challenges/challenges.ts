/** Public functions of challenges: a cardholder confirms a payment before it is made (D-1090). */

import { AAV_METHOD, makeAav, makeAavByModule } from '#cvv/aav.ts'
import { emit } from '#events/outbox.ts'
import { type CardRow, findCard } from '#issuing/cards/cards.ts'
import { findProduct } from '#issuing/products/products.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { findUser } from '#issuing/users/users.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import { findCardsByNumber, keepAavKey, keySets } from '#issuing/vault/vault.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { asInvalid, invalid } from '#kit/http/answers/problems.ts'
import { listPage } from '#kit/http/lists.ts'
import { isCurrency } from '#lib/currency.ts'
import { newId } from '#lib/id.ts'
import { parseAmount } from '#lib/money.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, CommittedError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import { digestOfCode, newCode } from './code.ts'
import { challengeCreated } from './events.ts'
import { presentChallenge } from './present.ts'
import type { Messenger } from './provider.ts'
import { CHALLENGE_MS, statusOf, TRIES_MAX } from './rules.ts'
import type {
  Challenge,
  ChallengeAnswer,
  ChallengeQuery,
  ChallengeRow,
  NewChallenge,
} from './schema.ts'
import {
  findChallengeRow,
  insertChallenge,
  listChallengeRows,
  updateDecided,
  updateTried,
} from './store.ts'

export type { CodeMailer, Messenger } from './provider.ts'
export { createMessenger } from './sending.ts'

const CODE = /^\d{6}$/

/**
 * Asks the cardholder about a payment. The code goes out behind the commit: however slow its way
 * is, no request waits. Fails with `challenge_not_offered`, `challenge_unreachable`, `id_taken`,
 * and 400 on card, amount and currency.
 */
export function createChallenge(
  ctx: Context | Tx,
  messenger: Messenger,
  input: NewChallenge,
): Promise<Challenge> {
  return transact(ctx, async (tx) => {
    const { card, row: asked } = await newRow(tx, input)
    const { challenge_messenger: way } = await readSettings(tx)
    const email = way === 'MAIL' ? await emailOf(tx, messenger, card) : null
    const code = way === 'NONE' ? undefined : newCode()
    const code_digest = code ? digestOfCode(tx, asked, code) : null
    const sending = code ? 'PENDING' : 'NONE'
    const row: ChallengeRow = { ...asked, messenger: way, sending, code_digest }
    if (!(await insertChallenge(tx, row))) throw new ApiError('id_taken')
    await emit(tx, challengeCreated(row))
    const challenge = presentChallenge(row, tx.now)
    const { tenant_id } = tx
    if (code) tx.afterCommit(() => messenger.send({ tenant_id, challenge, code, email }))
    return challenge
  })
}

/**
 * Records a challenge that another page has asked and the cardholder has passed (D-1177). The
 * events know of none: no app has to ask.
 */
export function recordPassed(ctx: Context | Tx, input: NewChallenge): Promise<Challenge> {
  return transact(ctx, async (tx) => {
    const { row: asked } = await newRow(tx, input)
    const row: ChallengeRow = { ...asked, status: 'PASSED', passed: tx.now }
    if (!(await insertChallenge(tx, row))) throw new ApiError('id_taken')
    return provedChallenge(tx, row)
  })
}

/** A challenge of the card, without a code. The product of the card has the key of AAVs then. */
async function newRow(tx: Tx, input: NewChallenge): Promise<{ card: CardRow; row: ChallengeRow }> {
  const { now } = tx
  const { currency, merchant } = input
  const amount = readAmount(input.amount, currency)
  const card = await cardOf(tx, input)
  await assertOffered(tx, card)
  await keepAavKey(tx, card.card_product_id)
  const row: ChallengeRow = {
    ...{ id: input.id?.toLowerCase() ?? newId(), amount, currency },
    ...{ merchant_id: merchant.id, merchant_name: merchant.name },
    ...{ card_id: card.id, user_id: card.user_id },
    ...{ status: 'PENDING', messenger: 'NONE', sending: 'NONE', code_digest: null, tries: 0 },
    expires: new Date(now.getTime() + CHALLENGE_MS),
    ...{ passed: null, created: now, modified: now },
  }
  return { card, row }
}

/** The access control server of a card network knows a number; a client knows an id. */
async function cardOf(tx: Tx, { card_id, card_number }: NewChallenge): Promise<CardRow> {
  if ((card_id === undefined) === (card_number === undefined)) {
    throw invalid('card_id', 'is needed, or `card_number`, and not both')
  }
  if (card_number === undefined) {
    return findCard(tx, card_id ?? '').catch(asInvalid('card_id', 'does not exist'))
  }
  const [owner] = await findCardsByNumber(tx, [new Secret(card_number)])
  if (!owner) throw invalid('card_number', 'does not exist')
  return findCard(tx, owner.card_id)
}

function readAmount(amount: number | string, currency: string): bigint {
  if (!isCurrency(currency)) throw invalid('currency', 'is not a currency of ISO 4217')
  const parsed = parseAmount(amount, currency)
  if (!parsed.ok) throw invalid('amount', parsed.message)
  return parsed.minor
}

async function assertOffered(tx: Tx, { status, card_product_id }: CardRow): Promise<void> {
  const { otp_3ds } = await findProduct(tx, card_product_id)
  if (!otp_3ds || status !== 'ACTIVE') throw new ApiError('challenge_not_offered')
}

async function emailOf(tx: Tx, { sends_mails }: Messenger, { user_id }: CardRow): Promise<string> {
  const { email } = user_id === null ? {} : await findUser(tx, user_id)
  if (!sends_mails || !email) throw new ApiError('challenge_unreachable')
  return email
}

/**
 * Takes the code that the cardholder typed. A wrong one is counted and the count committed; the
 * third ends the challenge. Fails with `challenge_code_wrong`, `challenge_over`,
 * `challenge_other_payment` and `challenge_without_code`.
 */
export function answerChallenge(
  ctx: Context | Tx,
  id: string,
  answer: ChallengeAnswer,
): Promise<Challenge> {
  return transact(ctx, async (tx) => {
    if (!CODE.test(answer.code)) throw invalid('code', 'must have six digits')
    const asked = await findStored(tx, id)
    assertSamePayment(asked, answer)
    if (asked.messenger === 'NONE' && asked.code_digest === null) {
      throw new ApiError('challenge_without_code')
    }
    const digest = digestOfCode(tx, asked, new Secret(answer.code))
    const row = await updateTried(tx, id, digest)
    if (!row) throw await overOf(tx, id)
    if (row.status !== 'PASSED') {
      throw new CommittedError('challenge_code_wrong', {
        extra: { tries_left: TRIES_MAX - row.tries },
      })
    }
    return provedChallenge(tx, row)
  })
}

function assertSamePayment(asked: ChallengeRow, answer: ChallengeAnswer): void {
  const { amount, currency = asked.currency, merchant_id = asked.merchant_id } = answer
  const isSame =
    currency === asked.currency &&
    merchant_id === asked.merchant_id &&
    (amount === undefined || readAmount(amount, currency) === asked.amount)
  if (!isSame) throw new ApiError('challenge_other_payment')
}

/** The cardholder approves or declines in the client's app. Fails with `challenge_over`. */
export function decideChallenge(
  ctx: Context | Tx,
  id: string,
  status: 'PASSED' | 'DECLINED',
): Promise<Challenge> {
  return transact(ctx, async (tx) => {
    const row = await updateDecided(tx, id, status)
    if (!row) throw await overOf(tx, id)
    return provedChallenge(tx, row)
  })
}

async function overOf(tx: Tx, id: string): Promise<ApiError> {
  const row = await findStored(tx, id)
  return new ApiError('challenge_over', { extra: { status_of_challenge: statusOf(row, tx.now) } })
}

export async function findChallenge(ctx: Context | Tx, id: string): Promise<Challenge> {
  return provedChallenge(ctx, await findStored(ctx, id))
}

/** The challenge as it is answered, with the AAV of one that was passed (D-1091). */
async function provedChallenge(ctx: Context | Tx, row: ChallengeRow): Promise<Challenge> {
  const challenge = presentChallenge(row, ctx.now)
  const { id: challenge_id, passed: made } = row
  if (made === null) return challenge
  const { card_product_id } = await findCard(ctx, row.card_id)
  const keys = (await keySets(ctx, [card_product_id])).get(card_product_id)
  const aav = keys && (await aavOf(ctx, keys, row, { challenge_id, made }))
  return aav ? { ...challenge, authentication_value: aav.reveal() } : challenge
}

type MadeAt = Parameters<typeof makeAav>[2]

/** By the key of the product, which is in software or in a module (D-1372). */
async function aavOf(
  { custody }: Context,
  { aav, aav_mac }: KeySet,
  row: ChallengeRow,
  at: MadeAt,
): Promise<Secret | undefined> {
  if (!aav_mac) return aav && makeAav(aav.key, row, at)
  return makeAavByModule((message) => custody.mac(aav_mac, AAV_METHOD, message), row, at)
}

/** Newest first. */
export async function listChallenges(
  ctx: Context,
  query: ChallengeQuery,
): Promise<Page<Challenge>> {
  const page = await listPage('challenges', query, (range) => listChallengeRows(ctx, query, range))
  return { ...page, data: page.data.map((row) => presentChallenge(row, ctx.now)) }
}

async function findStored(ctx: Context | Tx, id: string): Promise<ChallengeRow> {
  const row = await findChallengeRow(ctx, id)
  if (!row) throw new ApiError('not_found')
  return row
}
