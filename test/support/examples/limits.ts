/** Balance limits and velocity limits, their links, and backtests. */

import { addDays } from '#lib/time.ts'
import { runBacktests } from '#test/support/backtests.ts'
import type { Cards } from './cards.ts'
import type { Body, Story } from './story.ts'

type Owner = 'CardProduct' | 'Card' | 'User' | 'Account'

export async function limitSpending(story: Story, user: Body, { card, product }: Cards) {
  const { call } = story
  const ids = { CardProduct: product.id, Card: card.id, User: user.id, Account: card.account_id }
  const link = async (owner: Owner, kind: 'Balance' | 'Velocity', id: string) => {
    const params = { id: ids[owner] }
    await call(`link${owner}${kind}Limits`, { params, body: { ids: [id] } })
    await call(`list${owner}${kind}Limits`, { params, query: { limit: 1 } })
    if (kind === 'Velocity' && owner === 'Account') {
      const query = { card_id: card.id }
      await call('getAvailableVelocity', { params: { id }, query })
    }
    await call(`unlink${owner}${kind}Limits`, { params, body: { ids: [id] } })
  }

  const held = { description: 'Wallet', type: 'PER_ACCOUNT', currency: 'AED', max_amount: 5000 }
  const balance = await call('createBalanceLimit', { body: held })
  await call('listBalanceLimits', { query: { limit: 1 } })
  await call('getBalanceLimit', { params: { id: balance.id } })
  await call('updateBalanceLimit', { params: { id: balance.id }, body: { min_amount: 10 } })
  await call('getBalanceLimitShadow', { params: { id: balance.id } })
  for (const owner of ['CardProduct', 'User', 'Account'] as const) {
    await link(owner, 'Balance', balance.id)
  }

  const day = { type: 'CUMULATIVE', currency: 'AED', max_amount: 1000, frequency: 5 }
  const velocity = await call('createVelocityLimit', { body: { ...day, period: 'DAILY' } })
  await call('listVelocityLimits', { query: { limit: 1 } })
  await call('getVelocityLimit', { params: { id: velocity.id } })
  await call('updateVelocityLimit', { params: { id: velocity.id }, body: { frequency: 10 } })
  await call('getVelocityLimitShadow', { params: { id: velocity.id } })
  for (const owner of ['CardProduct', 'Card', 'User', 'Account'] as const) {
    await link(owner, 'Velocity', velocity.id)
  }
}

/** A backtest of a lower limit and a list on the payments of the card. */
export async function backtestControls(
  { world, call, prepare }: Story,
  tenant_id: string,
  { card }: Cards,
): Promise<void> {
  const { now } = await world.ctx(tenant_id)
  const period = { from: addDays(now, -1).toISOString(), to: now.toISOString() }
  const velocity_limits = [{ type: 'PER_TRANSACTION', currency: 'AED', max_amount: 100 }]
  const lists = { allowed_mccs: { allow: false, mccs: ['5942'] } }
  const body = { ...period, card_id: card.id, velocity_limits, ...lists }
  const { id } = await call('createBacktest', { body })
  await runBacktests(world, tenant_id)
  await call('getBacktest', { params: { id } })
  await call('listBacktests', { query: { limit: 1 } })
  const other = await prepare('createBacktest', { body: { ...period, ...lists } })
  await call('cancelBacktest', { params: { id: other.id } })
}
