/** The scene of the shots: an organization with people, cards, payments, controls and webhooks. */

import { type Member, signUp } from './member.ts'
import type { Sandbox } from './sandbox.ts'
import { onboard } from './scene/checks.ts'
import { issueCards } from './scene/issuing.ts'
import { operate } from './scene/operator.ts'
import { pay } from './scene/payments.ts'
import { runBacktest, setUp } from './scene/platform.ts'
import { receive, sell } from './scene/shop.ts'

export type Scene = {
  base_url: string
  member: Member
  /** A member whose tenant has nothing yet. */
  newcomer: Member
  /** An owner of the operator's team. */
  operator: Member
  /** Ids of what was made, by the names that paths use. */
  ids: Record<'user' | 'card' | 'account' | 'product' | 'card_order', string> &
    Record<'approved' | 'declined', string> &
    Record<
      'business' | 'endpoint' | 'order' | 'refunded' | 'checkout' | 'widget' | 'receiver',
      string
    > &
    Record<
      | 'day'
      | 'dispute'
      | 'shop_dispute'
      | 'answered_dispute'
      | 'declined_checkout'
      | 'replaced_checkout'
      | 'paid_checkout',
      string
    > &
    Record<'asked_checkout' | 'refused_checkout' | 'expired_checkout', string> &
    Record<'kept_checkout' | 'consent_checkout', string> &
    Record<'webhook' | 'limit' | 'list' | 'backtest' | 'bulk' | 'tenant' | 'merchant', string>
}

/** Beyond what a new tenant has (D-134). */
const FUNDING = { currency: 'AED', amount: 90_000 }

export async function makeScene(sandbox: Sandbox): Promise<Scene> {
  const { base_url, operator_key } = sandbox
  const member = await signUp(base_url, 'layla@palm.example', 'Palm Bank')
  const { tenant } = await member.call('GET', '/portal/v1/session')
  await fetch(`${base_url}/v1/operator/tenants/${tenant.id}/funding`, {
    method: 'POST',
    headers: { apikey: operator_key, 'content-type': 'application/json' },
    body: JSON.stringify(FUNDING),
  })
  const newcomer = await signUp(base_url, 'omar@reef.example', 'Reef Finance')
  const issued = await issueCards(member)
  const platform = await setUp(member, issued)
  const payments = await pay(member, issued)
  const sold = await sell(sandbox, member, issued)
  const receiver = await receive(member)
  const backtest = await runBacktest(member)
  const business = await onboard(member)
  const { operator, merchant } = await operate({ base_url, operator_key })
  const ids = {
    ...issued.ids,
    ...platform,
    ...payments,
    ...sold,
    business,
    receiver,
    backtest,
    tenant: tenant.id,
    merchant,
  }
  return { base_url, member, newcomer, operator, ids }
}
