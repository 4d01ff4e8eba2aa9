/** How much of a request is approved, and the code of it. */

import { chargeNeeded, payable } from '../charges/charges.ts'
import type { DecisionInput } from '../decision_input.ts'
import { kindOf } from '../kinds.ts'
import type { ApprovalCode } from '../messages/answers.ts'
import type { WorkingSet } from '../state/working_set.ts'
import { billedOf, coveredBy } from './billing.ts'

/** The available amount, or less if the responder approved less (D-48, D-471). */
export function approvedAmount(
  workingSet: WorkingSet,
  input: DecisionInput,
  first: boolean,
): bigint {
  const { verdict } = input
  const most = coveredAmount(workingSet, input, first)
  const lowered = verdict?.kind === 'answered' ? verdict.amount : undefined
  return lowered !== undefined && lowered < most ? lowered : most
}

/** All of it, or the available amount if the terminal and the product allow less (D-48). */
function coveredAmount(workingSet: WorkingSet, input: DecisionInput, first: boolean): bigint {
  const { request, card } = input
  const account = workingSet.account(card?.account_id ?? null)
  if (!account || kindOf(request).direction !== 'debit') return request.amount
  const room = workingSet.limits.room(card?.card_id, account)
  const billing = billedOf(workingSet, input)
  if (billing + chargeNeeded(input, account, billing, first) <= room) return request.amount
  return coveredBy(workingSet, input, payable(input, account, room, first))
}

/** A credit needs no identification and no VIP code: a plain approval. */
export function successCode(
  { request, card }: DecisionInput,
  amount: bigint,
  billing: bigint,
): ApprovalCode {
  const { direction, type } = kindOf(request)
  if (type === 'VERIFICATION') return '0885'
  if (direction !== 'debit') return '0000'
  if (amount < request.amount) return '0002'
  const { identify_above = null, user_vip = false } = card ?? {}
  if (identify_above !== null && billing >= identify_above) return '0001'
  return user_vip ? '0003' : '0000'
}
