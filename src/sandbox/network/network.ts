/**
 * The card network simulated by API calls (D-71): each makes the request of the corresponding
 * network message and submits it to the same engine.
 */

import { type Authorizer, EngineOverloaded } from '#issuing/authorization/authorization.ts'
import type { AuthorizationRequest, MessageType } from '#issuing/authorization/schema.ts'
import type { TransactionRow } from '#issuing/transactions/rules.ts'
import type {
  EntryMode,
  Merchant,
  Transaction,
  TransactionType,
} from '#issuing/transactions/schema.ts'
import { findStoredTransaction, findTransaction } from '#issuing/transactions/transactions.ts'
import type { Context } from '#kit/context.ts'
import { gather } from '#kit/gather.ts'
import { asInvalid, invalid } from '#kit/http/answers/problems.ts'
import type { Keep } from '#kit/http/route.ts'
import { toAlpha3 } from '#lib/country.ts'
import { isCurrency } from '#lib/currency.ts'
import { parseAmount } from '#lib/money.ts'
import { ApiError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import { blockOf, cardOf } from './card_data.ts'
import { assertChip, sendFromChip } from './chip_sale.ts'
import type { SimulatedAuthorization, SimulatedRefund } from './schema.ts'
import { recordSimulation, type WireRecorder } from './wire_record.ts'

/** The card of a transaction without one, because its number was unknown (1018). */
const NO_CARD = '00000000-0000-0000-0000-000000000000'

export type Simulated = {
  engine: Authorizer
  ctx: Context
  keep: Keep | undefined
  /** Null if messages are not recorded. */
  recorder: WireRecorder | null
}

const processingCodes: Readonly<Record<TransactionType, string>> = {
  PURCHASE: '000000',
  WITHDRAWAL: '010000',
  CASH_BACK: '090000',
  ACCOUNT_FUNDING: '100000',
  QUASI_CASH: '110000',
  CASH_DISBURSEMENT: '120000',
  REFUND: '200000',
  DEPOSIT: '210000',
  LOAD: '220000',
  UNLOAD: '230000',
  ORIGINAL_CREDIT: '260000',
  PAYMENT: '280000',
  BALANCE_INQUIRY: '300000',
  VERIFICATION: '330000',
  TRANSFER: '400000',
  UNKNOWN: '990000',
}

/** Network messages of a stored card are recurring as well (DE22 10). */
const STORED_CARD = 'CREDENTIAL_ON_FILE'
const CHIP_ENTRIES: ReadonlySet<EntryMode> = new Set(['CHIP', 'CONTACTLESS'])
const AT_MACHINES: ReadonlySet<TransactionType> = new Set(['WITHDRAWAL', 'DEPOSIT'])

/** The values of a message that all simulations share. */
const blank = {
  three_ds: 'NONE',
  recurring: false,
  partial_capable: false,
  is_verification: false,
  merchant: {},
} as const

export async function simulateAuthorization(
  simulated: Simulated,
  body: SimulatedAuthorization,
): Promise<Transaction> {
  return sendAuthorization(simulated.ctx, body, (request) => simulate(simulated, request))
}

/** Sends the request that the network would send, from a chip with the data of that. */
export async function sendAuthorization<Result>(
  ctx: Context,
  body: SimulatedAuthorization,
  send: (request: AuthorizationRequest) => Promise<Result>,
): Promise<Result> {
  const request = await requestOf(ctx, body)
  const isOfChip = CHIP_ENTRIES.has(request.entry_mode)
  return isOfChip ? sendFromChip(ctx, request, body.chip, send) : send(request)
}

/** Faults of the body are all named at once (D-125). Changes nothing. */
export async function requestOf(
  ctx: Context,
  body: SimulatedAuthorization,
): Promise<AuthorizationRequest> {
  const { entry_mode = 'ECOMMERCE', transaction_type = 'PURCHASE', cvv2, expiry, currency } = body
  const { authentication_value: aav } = body
  const is_verification = transaction_type === 'VERIFICATION'
  const isOfChip = CHIP_ENTRIES.has(entry_mode)
  const hasProof = cvv2 !== undefined || body.pin !== undefined || isOfChip
  const gathered = await gather(
    () => cardOf(ctx, body, hasProof),
    async () => amountOf(body.amount, currency),
    async () => merchantOf(body.merchant),
    async () => assertChip(isOfChip, body.chip),
    async () => assertAuthenticated(body),
  )
  const [card, amount, merchant] = gathered.complete()
  const pin_block = body.pin === undefined ? undefined : await blockOf(ctx, card, body.pin)
  return {
    ...blank,
    message_type: '0100',
    processing_code: processingCodes[transaction_type],
    card,
    amount,
    currency,
    merchant,
    entry_mode,
    pos: { entry_mode, environment: environmentOf(entry_mode, transaction_type) },
    recurring: entry_mode === STORED_CARD,
    ...(cvv2 !== undefined && { cvv2: new Secret(cvv2) }),
    ...(pin_block && { pin_block }),
    ...(expiry !== undefined && { expiry: expiry.replace('-', '').slice(-4) }),
    three_ds: body.three_ds ?? 'NONE',
    ...(aav !== undefined && { aav: new Secret(aav) }),
    partial_capable: body.partial_approval ?? false,
    is_verification,
  }
}

function assertAuthenticated({ three_ds, authentication_value }: SimulatedAuthorization): void {
  if (authentication_value === undefined || three_ds === 'AUTHENTICATED') return
  throw invalid('authentication_value', 'needs `three_ds` AUTHENTICATED')
}

/** Raises the hold of an authorization (D-107). */
export async function simulateIncrement(
  simulated: Simulated,
  id: string,
  amount: number | string,
): Promise<Transaction> {
  return follow(simulated, id, '0100', (original) => ({
    amount: amountOf(amount, original.currency),
  }))
}

/** Releases the whole hold, or an amount. */
export async function simulateReversal(
  simulated: Simulated,
  id: string,
  amount: number | string | undefined,
): Promise<Transaction> {
  return follow(simulated, id, '0420', ({ currency }) => {
    if (amount === undefined) return {}
    const reverse_amount = amountOf(amount, currency)
    if (reverse_amount === 0n) throw invalid('amount', 'must be more than zero')
    return { reverse_amount }
  })
}

/**
 * Clears all that is not cleared yet when it is decided, or an amount. If all is cleared, the
 * engine declines it (1010).
 */
export async function simulateClearing(
  simulated: Simulated,
  id: string,
  amount: number | string | undefined,
): Promise<Transaction> {
  return follow(simulated, id, '0220', (original) =>
    amount === undefined ? { claims_rest: true } : { amount: amountOf(amount, original.currency) },
  )
}

export async function simulateRefund(
  simulated: Simulated,
  body: SimulatedRefund,
): Promise<Transaction> {
  return simulate(simulated, await refundOf(simulated.ctx, body))
}

/** Faults of the body are all named at once (D-125). Changes nothing. */
export async function refundOf(ctx: Context, body: SimulatedRefund): Promise<AuthorizationRequest> {
  const { currency, transaction_id } = body
  const gathered = await gather(
    async () => (transaction_id === undefined ? undefined : namedTransaction(ctx, transaction_id)),
    async () => amountOf(body.amount, currency),
    async () => body.merchant && merchantOf(body.merchant),
    async () => (transaction_id === undefined ? cardOf(ctx, body, false) : undefined),
  )
  const [original, amount, merchant, named] = gathered.complete()
  const originalCard = original?.card_id ? { card_id: original.card_id } : undefined
  const card = originalCard ?? named ?? (await cardOf(ctx, body, false))
  return {
    ...blank,
    message_type: '0200',
    processing_code: processingCodes.REFUND,
    card,
    amount,
    currency,
    merchant: merchant ?? original?.merchant ?? {},
    entry_mode: 'ECOMMERCE',
    pos: { entry_mode: 'ECOMMERCE', environment: 'ECOMMERCE' },
    ...(original && { original: { transaction_id: original.id } }),
  }
}

/** A message about an earlier transaction: members that it lacks come from the original. */
async function follow(
  simulated: Simulated,
  id: string,
  message_type: MessageType,
  changes: (original: TransactionRow) => Partial<AuthorizationRequest>,
): Promise<Transaction> {
  const original = await findStoredTransaction(simulated.ctx, id)
  const { card_id, amount, currency, merchant, pos, transaction_type } = original
  return simulate(simulated, {
    ...blank,
    message_type,
    processing_code: processingCodes[transaction_type],
    card: { card_id: card_id ?? NO_CARD },
    amount,
    currency,
    merchant,
    pos,
    entry_mode: pos.entry_mode,
    recurring: pos.entry_mode === STORED_CARD,
    original: { transaction_id: original.id },
    ...changes(original),
  })
}

async function simulate(
  { engine, ctx, keep, recorder }: Simulated,
  request: AuthorizationRequest,
): Promise<Transaction> {
  let shown: Transaction | undefined
  const since = performance.now()
  const job = {
    request,
    ...(keep && { keep }),
    ...(ctx.audited && { audited: ctx.audited }),
    shown: (transaction: Transaction) => {
      shown = transaction
    },
  }
  const answer = await engine.submit(ctx.tenant_id, job).catch((error: unknown) => {
    if (!(error instanceof EngineOverloaded)) throw error
    throw new ApiError('unavailable', {
      detail: 'Too many requests wait for a decision; try again.',
    })
  })
  // Only a repeat of an earlier request, which changes nothing, has to be read.
  const transaction = shown ?? (await findTransaction(ctx, answer.transaction_id))
  const sent = request.claims_rest ? { ...request, amount: answer.amount } : request
  if (recorder) await recordSimulation(ctx, recorder, { request: sent, answer, transaction, since })
  return transaction
}

async function namedTransaction(ctx: Context, id: string): Promise<Transaction> {
  return findTransaction(ctx, id).catch(asInvalid('transaction_id', 'names no transaction'))
}

function amountOf(amount: number | string, currency: string): bigint {
  if (!isCurrency(currency)) throw invalid('currency', 'is not an ISO 4217 currency')
  const parsed = parseAmount(amount, currency)
  if (!parsed.ok) throw invalid('amount', parsed.message)
  return parsed.minor
}

function merchantOf(merchant: Merchant = {}): Merchant {
  if (merchant.country === undefined) return merchant
  const country = toAlpha3(merchant.country)
  if (country === undefined) throw invalid('merchant.country', 'is not an ISO 3166 country')
  return { ...merchant, country }
}

function environmentOf(entry_mode: EntryMode, type: TransactionType) {
  if (AT_MACHINES.has(type)) return 'ATM' as const
  const remote = entry_mode === 'ECOMMERCE' || entry_mode === STORED_CARD
  return remote ? ('ECOMMERCE' as const) : ('POS' as const)
}
