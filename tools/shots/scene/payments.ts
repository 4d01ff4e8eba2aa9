import type { Answer, Member } from '../member.ts'
import type { Issued } from './issuing.ts'

const SHOPS = [
  ['Palm Books', '5942', 'Dubai', 'AE', 45.5],
  ['Souk Grocer', '5411', 'Dubai', 'AE', 128.9],
  ['Blue Tap Cafe', '5814', 'Sharjah', 'AE', 23],
  ['Desert Fuel', '5541', 'Al Ain', 'AE', 190],
  ['Atlas Air', '4511', 'Doha', 'QA', 1_240],
  ['Nile Hotel', '7011', 'Cairo', 'EG', 860],
  ['Pixel Store', '5816', 'Dublin', 'IE', 9.99],
  ['Gold Market', '5944', 'Dubai', 'AE', 12_000],
] as const
const ROUNDS = 5
const CLAIM = {
  reason: 'NOT_RECEIVED',
  explanation: 'The parcel was due on Monday, and the shop does not answer.',
  evidence: {
    merchant_contact: 'Called twice, wrote once; no answer.',
    expected_date: '2026-11-23',
  },
}
/** Hours that the clock is moved between two rounds. */
const HOURS = 5

/** Payments over a day: most are approved; some are cleared, reversed or refunded. */
export async function pay({ call }: Member, { cards }: Issued) {
  let [approved, declined] = ['', '']
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, shop] of SHOPS.entries()) {
      const card = cards[(at + round) % cards.length]
      const made = await purchase(call, card, shop)
      if (made.status === 'DECLINED') declined = made.id
      else {
        approved = await follow(call, made, at + round)
      }
    }
    if (round < ROUNDS - 1) await moveClock(call)
  }
  return { approved, declined, dispute: await contest(call) }
}

/** Disputes of three settled payments: one is submitted, one was presented again, one is a draft. */
async function contest(call: Member['call']): Promise<string> {
  const { data } = await call('GET', '/v1/transactions?limit=60')
  const settled: Answer[] = data.filter(
    ({ status, transaction_type, refunded_amount }: Answer) =>
      status === 'SETTLED' && transaction_type === 'PURCHASE' && refunded_amount === 0,
  )
  const made: string[] = []
  for (const { id: transaction_id } of settled.slice(0, 3)) {
    const { id } = await call('POST', '/v1/disputes', { ...CLAIM, transaction_id })
    made.push(id)
  }
  const [submitted, represented, draft] = made
  await call('POST', `/v1/disputes/${submitted}:submit`, {})
  await call('POST', `/v1/disputes/${represented}:submit`, {})
  await call('POST', `/v1/simulate/disputes/${represented}:represent`, {})
  return String(draft)
}

async function purchase(call: Member['call'], card: Answer, shop: (typeof SHOPS)[number]) {
  const [name, mcc, city, country, amount] = shop
  const merchant = { name, mcc, city, country, id: name.toUpperCase().replace(/\W/g, '') }
  const body = { card_id: card.id, amount, currency: 'AED', merchant }
  return call('POST', '/v1/simulate/authorizations', body)
}

/** Returns the id of the transaction, which some of the messages of a shop follow. */
async function follow(call: Member['call'], { id, amount }: Answer, turn: number): Promise<string> {
  if (turn % 4 === 3) return id
  if (turn % 4 === 2) {
    await call('POST', `/v1/simulate/authorizations/${id}:reverse`, {})
    return id
  }
  await call('POST', `/v1/simulate/authorizations/${id}:clear`, {})
  if (turn % 4 === 1) {
    const part = Math.round(amount * 25) / 100
    await call('POST', '/v1/simulate/refunds', {
      transaction_id: id,
      amount: part,
      currency: 'AED',
    })
  }
  return id
}

async function moveClock(call: Member['call']): Promise<void> {
  const { now } = await call('GET', '/v1/simulate/clock')
  const later = new Date(Date.parse(now) + HOURS * 3_600_000).toISOString()
  await call('PUT', '/v1/simulate/clock', { now: later })
}
