/** The five calls of First steps, each made of what the ones before it have answered. */

import type { TFunction } from 'i18next'
import { answered, issuing } from '../../api/client.ts'
import type { Account, Card, CardProduct, Check, Transaction, User } from '../../api/types.ts'
import { moneyText } from '../../parts/values.tsx'

export type Made = {
  product: CardProduct
  user?: User
  card?: Card
  account?: Account
  purchase?: Transaction
}

/** A call as the page shows it; `text` says what it changed. */
export type Outcome = {
  made: Made
  answer: unknown
  text: string
  isDeclined?: boolean
  checks?: readonly Check[]
}

type Call = { line: string; body?: unknown }

export type StepName = 'user' | 'card' | 'load' | 'purchase' | 'decision'

export type Step = {
  name: StepName
  /** The call, with what is known before it runs. */
  request: (made: Made) => Call
  /** The call that follows in the same step. */
  follow?: (made: Made) => Call
  isReady: (made: Made) => boolean
  run: (made: Made, t: TFunction, key: string) => Promise<Outcome>
}

const LOADED = 500
const PRICE = 120.5
const PERSON = { first_name: 'Layla', last_name: 'Aziz' }
const SHOP = { id: 'BOOKSHOP', name: 'Palm Books', mcc: '5942', city: 'Dubai', country: 'AE' }

const cardBody = ({ product, user }: Made) => ({
  user_id: user?.id ?? '',
  card_product_id: product.id,
  card_type: 'VIRTUAL' as const,
})
const ACTIVE = { status: 'ACTIVE', status_reason_code: 'A0' } as const
const loadBody = ({ product }: Made) => ({ currency: product.currency, amount: LOADED })
const purchaseBody = ({ product, card }: Made) => ({
  card_id: card?.id ?? '',
  amount: PRICE,
  currency: product.currency,
  merchant: SHOP,
})

const makeUser: Step = {
  name: 'user',
  request: () => ({ line: 'POST /v1/users', body: PERSON }),
  isReady: () => true,
  async run(made, t, key) {
    const asked = issuing.users.create(PERSON, { idempotencyKey: key })
    const user = await answered(asked)
    const name = `${user.first_name} ${user.last_name}`
    const text = t('steps.user.result', { name, status: user.status })
    return { made: { ...made, user }, answer: user, text }
  },
}

const issueCard: Step = {
  name: 'card',
  request: (made) => ({ line: 'POST /v1/cards', body: cardBody(made) }),
  follow: ({ card }) => ({
    line: `PUT /v1/cards/${card?.id ?? '{id}'}:statuschange`,
    body: ACTIVE,
  }),
  isReady: ({ user }) => user !== undefined,
  async run(made, t, key) {
    const asked = issuing.cards.create(cardBody(made), { idempotencyKey: key })
    const issued = await answered(asked)
    // A product may issue its cards active: such a move would be refused.
    const card = issued.status === 'ACTIVE' ? issued : await activated(issued.id)
    const text = t('steps.card.result', { number: card.masked_card_number, status: card.status })
    return { made: { ...made, card }, answer: card, text }
  },
}

function activated(id: string): Promise<Card> {
  return answered(issuing.cards.changeStatus(id, ACTIVE))
}

const loadFunds: Step = {
  name: 'load',
  request: (made) => ({
    line: `POST /v1/accounts/${made.card?.account_id ?? '{id}'}:loadfunds`,
    body: loadBody(made),
  }),
  isReady: ({ card }) => card?.account_id !== undefined,
  async run(made, t, key) {
    const body = loadBody(made)
    const id = made.card?.account_id ?? ''
    const asked = issuing.accounts.loadFunds(id, body, { idempotencyKey: key })
    const answer = await answered(asked)
    const { account } = answer
    const text = t('steps.load.result', { balance: moneyText(account.balance, account.currency) })
    return { made: { ...made, account }, answer, text }
  },
}

const authorize: Step = {
  name: 'purchase',
  request: (made) => ({ line: 'POST /v1/simulate/authorizations', body: purchaseBody(made) }),
  isReady: ({ account }) => account !== undefined,
  async run(made, t, key) {
    const body = purchaseBody(made)
    const asked = issuing.simulation.authorization(body, {}, { idempotencyKey: key })
    // Without `what_if` the answer is a transaction.
    const purchase = (await answered(asked)) as Transaction
    const { status_code: code, status_description: description } = purchase
    const amount = moneyText(purchase.amount, purchase.currency)
    const isDeclined = purchase.status !== 'PENDING'
    const result = isDeclined ? 'steps.purchase.declined' : 'steps.purchase.result'
    const text = t(result, { code, description, amount })
    return { made: { ...made, purchase }, answer: purchase, text, isDeclined }
  },
}

const seeDecision: Step = {
  name: 'decision',
  request: ({ purchase }) => ({ line: `GET /v1/transactions/${purchase?.id ?? '{id}'}/trace` }),
  isReady: ({ purchase }) => purchase?.status === 'PENDING',
  async run(made, t) {
    const asked = issuing.transactions.getTrace(made.purchase?.id ?? '')
    const answer = await answered(asked)
    const { checks } = answer
    const passed = checks.filter(({ verdict }) => verdict === 'passed').length
    const text = t('steps.decision.result', { count: passed })
    return { made, answer, text, checks }
  },
}

export const story: readonly Step[] = [makeUser, issueCard, loadFunds, authorize, seeDecision]
