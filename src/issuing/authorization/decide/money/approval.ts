/** How much of a request is approved, and the code of it. */

import type { Case } from '../case.ts'
import { covered } from '../charges/charges.ts'
import type { ApprovalCode } from '../messages/answers.ts'
import { billedOf } from './billing.ts'

/** The available amount, or less if the responder approved less (D-48, D-471). */
export function approvedAmount(input: Case): bigint {
  const { verdict } = input
  const most = coveredAmount(input)
  const lowered = verdict?.kind === 'answered' ? verdict.amount : undefined
  return lowered !== undefined && lowered < most ? lowered : most
}

/** All of it, or the available amount if the terminal and the product allow less (D-48). */
function coveredAmount(input: Case): bigint {
  const { request, kind, account, room, charge } = input
  if (!account || kind.direction !== 'debit') return request.amount
  return billedOf(input) + charge <= room ? request.amount : covered(input, room)
}

/** A credit needs no identification and no VIP code: a plain approval. */
export function successCode(
  { request, kind: { direction, type }, product, holder }: Case,
  amount: bigint,
  billing: bigint,
): ApprovalCode {
  if (type === 'VERIFICATION') return '0885'
  if (direction !== 'debit') return '0000'
  if (amount < request.amount) return '0002'
  const { identify_above = null } = product ?? {}
  if (identify_above !== null && billing >= identify_above) return '0001'
  return holder?.vip ? '0003' : '0000'
}
