/** The change that a backtest tries, as the controls of the page Controls. */

import type { Proposal } from '../../api/types.ts'
import { KIND_NAMES, type KindName } from '../controls/kinds.ts'
import { NEW, type Typed } from '../controls/typed.ts'

const MEMBERS: Readonly<Record<KindName, keyof Proposal>> = {
  velocity: 'velocity_limits',
  balance: 'balance_limits',
  countries: 'allowed_countries',
  mccs: 'allowed_mccs',
  merchants: 'allowed_merchants',
}

/** The one kind of control that is tried; undefined if the API was given other changes. */
export function changeOf(proposal: Proposal): KindName | undefined {
  const members = Object.keys(proposal)
  const kind = KIND_NAMES.find((name) => members.length === 1 && members[0] === MEMBERS[name])
  const limits = proposal.velocity_limits ?? proposal.balance_limits ?? []
  return limits.length > 1 ? undefined : kind
}

const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : String(value)

/** The proposal of a backtest, as the form of such a control has it. */
export function typedOfProposal(proposal: Proposal): Typed {
  const { allowed_countries, allowed_mccs, allowed_merchants } = proposal
  const [velocity] = proposal.velocity_limits ?? []
  const [balance] = proposal.balance_limits ?? []
  if (velocity) {
    return {
      ...NEW,
      type: velocity.type,
      currency: velocity.currency,
      min_amount: textOf(velocity.min_amount),
      max_amount: textOf(velocity.max_amount),
      frequency: textOf(velocity.frequency),
      period: textOf(velocity.period),
      scope: velocity.transaction_scope?.[0] ?? 'ALL',
    }
  }
  if (balance) {
    const { type, currency, min_amount } = balance
    return { ...NEW, type, currency, min_amount: textOf(min_amount) }
  }
  if (allowed_merchants) {
    const idsOf = (isAllowed: boolean) =>
      allowed_merchants.merchants
        .filter(({ allow }) => allow === isAllowed)
        .map(({ merchant_id }) => merchant_id)
        .join(', ')
    return { ...NEW, items: idsOf(true), blocked: idsOf(false) }
  }
  const items = allowed_countries?.country_codes ?? allowed_mccs?.mccs ?? []
  const allow = allowed_countries?.allow ?? allowed_mccs?.allow ?? true
  return { ...NEW, allow, items: items.join(', ') }
}
