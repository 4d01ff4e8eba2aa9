/** Declines by the state of card, user and account, by what is proved, and by what came before. */

import type { Transaction } from '#client/index.ts'
import { cardWithPin } from '../pins.ts'
import type { Held, Stage } from '../stage.ts'
import { cardInWallet } from '../wallets.ts'
import type { Recipe } from './controls.ts'

type Status = Parameters<Stage['bezant']['cards']['changeStatus']>[1]

const cardIn =
  (change: Status): Recipe['run'] =>
  async (stage) => {
    const card = await stage.newCard()
    await stage.bezant.cards.changeStatus(card.id, change)
    stage.say(`the card is ${change.status} ${change.status_reason_code}`, card.id)
    return stage.pay(card)
  }

/** Another code than that of the card. */
async function wrongCvv2(stage: Stage, card: Held): Promise<string> {
  const { cvv2 } = await stage.bezant.cards.reveal(card.id)
  return cvv2 === '000' ? '001' : '000'
}

const PIN_TRIES = 12

/** Another PIN each time: two of them may have one verification value. */
async function wrongPins(stage: Stage): Promise<Transaction> {
  const card = await cardWithPin(stage)
  for (let tries = 1; ; tries++) {
    const pin = String(5000 + tries * 7)
    const made = await stage.pay(card, { transaction_type: 'WITHDRAWAL', pin })
    if (made.status_code === '1006' || tries === PIN_TRIES) return made
  }
}

/** The chip of a new card is read once, so that its keys exist, and then sends a wrong value. */
async function wrongChip(stage: Stage): Promise<Transaction> {
  const card = await stage.newCard()
  return stage.pay(card, { entry_mode: 'CHIP', chip: { cryptogram: 'WRONG' } })
}

export const states: readonly Recipe[] = [
  {
    code: '0001',
    about: 'approved, with identification',
    run: async (stage) => stage.pay(await stage.newCard({ identify_above: 5 })),
  },
  {
    code: '0002',
    about: 'approved in part',
    run: async (stage) =>
      stage.pay(await stage.newCard({ partial_approval: true }), {
        amount: 5_000,
        partial_approval: true,
      }),
  },
  {
    code: '0003',
    about: 'approved for a VIP',
    run: async (stage) => stage.pay(await stage.newCard(undefined, { user: { vip: true } })),
  },
  {
    code: '1003',
    about: 'the card is suspended',
    run: cardIn({ status: 'SUSPENDED', status_reason_code: 'S0' }),
  },
  { code: '1006', about: 'too many wrong PINs', run: wrongPins },
  {
    code: '1010',
    about: 'a purchase of nothing',
    run: async (stage) => stage.pay(await stage.newCard(), { amount: 0 }),
  },
  {
    code: '1016',
    about: 'more than the account has',
    run: async (stage) => stage.pay(await stage.newCard(), { amount: 1_000_000 }),
  },
  {
    code: '1017',
    about: 'a PIN that the card does not have',
    run: async (stage) =>
      stage.pay(await stage.newCard(), { transaction_type: 'WITHDRAWAL', pin: '4831' }),
  },
  {
    code: '1018',
    about: 'no card has the number',
    run: async (stage) => {
      const number = {
        card_number: '4999991234567890',
        amount: 10,
        currency: await stage.currency(),
      }
      const made = await stage.bezant.simulation.authorization(number)
      return stage.decided(made as Transaction)
    },
  },
  {
    code: '1019',
    about: 'the account is suspended',
    run: async (stage) => {
      const card = await stage.newCard()
      await stage.bezant.accounts.changeStatus(card.account_id, { status: 'SUSPENDED' })
      stage.say('the account is SUSPENDED', card.account_id)
      return stage.pay(card)
    },
  },
  {
    code: '1020',
    about: 'cash at a terminal that is for no cash',
    run: async (stage) =>
      stage.pay(await stage.newCard(), {
        transaction_type: 'WITHDRAWAL',
        entry_mode: 'CHIP',
        merchant: { mcc: '5411' },
      }),
  },
  {
    code: '1022',
    about: 'a wrong CVV2',
    run: async (stage) => {
      const card = await stage.newCard()
      return stage.pay(card, { cvv2: await wrongCvv2(stage, card) })
    },
  },
  {
    code: '1804',
    about: 'a wrong expiry date',
    run: async (stage) => stage.pay(await stage.newCard(), { expiry: '2001-01' }),
  },
  {
    code: '1806',
    about: 'the card is not active yet',
    run: async (stage) =>
      stage.pay(await stage.newCard({ initial_status_of_virtual_card: 'INACTIVE' })),
  },
  {
    code: '1809',
    about: 'the card is terminated by its client',
    run: cardIn({ status: 'TERMINATED', status_reason_code: 'T0' }),
  },
  { code: '1810', about: 'a chip sends a wrong cryptogram', run: wrongChip },
  {
    code: '1816',
    about: 'the card is terminated by its issuer',
    run: cardIn({ status: 'TERMINATED', status_reason_code: 'T3' }),
  },
  {
    code: '1888',
    about: 'a currency without a rate',
    run: async (stage) => stage.pay(await stage.newCard(), { currency: 'XAF' }),
  },
  {
    code: '1890',
    about: 'a wallet token is suspended',
    run: async (stage) => {
      const id = await cardInWallet(stage)
      await stage.bezant.walletTokens.changeStatus(id, { status: 'SUSPENDED' })
      stage.say('the wallet token is SUSPENDED', id)
      const { token_number } = await stage.bezant.walletTokens.reveal(id)
      const currency = await stage.currency()
      const made = await stage.bezant.simulation.authorization({
        card_number: token_number,
        amount: 10,
        currency,
        entry_mode: 'CONTACTLESS',
      })
      return stage.decided(made as Transaction)
    },
  },
  {
    code: '1892',
    about: 'the user is suspended',
    run: async (stage) => {
      const card = await stage.newCard()
      const change = { status: 'SUSPENDED', status_reason_code: 'S0' } as const
      await stage.bezant.users.changeStatus(card.user_id, change)
      stage.say('the user is SUSPENDED S0', card.user_id)
      return stage.pay(card)
    },
  },
  {
    code: '1893',
    about: '3-D Secure asks a user without a mobile',
    run: async (stage) =>
      stage.pay(await stage.newCard({ otp_3ds: true }), { three_ds: 'AUTHENTICATED' }),
  },
  {
    code: '1858',
    about: 'a refund of what is no purchase',
    run: async (stage) => {
      const inquiry = { transaction_type: 'BALANCE_INQUIRY', amount: 0 } as const
      const { id, currency } = await stage.pay(await stage.newCard(), inquiry)
      const body = { transaction_id: id, amount: 5, currency }
      return stage.decided(await stage.bezant.simulation.refund(body), 'its refund')
    },
  },
  {
    code: '1854',
    about: 'more is cleared than was authorized, of a product without tolerance',
    run: async (stage) => {
      const { id } = await stage.pay(await stage.newCard({ clearing_tolerance_percent: 0 }))
      return stage.decided(
        await stage.bezant.simulation.clearing(id, { amount: 11 }),
        'its clearing',
      )
    },
  },
  {
    code: '1855',
    about: 'more is cleared than was authorized',
    run: async (stage) => {
      const { id } = await stage.pay(await stage.newCard({ clearing_tolerance_percent: 10 }))
      return stage.decided(
        await stage.bezant.simulation.clearing(id, { amount: 50 }),
        'its clearing',
      )
    },
  },
  {
    code: '1894',
    about: 'a purchase is reversed twice',
    run: async (stage) => {
      const { id } = await stage.pay(await stage.newCard())
      stage.decided(await stage.bezant.simulation.reversal(id), 'its reversal')
      return stage.decided(await stage.bezant.simulation.reversal(id), 'its second reversal')
    },
  },
  {
    code: '9115',
    about: 'a purchase that was declined is reversed',
    run: async (stage) => {
      const { id } = await stage.pay(await stage.newCard(), { amount: 1_000_000 })
      return stage.decided(await stage.bezant.simulation.reversal(id), 'its reversal')
    },
  },
]
