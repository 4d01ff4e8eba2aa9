/** Triggers of payments and of what follows them. */

import type { Transaction } from '#client/index.ts'
import type { Kind } from './kind.ts'
import type { Fields, Stage } from './stage.ts'

const payment = (name: string, about: string, fields: Fields = {}): Kind => ({
  name,
  about,
  takes: 'card',
  run: async (stage) => {
    await stage.pay(await stage.card(), fields)
  },
})

/** The transaction of the options, or a new purchase. */
async function purchaseOf(stage: Stage): Promise<Transaction> {
  const { transaction } = stage.options
  if (transaction !== undefined) return stage.bezant.transactions.get(transaction)
  return stage.pay(await stage.card())
}

/** Events of a purchase; the options' amount is that of the purchase if it is made here. */
const following = (
  name: string,
  about: string,
  act: (stage: Stage, purchase: Transaction, amount: string | undefined) => Promise<Transaction>,
): Kind => ({
  name,
  about,
  takes: 'transaction',
  run: async (stage) => {
    const purchase = await purchaseOf(stage)
    const { transaction, amount } = stage.options
    const made = await act(stage, purchase, transaction === undefined ? undefined : amount)
    stage.decided(made, name === 'refund' ? 'the refund' : 'after it, the transaction')
  },
})

export const transactionKinds: readonly Kind[] = [
  payment('purchase', 'a purchase at a shop'),
  payment('withdrawal', 'cash at a machine', {
    transaction_type: 'WITHDRAWAL',
    entry_mode: 'CHIP',
  }),
  payment('deposit', 'a deposit at a machine', { transaction_type: 'DEPOSIT' }),
  {
    name: 'challenge.created',
    about: 'a cardholder is asked to confirm a payment',
    takes: 'card',
    run: async (stage) => {
      const terms = { otp_3ds: true }
      const { id, currency } = await (stage.options.card ? stage.card() : stage.newCard(terms))
      const merchant = { id: 'BEZANT', name: 'bezant trigger' }
      const body = { card_id: id, amount: 10, currency, merchant }
      const challenge = await stage.bezant.challenges.create(body)
      stage.say(`the challenge is ${challenge.status}`, challenge.id)
    },
  },
  payment('verification', 'a card is verified, for no amount', {
    transaction_type: 'VERIFICATION',
    amount: 0,
  }),
  payment('balance_inquiry', 'a machine asks for the balance', {
    transaction_type: 'BALANCE_INQUIRY',
    amount: 0,
  }),
  payment('quasi_cash', 'a purchase of chips or money orders', { transaction_type: 'QUASI_CASH' }),
  payment('account_funding', 'money from the card into a wallet', {
    transaction_type: 'ACCOUNT_FUNDING',
  }),
  payment('original_credit', 'money to the card', { transaction_type: 'ORIGINAL_CREDIT' }),
  payment('contactless', 'a purchase by tapping the card', { entry_mode: 'CONTACTLESS' }),
  payment('3ds', 'a purchase with 3-D Secure', { three_ds: 'AUTHENTICATED' }),
  payment('recurring', 'a purchase with a stored card', { entry_mode: 'CREDENTIAL_ON_FILE' }),
  following('clearing', 'a purchase is cleared', (stage, { id }, amount) =>
    stage.bezant.simulation.clearing(id, amount === undefined ? undefined : { amount }),
  ),
  following('reversal', 'a purchase is reversed', (stage, { id }, amount) =>
    stage.bezant.simulation.reversal(id, amount === undefined ? undefined : { amount }),
  ),
  following('increment', 'more is held for a purchase', (stage, { id }, amount = '5') =>
    stage.bezant.simulation.increment(id, { amount }),
  ),
  following('refund', 'a purchase is cleared and refunded', async (stage, purchase, amount) => {
    if (purchase.status === 'PENDING') {
      const cleared = await stage.bezant.simulation.clearing(purchase.id)
      stage.decided(cleared, 'after its clearing, the transaction')
    }
    const { id, currency } = purchase
    const body = { transaction_id: id, currency, amount: amount ?? purchase.amount }
    return stage.bezant.simulation.refund(body)
  }),
  {
    name: 'hold.expired',
    takes: 'card',
    about: 'a purchase is never cleared and its hold ends; moves the clock',
    run: async (stage) => {
      const { hold_expires } = await stage.pay(await stage.card())
      const { now } = await stage.bezant.simulation.getClock()
      const ms = Date.parse(hold_expires ?? now) - Date.parse(now)
      const minutes = Math.max(1, Math.ceil(ms / 60_000) + 1)
      await stage.until('EXPIRED_AUTH', () => stage.advance(`PT${minutes}M`))
    },
  },
]
