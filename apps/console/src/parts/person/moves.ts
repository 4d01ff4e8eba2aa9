/**
 * The rows of the table of states of a user that people make: clients by changeStatus, compliance by
 * its review (D-15, D-26). Pages offer these only; the platform decides.
 */

type Status =
  | 'PENDINGIDVERIFICATION'
  | 'PENDINGKYC'
  | 'PENDINGKYB'
  | 'ACTIVE'
  | 'SUSPENDED'
  | 'TERMINATED'

type State = { status: Status; status_reason_code: string }

export type MoveName =
  | 'suspend'
  | 'resume'
  | 'restart'
  | 'submit'
  | 'restart_renewal'
  | 'submit_renewal'
  | 'terminate'

export type UserMove = {
  name: MoveName
  from: readonly Status[]
  /** Absent if every reason of the statuses will do. */
  reasons?: readonly string[]
  to: Status
  reason: 'A0' | 'S0' | 'T0' | 'B0' | 'B2' | 'B0E' | 'B2E'
}

const PENDING: readonly Status[] = ['PENDINGIDVERIFICATION', 'PENDINGKYC', 'PENDINGKYB']

export const MOVES: readonly UserMove[] = [
  { name: 'suspend', from: ['ACTIVE'], to: 'SUSPENDED', reason: 'S0' },
  { name: 'resume', from: ['SUSPENDED'], reasons: ['S0'], to: 'ACTIVE', reason: 'A0' },
  {
    name: 'submit',
    from: ['PENDINGIDVERIFICATION'],
    reasons: ['I0', 'B1', 'B2', 'B5', 'B6', 'B9', 'B10'],
    to: 'PENDINGIDVERIFICATION',
    reason: 'B0',
  },
  {
    name: 'restart',
    from: ['PENDINGIDVERIFICATION'],
    reasons: ['B1', 'B5', 'B6'],
    to: 'PENDINGIDVERIFICATION',
    reason: 'B2',
  },
  {
    name: 'submit_renewal',
    from: ['ACTIVE'],
    reasons: ['A6', 'A8', 'B2E', 'B9E', 'B10E'],
    to: 'ACTIVE',
    reason: 'B0E',
  },
  {
    name: 'restart_renewal',
    from: ['ACTIVE'],
    reasons: ['A6', 'A8'],
    to: 'ACTIVE',
    reason: 'B2E',
  },
  {
    name: 'terminate',
    from: [...PENDING, 'ACTIVE', 'SUSPENDED'],
    to: 'TERMINATED',
    reason: 'T0',
  },
]

export const movesOf = ({ status, status_reason_code }: State): readonly UserMove[] =>
  MOVES.filter(
    ({ from, reasons }) =>
      from.includes(status) && (reasons === undefined || reasons.includes(status_reason_code)),
  )

/** Whether compliance may approve: before its first decision, or after its own rejection. */
export const mayBeApproved = ({ status, status_reason_code }: State): boolean =>
  status === 'PENDINGKYB' || (status === 'SUSPENDED' && status_reason_code === 'S5')

/** Whether compliance may reject: not what it has rejected already, and nobody who is terminated. */
export const mayBeRejected = ({ status, status_reason_code }: State): boolean =>
  PENDING.includes(status) ||
  status === 'ACTIVE' ||
  (status === 'SUSPENDED' && status_reason_code === 'S0')

/** Whether a report of the identity provider is awaited. */
export const awaitsReport = ({ status, status_reason_code: reason }: State): boolean =>
  (status === 'PENDINGIDVERIFICATION' && ['I0', 'B0', 'B2'].includes(reason)) ||
  (status === 'ACTIVE' && ['B0E', 'B2E'].includes(reason))
