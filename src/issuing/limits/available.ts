/** The rest that a velocity limit leaves to a card at this moment (D-42). */

import { readSettings } from '#issuing/tenants/tenants.ts'
import type { Context } from '#kit/context.ts'
import { formatAmount } from '#lib/money.ts'
import { ApiError } from '#lib/result.ts'
import { windowOf } from '#lib/window.ts'
import { listAccountCounters, listUserCounters } from './counters_store.ts'
import { findLimit } from './limits.ts'
import {
  counterName,
  countIn,
  groupOf,
  type LinkedTerms,
  leftOf,
  velocityRules,
  windowName,
} from './rules.ts'
import { findCardLinks, type LimitRow } from './store.ts'

/**
 * If the limit is linked several times, the rest that the fullest counter leaves. Fails with
 * `not_found` on the limit or the card, and `limit_not_linked` if it does not apply to the card.
 */
export async function availableOf(ctx: Context, id: string, card_id: string) {
  const [limit, card, { time_zone }] = await Promise.all([
    findLimit(ctx, 'VELOCITY', id),
    findCardLinks(ctx, card_id),
    readSettings(ctx),
  ])
  if (!card) throw new ApiError('not_found')
  const { account_id, currency, chain_id, user_id } = card
  const of = (ids: readonly string[]) => (ids.includes(limit.id) ? [limit] : [])
  const terms: LinkedTerms = {
    chain: of(card.chain_limit_ids),
    account: of(card.account_limit_ids),
    user: of(card.user_limit_ids),
  }
  const rules =
    account_id === null || currency === null
      ? []
      : velocityRules(terms, { account_id, user_id, chain_id, currency })
  if (rules.length === 0) throw new ApiError('limit_not_linked')
  const window = windowName(limit, ctx.now, time_zone)
  const name = counterName(limit)
  const isCountedAt = (id: string) => rules.some(({ holder_id }) => holder_id === id)
  const found = await Promise.all([
    listAccountCounters(
      ctx,
      new Map(account_id !== null && isCountedAt(account_id) ? [[account_id, [chain_id]]] : []),
    ),
    listUserCounters(ctx, user_id !== null && isCountedAt(user_id) ? [user_id] : []),
  ])
  const holders = new Map(found.flat().map((one) => [one.holder_id, one]))
  const counts = rules.map(({ holder_id, group }) => {
    const holder = holders.get(holder_id)
    return countIn((holder && groupOf(holder, group))?.[name], window)
  })
  return {
    id: limit.id,
    card_id: card.id,
    ...presented(limit, leftOf(limit, counts), ctx.now, time_zone),
  }
}

function presented(
  { currency, period }: LimitRow,
  { amount, number }: ReturnType<typeof leftOf>,
  now: Date,
  time_zone: string,
) {
  const window =
    period === null || period === 'LIFETIME' ? undefined : windowOf(period, now, time_zone)
  return {
    currency,
    ...(amount !== null && { available_amount: formatAmount(amount, currency) }),
    ...(number !== null && { available_frequency: number }),
    ...(period !== null && { period }),
    ...(window && { window_start: window.start, window_end: window.end }),
  }
}
