/** The answers of the simulated scheme to disputes, by their amounts (D-1064). Pure. */

import type { DisputeRow, NetworkMove } from '#issuing/disputes/schema.ts'

type Answer = {
  /** The first answer to the chargeback; `half` takes half of the amount back. */
  first: 'REPRESENT' | 'WIN' | 'REJECT'
  half?: true
  /** The decision about an arbitration. */
  verdict: 'WIN' | 'LOSE'
}

/** By the last two digits of the amount in minor units; others are never answered. */
export const answers: Readonly<Record<number, Answer>> = {
  1: { first: 'REPRESENT', verdict: 'WIN' },
  2: { first: 'REPRESENT', verdict: 'LOSE' },
  3: { first: 'WIN', verdict: 'WIN' },
  4: { first: 'REJECT', verdict: 'LOSE' },
  5: { first: 'REPRESENT', half: true, verdict: 'LOSE' },
}

const HUNDRED = 100n
export const answerTo = (amount: bigint): Answer | undefined => answers[Number(amount % HUNDRED)]

type Path = readonly (NetworkMove['step'] | 'ARBITRATE' | 'WITHDRAW')[]
type Call = 'represent' | 'win' | 'lose' | 'arbitrate' | 'withdraw'

/**
 * The steps from each status to where a call of a tester, or a step of the shop's side, leads; none
 * leads from the others.
 */
export const paths: Readonly<Record<Call, Partial<Record<DisputeRow['status'], Path>>>> = {
  represent: { SUBMITTED: ['SENT', 'REPRESENT'], CHARGED_BACK: ['REPRESENT'] },
  arbitrate: {
    SUBMITTED: ['SENT', 'REPRESENT', 'ARBITRATE'],
    CHARGED_BACK: ['REPRESENT', 'ARBITRATE'],
    REPRESENTED: ['ARBITRATE'],
  },
  win: {
    SUBMITTED: ['SENT', 'WIN'],
    CHARGED_BACK: ['WIN'],
    REPRESENTED: ['ARBITRATE', 'WIN'],
    PRE_ARBITRATION: ['WIN'],
  },
  lose: {
    SUBMITTED: ['SENT', 'REPRESENT', 'ARBITRATE', 'LOSE'],
    CHARGED_BACK: ['REPRESENT', 'ARBITRATE', 'LOSE'],
    REPRESENTED: ['ARBITRATE', 'LOSE'],
    PRE_ARBITRATION: ['LOSE'],
  },
  withdraw: { CHARGED_BACK: ['WITHDRAW'] },
}
