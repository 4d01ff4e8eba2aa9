/** Declines by lists, limits, stop orders and the responder. */

import type { CreateBalanceLimitBody, CreateVelocityLimitBody, Transaction } from '#client/index.ts'
import { ApiError } from '#client/index.ts'
import type { Fields, Held, Stage } from '../stage.ts'

/** The cause of one code; `run` resolves to the transaction that has it. */
export type Recipe = {
  code: string
  about: string
  run: (stage: Stage) => Promise<Transaction>
}

const listName = () => `bezant trigger ${crypto.randomUUID().slice(0, 8)}`
const countries = (stage: Stage) =>
  stage.bezant.lists.createAllowedCountryList({
    name: listName(),
    allow: true,
    country_codes: ['ARE'],
  })
const mccs = (stage: Stage) =>
  stage.bezant.lists.createAllowedMccList({ name: listName(), allow: true, mccs: ['5411'] })
const ABROAD: Fields = { merchant: { id: 'SHOP', country: 'FRA', mcc: '5411' } }
const ELSEWHERE: Fields = { merchant: { id: 'SHOP', country: 'ARE', mcc: '5999' } }

async function listed(stage: Stage, list: { id: string }, member: string, fields: Fields) {
  const card = await stage.newCard()
  await stage.bezant.cards.updateAuthSettings(card.id, { [member]: list.id })
  stage.say('the card has a list', list.id)
  return stage.pay(card, fields)
}

/** A velocity limit at the card; the last of the payments is the one that it declines. */
async function limited(
  stage: Stage,
  terms: Omit<CreateVelocityLimitBody, 'currency'>,
  payments: readonly Fields[],
): Promise<Transaction> {
  const card = await stage.newCard()
  const { currency } = card
  const limit = await stage.bezant.limits.createVelocityLimit({ ...terms, currency })
  await stage.bezant.limits.linkCardVelocityLimits(card.id, { ids: [limit.id] })
  stage.say('the card has a velocity limit', limit.id)
  return payAll(stage, card, payments)
}

async function payAll(stage: Stage, card: Held, payments: readonly Fields[]) {
  const [first = {}, ...rest] = payments
  let last = await stage.pay(card, first)
  for (const fields of rest) last = await stage.pay(card, fields)
  return last
}

async function balanced(
  stage: Stage,
  terms: Omit<CreateBalanceLimitBody, 'currency'>,
  fields: Fields,
): Promise<Transaction> {
  const card = await stage.newCard(undefined, { funds: 100 })
  const { limits } = stage.bezant
  const limit = await limits.createBalanceLimit({ ...terms, currency: card.currency })
  const ids = { ids: [limit.id] }
  if (terms.type === 'PER_USER') await limits.linkUserBalanceLimits(card.user_id, ids)
  else await limits.linkAccountBalanceLimits(card.account_id, ids)
  stage.say('there is a balance limit', limit.id)
  return stage.pay(card, fields)
}

const DEPOSIT: Fields = { transaction_type: 'DEPOSIT', amount: 50 }
const CASH: Fields = { transaction_type: 'WITHDRAWAL', entry_mode: 'CHIP', amount: 100 }

/** The responder is asked, and answered or left without an answer. */
async function asked(stage: Stage, answer: boolean): Promise<Transaction> {
  const card = await stage.newCard()
  const responder = { listener: true, timeout_ms: answer ? 3_000 : 500, default_action: 'DECLINE' }
  return stage.withSettings({ responder }, async () => {
    const paid = stage.pay(card)
    if (answer) {
      const { data } = await stage.bezant.simulation.listResponderRequests({ wait: 5 })
      const question = data.find(({ transaction }) => transaction.card_id === card.id)
      if (question) {
        await stage.bezant.simulation
          .answerResponderRequest(question.id, { approved: false })
          .catch((error: unknown) => {
            if (!(error instanceof ApiError)) throw error
          })
      }
    }
    return paid
  })
}

export const controls: readonly Recipe[] = [
  {
    code: '1860',
    about: 'the product allows another country',
    run: async (stage) => {
      const { id } = await countries(stage)
      return stage.pay(await stage.newCard({ allowed_countries_id: id }), ABROAD)
    },
  },
  {
    code: '1880',
    about: 'the card allows another country',
    run: async (stage) => listed(stage, await countries(stage), 'allowed_countries_id', ABROAD),
  },
  {
    code: '1859',
    about: 'the product allows another MCC',
    run: async (stage) => {
      const { id } = await mccs(stage)
      return stage.pay(await stage.newCard({ allowed_mccs_id: id }), ELSEWHERE)
    },
  },
  {
    code: '1879',
    about: 'the card allows another MCC',
    run: async (stage) => listed(stage, await mccs(stage), 'allowed_mccs_id', ELSEWHERE),
  },
  {
    code: '1896',
    about: 'more than a velocity limit allows at once',
    run: (stage) => limited(stage, { type: 'PER_TRANSACTION', max_amount: 20 }, [{ amount: 21 }]),
  },
  {
    code: '1897',
    about: 'more than a velocity limit allows in a day',
    run: (stage) =>
      limited(stage, { type: 'CUMULATIVE', max_amount: 20, period: 'DAILY' }, [
        { amount: 15 },
        { amount: 6 },
      ]),
  },
  {
    code: '1898',
    about: 'oftener than a velocity limit allows',
    run: (stage) =>
      limited(stage, { type: 'CUMULATIVE', max_amount: 500, frequency: 1, period: 'DAILY' }, [
        {},
        {},
      ]),
  },
  {
    code: '1021',
    about: 'more cash than a velocity limit allows',
    run: (stage) =>
      limited(
        stage,
        { type: 'PER_TRANSACTION', max_amount: 20, transaction_scope: ['WITHDRAWALS'] },
        [CASH],
      ),
  },
  {
    code: '1875',
    about: 'a deposit above the largest balance of an account',
    run: (stage) => balanced(stage, { type: 'PER_ACCOUNT', max_amount: 110 }, DEPOSIT),
  },
  {
    code: '1876',
    about: 'a purchase below the least balance of an account',
    run: (stage) => balanced(stage, { type: 'PER_ACCOUNT', min_amount: 60 }, { amount: 50 }),
  },
  {
    code: '1877',
    about: 'a deposit above the largest balance of a user',
    run: (stage) => balanced(stage, { type: 'PER_USER', max_amount: 110 }, DEPOSIT),
  },
  {
    code: '1878',
    about: 'a purchase below the least balance of a user',
    run: (stage) => balanced(stage, { type: 'PER_USER', min_amount: 60 }, { amount: 50 }),
  },
  {
    code: '1851',
    about: 'the responder declines',
    run: (stage) => asked(stage, true),
  },
  {
    code: '1852',
    about: 'the responder gives no answer',
    run: (stage) => asked(stage, false),
  },
  {
    code: '1902',
    about: 'the tenant allows no deposits at machines',
    run: async (stage) => {
      const card = await stage.newCard()
      return stage.withSettings({ atm_deposit: false }, () =>
        stage.pay(card, { transaction_type: 'DEPOSIT' }),
      )
    },
  },
]
