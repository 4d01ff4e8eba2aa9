/** Velocity limits and balance limits as checks of an authorization (D-41, D-42, D-43, D-106). */

import { findExceeded, findUndercut, velocityFault } from '#issuing/limits/rules.ts'
import type { Evidence } from './evidence.ts'
import { declined, type Finding, passed } from './findings.ts'
import { isWithdrawal, kindOf } from './kinds.ts'

/** In the order of their precedence. */
export const velocityCodes = ['1021', '1896', '1897', '1898'] as const

/** The amount of one transaction first, then the sum of the period, then the number. */
export function velocity({ request, limits, raises, billing = 0n }: Evidence): Finding {
  const { direction, type } = kindOf(request)
  if (direction !== 'debit' || limits.velocity.length === 0) return passed('no limits')
  const spending = { amount: billing, raises, withdraws: isWithdrawal(type) }
  const faults = limits.velocity.flatMap(
    ({ limit, counted }) => velocityFault(limit, spending, counted) ?? [],
  )
  for (const code of velocityCodes) {
    const fault = faults.find((one) => one.code === code)
    if (fault) return declined(code, fault.detail)
  }
  return passed(`${limits.velocity.length} within`)
}

export const balanceCodes = ['1875', '1876', '1877', '1878'] as const

/** Refunds are credited whatever a limit says, as money that the network has posted (D-432). */
export function balanceLimits(evidence: Evidence): Finding {
  const { request, card, limits, room, billing: amount = 0n, charge, covered } = evidence
  const { direction } = kindOf(request)
  const { balance, standing } = limits
  if (balance.length === 0 || !standing || direction === 'none') return passed('no limits')
  if (direction === 'credit') {
    const exceeded = findExceeded(balance, standing, amount)
    return exceeded ? declined(exceeded.code, exceeded.detail) : passed(`${balance.length} within`)
  }
  const undercut = findUndercut(balance, standing, amount + charge)
  if (!undercut) return passed(`${balance.length} within`)
  // Less than was requested may be approved: what limits require stays (D-48, D-433).
  const partial =
    card?.partial_approval && request.partial_capable && room > 0n && covered(room) > 0n
  return partial
    ? passed(`${undercut.detail}, partial approval`)
    : declined(undercut.code, undercut.detail)
}
