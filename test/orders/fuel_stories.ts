/**
 * Payments at a fuel pump (MCC 5542, D-1036): the request holds the most that may be filled, an
 * advice says what was, and the first presentment ends the hold. They may overtake each other; only
 * an advice of what was filled follows that of an approval in place of the platform, which has the
 * same names.
 */

import { about, purchase } from '#test/support/desk.ts'
import type { Sent, Story } from './stories.ts'

/** As in stories.ts: an amount that converts without a rest. */
const UNIT = 1_600n
const HELD = 40n * UNIT
const PUMP = { id: 'PUMP1', name: 'Pump', mcc: '5542' }

const WAYS = ['answered', 'stood in', 'never came'] as const
const FILLED = [undefined, 0n, 7n * UNIT, HELD, 60n * UNIT] as const
const PRESENTED = [undefined, 5n * UNIT, 7n * UNIT, 60n * UNIT] as const

export const fuelStories = (card: { card_id: string }, currency: string): Story[] =>
  WAYS.flatMap((way) =>
    FILLED.flatMap((filled) =>
      PRESENTED.flatMap((presented) => storyOf(card, currency, { way, filled, presented }) ?? []),
    ),
  )

type Plan = {
  way: (typeof WAYS)[number]
  filled: bigint | undefined
  presented: bigint | undefined
}

function storyOf(card: { card_id: string }, currency: string, plan: Plan): Story | undefined {
  const { way, filled, presented } = plan
  // Nothing was filled, so nothing is presented.
  if (filled === 0n && presented !== undefined) return undefined
  const first = purchase(card, HELD, { currency, merchant: PUMP })
  const { rrn = '' } = first
  const advice = (amount: bigint, approval_code: string) => {
    const advised_approval = { approved: true, approval_code }
    return about(first, { message_type: '0120', amount, advised_approval, original: { rrn } })
  }
  const sent: Sent[] = []
  if (way !== 'never came') sent.push({ name: 'request', message: first, after: [] })
  if (way !== 'answered') sent.push({ name: 'advice', message: advice(HELD, 'ST0001'), after: [] })
  if (filled !== undefined) {
    sent.push({ name: 'filled', message: advice(filled, 'ST0002'), after: ['advice'] })
  }
  if (presented !== undefined) {
    const message = about(first, { message_type: '0220', amount: presented, original: { rrn } })
    sent.push({ name: 'presentment', message, after: [] })
  }
  const held = presented === undefined ? (filled ?? HELD) : 0n
  const status = held > 0n ? 'PENDING' : presented === undefined ? 'VOIDED' : 'SETTLED'
  const name = `${way}, filled ${filled ?? 'unknown'}, presented ${presented ?? 'not yet'}`
  const counted = presented === undefined ? held : undefined
  return { name, sent, held, posted: presented ?? 0n, counted, status }
}
