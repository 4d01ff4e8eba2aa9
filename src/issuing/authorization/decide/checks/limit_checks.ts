/** Velocity limits and balance limits as checks of an authorization (D-41, D-42, D-43, D-106). */

import {
  type Beyond,
  debitRoom,
  enforced,
  findExceeded,
  findUndercut,
  type LimitTerms,
  type Standing,
  velocityFault,
} from '#issuing/limits/rules.ts'
import type { ShadowFinding } from '#issuing/shadows/rules.ts'
import type { Case } from '../case.ts'
import { covered } from '../charges/charges.ts'
import { isWithdrawal } from '../kinds.ts'
import { declined, type Finding, passed, withShadows } from './findings.ts'

/** The codes in the order of their precedence. */
export const velocityCodes = ['1021', '1896', '1897', '1898'] as const

/** The amount of one transaction first, then the sum of the period, then the number. */
export function velocity({ kind, limits, raises, billing = 0n }: Case): Finding {
  const { direction, type } = kind
  if (direction !== 'debit' || limits.velocity.length === 0) return passed('no limits')
  const spending = { amount: billing, raises, withdraws: isWithdrawal(type) }
  const faults = limits.velocity
    .flatMap(({ limit, counted }) => velocityFault(limit, spending, counted) ?? [])
    .sort((one, other) => velocityCodes.indexOf(one.code) - velocityCodes.indexOf(other.code))
  const fault = faults.find(({ limit }) => limit.mode === 'ENFORCED')
  const shadows = faults.flatMap((one) => shadowOf(one) ?? [])
  const within = passed(`${limits.velocity.length - shadows.length} within`)
  return withShadows(fault ? declined(fault.code, fault.detail) : within, shadows)
}

export const balanceCodes = ['1875', '1876', '1877', '1878'] as const

/** Refunds are credited whatever a limit says, as money that the network has posted (D-432). */
export function balanceLimits(input: Case): Finding {
  const { kind, limits, room } = input
  const { standing } = limits
  if (limits.balance.length === 0 || !standing || kind.direction === 'none')
    return passed('no limits')
  const balance = enforced(limits.balance)
  const { beyond, partial } = beyondLimits(input, balance, standing, room)
  const shadows = limits.balance.flatMap((limit) => {
    if (limit.mode === 'ENFORCED') return []
    const own = debitRoom([limit], standing)
    const found = beyondLimits(input, [limit], standing, own < room ? own : room)
    return (found.beyond && !found.partial && shadowOf(found.beyond)) || []
  })
  if (!beyond) return withShadows(passed(`${balance.length} within`), shadows)
  return withShadows(
    partial ? passed(`${beyond.detail}, partial approval`) : declined(beyond.code, beyond.detail),
    shadows,
  )
}

/** The first limit that the movement would pass, and whether a part of a debit may be approved. */
function beyondLimits(
  input: Case,
  balance: readonly LimitTerms[],
  standing: Standing,
  room: bigint,
) {
  const { request, kind, product, billing: amount = 0n, charge } = input
  if (kind.direction === 'credit')
    return { beyond: findExceeded(balance, standing, amount), partial: false }
  // Less than was requested may be approved; the minimum that limits require stays (D-48, D-433).
  const partial =
    product?.partial_approval === true &&
    request.partial_capable &&
    room > 0n &&
    covered(input, room) > 0n
  return { beyond: findUndercut(balance, standing, amount + charge), partial }
}

const shadowOf = ({ limit, code, detail }: Beyond<string>): ShadowFinding | undefined =>
  limit.mode === 'SHADOW' ? { kind: limit.kind, id: limit.id, code, detail } : undefined
