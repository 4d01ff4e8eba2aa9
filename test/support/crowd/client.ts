/** One client of a crowd: its next request depends on chance and on its earlier ones. */

import assert from 'node:assert/strict'
import type { Chance } from '../chances.ts'
import type { Body, Crowd, OwnCard } from './crowd.ts'

const CURRENCY = 'AED'
/** The amount in hundredths of the currency. */
const HIGHEST_AMOUNT = 500

/** The share of each action; one that is not possible at the moment passes to those after it. */
const shares = { move: 0.1, clear: 0.1, refund: 0.07, giveBack: 0.03, capture: 0.03, load: 0.32 }
type Action = keyof typeof shares

/** A function that does one thing and resolves when it is answered. */
export function createClient(crowd: Crowd, chance: Chance, card: OwnCard | undefined) {
  const { cards, orders } = crowd.stock
  /** Authorizations that are held, transactions that are cleared, orders that are captured. */
  const [held, cleared, captured]: [Body[], Body[], string[]] = [[], [], []]
  const money = () => ({
    currency: CURRENCY,
    amount: (1 + Math.floor(chance() * HIGHEST_AMOUNT)) / 100,
  })
  const anyCard = () => {
    const any = cards[Math.floor(chance() * cards.length)]
    assert.ok(any)
    return any
  }
  const actions: Record<Action, () => Promise<void> | undefined> = {
    move: () => card && moveCard(crowd, card),
    clear: () => take(held, async (body) => void cleared.push(await clear(crowd, body))),
    refund: () => take(cleared, (body) => refund(crowd, body)),
    giveBack: () => take(captured, (reference) => giveBack(crowd, reference)),
    capture: () =>
      take(orders, async (reference) => {
        if (await captureOrder(crowd, reference)) captured.push(reference)
      }),
    load: () => loadFunds(crowd, anyCard().account_id, money()),
  }
  return async function act(): Promise<void> {
    let dice = chance()
    for (const [action, share] of Object.entries(shares) as [Action, number][]) {
      const done = dice < share ? actions[action]() : undefined
      if (done) return done
      dice -= dice < share ? 0 : share
    }
    const made = await authorize(crowd, anyCard().id, money())
    if (made.status === 'PENDING') held.push(made)
  }
}

function take<Item>(items: Item[], action: (item: Item) => Promise<void>) {
  const item = items.pop()
  return item === undefined ? undefined : action(item)
}

type Money = { currency: string; amount: number }

export async function loadFunds(crowd: Crowd, account_id: string, money: Money): Promise<void> {
  const url = `/v1/accounts/${account_id}:loadfunds`
  const bodyOf = (key: string) => ({ ...money, notes: key })
  await crowd.post({ kind: 'load', url, about: account_id, bodyOf })
}

export function authorize(crowd: Crowd, card_id: string, money: Money): Promise<Body> {
  const url = '/v1/simulate/authorizations'
  const bodyOf = (key: string) => ({ ...money, card_id, merchant: { name: key } })
  return crowd.post({ kind: 'authorize', url, about: card_id, bodyOf })
}

function clear(crowd: Crowd, { id }: Body): Promise<Body> {
  const url = `/v1/simulate/authorizations/${id}:clear`
  return crowd.post({ kind: 'clear', url, about: id, bodyOf: () => ({}) })
}

async function refund(crowd: Crowd, { id, amount }: Body): Promise<void> {
  const body = { transaction_id: id, currency: CURRENCY, amount }
  const bodyOf = (key: string) => ({ ...body, merchant: { name: key } })
  await crowd.post({ kind: 'refund', url: '/v1/simulate/refunds', about: id, bodyOf })
}

/** Whether it was captured: by default all of it. */
export async function captureOrder(
  crowd: Crowd,
  reference: string,
  body: object = { total: '10.00' },
): Promise<boolean> {
  const url = `/api/v1.0/orders/${reference}/capture/`
  const bodyOf = () => body
  const { status } = await crowd.post({ kind: 'order capture', url, about: reference, bodyOf })
  return status === 'SUCCESS'
}

export async function giveBack(crowd: Crowd, reference: string): Promise<void> {
  const url = `/api/v1.0/orders/${reference}/refund/`
  const bodyOf = () => ({ total: '10.00', currency: CURRENCY })
  await crowd.post({ kind: 'order refund', url, about: reference, bodyOf })
}

/** A change of status has no key, so where an answer left the effect open the card is read. */
async function moveCard(crowd: Crowd, card: OwnCard): Promise<void> {
  const [status, status_reason_code] =
    card.status === 'ACTIVE' ? ['SUSPENDED', 'S0'] : ['ACTIVE', 'A0']
  const url = `/v1/cards/${card.id}`
  const body = { status, status_reason_code }
  const reply = await crowd.ask('PUT', `${url}:statuschange`, { body })
  const wasDone = reply.unknown > 0 && reply.status === 409
  assert.ok(reply.status === 200 || wasDone, reply.text)
  assert.equal((await crowd.made('GET', url)).status, status)
  card.status = status
  card.moves += 1
}
