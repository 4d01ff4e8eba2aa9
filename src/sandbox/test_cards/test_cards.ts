/**
 * Cards with which the payment pages of a tenant are tried: real cards of the sandbox under a
 * product of their own, so that controls of the tenant's products do not decline them (D-707).
 */

import { findAccount } from '#issuing/accounts/accounts.ts'
import { createCard, findCard, readCardData } from '#issuing/cards/cards.ts'
import { fundProgram, move, programAccountId } from '#issuing/ledger/ledger.ts'
import { createSandboxProduct } from '#issuing/programs/programs.ts'
import { readSettings } from '#issuing/tenants/tenants.ts'
import { createUser } from '#issuing/users/users.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { lockNames } from '#kit/db/locks.ts'
import { exponentOf } from '#lib/currency.ts'
import { formatAmount } from '#lib/money.ts'
import { ApiError } from '#lib/result.ts'
import type { Price, TestCardKind, TestCards } from '#merchant/checkouts/provider.ts'
import { ASKING_PRODUCT, TEST_PRODUCT, testCardId } from '../known.ts'

const USER = testCardId(1)
const [RICH, EMPTY, MISTYPED] = [testCardId(2), testCardId(3), testCardId(4)]
/** The card of the product whose issuer asks for a one-time code (D-740). */
const ASKED = testCardId(5)
const FUNDED = [RICH, ASKED]

/** A card that is declined for its code does not block the one that is approved (D-122). */
const cardOf: Readonly<Record<TestCardKind, string>> = {
  approved: RICH,
  slow: RICH,
  three_ds: ASKED,
  funds: EMPTY,
  code: MISTYPED,
}

/**
 * Major units: the amount that is added at once, and the least balance for a price in another
 * currency.
 */
const ADDED = 10_000
const LEAST = 1_000

export const testCards: TestCards = {
  async find(ctx, kind, price) {
    const card = await cardIn(ctx, cardOf[kind])
    if (!card) return undefined
    if (FUNDED.includes(card.id) && (await lacks(ctx, card.account_id, price))) return undefined
    const { card_number, expiry_date, cvv2 } = await readCardData(ctx, card)
    const [year = '', month = ''] = expiry_date.split('-')
    return {
      card_number: groupsOf(card_number.reveal()),
      expiry: `${month}/${year.slice(2)}`,
      cvv2: kind === 'code' ? otherThan(cvv2.reveal()) : cvv2.reveal(),
    }
  },
  make: (ctx, price) => transact(ctx, (tx) => makeTestCards(tx, price)),
}

/** Makes what is missing, in the caller's transaction. */
async function makeTestCards(tx: Tx, price: Price): Promise<void> {
  await lockNames(tx, ['test cards'])
  if (!(await cardIn(tx, RICH))) await makeCards(tx)
  for (const id of FUNDED) {
    const { account_id } = await findCard(tx, id)
    if (account_id && (await lacks(tx, account_id, price))) await addMoney(tx, account_id, price)
  }
}

async function makeCards(tx: Tx): Promise<void> {
  const { default_currency: currency } = await readSettings(tx)
  const product = { currency, initial_status_of_virtual_card: 'ACTIVE' } as const
  await createSandboxProduct(tx, { ...product, id: TEST_PRODUCT, name: 'Test cards' })
  await createSandboxProduct(tx, {
    ...product,
    id: ASKING_PRODUCT,
    name: 'Test cards with 3-D Secure',
    otp_3ds: true,
  })
  await createUser(tx, {
    id: USER,
    user_type: 'INDIVIDUAL',
    first_name: 'Test',
    last_name: 'Cards',
    email: 'test.cards@example.com',
    mobile: '+971501234567',
  })
  const card = { user_id: USER, card_type: 'VIRTUAL', card_product_id: TEST_PRODUCT } as const
  for (const id of [RICH, EMPTY, MISTYPED]) await createCard(tx, { ...card, id })
  await createCard(tx, { ...card, id: ASKED, card_product_id: ASKING_PRODUCT })
}

async function lacks(ctx: Context | Tx, account_id: string | null, price: Price): Promise<boolean> {
  if (account_id === null) return true
  const { available_balance, currency } = await findAccount(ctx, account_id)
  const needed = currency === price.currency ? formatAmount(price.amount, price.currency) : LEAST
  return available_balance < needed
}

async function addMoney(tx: Tx, account_id: string, price: Price): Promise<void> {
  const { currency } = await findAccount(tx, account_id)
  const added = BigInt(ADDED) * 10n ** BigInt(exponentOf(currency))
  const amount = currency === price.currency ? added + price.amount : added
  await fundProgram(tx, { currency, amount })
  const debit_account_id = programAccountId(tx.tenant_id, 'FUNDING', currency)
  await move(tx, [
    { kind: 'LOAD', debit_account_id, credit_account_id: account_id, currency, amount },
  ])
}

const cardIn = (ctx: Context | Tx, id: string) =>
  findCard(ctx, id).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  })

const groupsOf = (pan: string): string => pan.replace(/(.{4})(?=.)/g, '$1 ')

const otherThan = (code: string): string =>
  String((Number(code) + 1) % 1_000).padStart(code.length, '0')
