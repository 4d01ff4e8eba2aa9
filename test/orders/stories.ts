/**
 * Payments as sets of messages, each with what the network believes of it in the end. A set has
 * only orders that can really happen; each `after` rests on one of these sentences:
 *
 * - A request that raises a hold follows the request whose answer the terminal used.
 * - A request that raises a hold comes before its own advice, which shares only the retrieval
 *   reference with it: after it, it is the next one of that amount.
 * - A reversal that leaves a part (DE95) says what is left of all that was approved. So it follows
 *   the other approvals of the payment; it may come before the advice of the one that it names.
 * - A part of an approval that we gave is reversed by a party that knows our answer.
 * - A reversal of a part by its DE4 is of one request that came, without another approval beside
 * it:
 *   nothing else says which amount it is a part of.
 * - Reversals that each leave a part are sent one after the other.
 * - A message that takes more than the account has comes after the request that we approved: that
 *   one would be declined for want of funds.
 * - A refund follows the presentment that it pays back.
 * - A repeat follows the message that it repeats.
 *
 * All others may overtake each other: advices are stored and forwarded, reversals are sent by those
 * who got no answer, and presentments come by another way.
 */

import { about, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'

export type Sent = { name: string; message: TestMessage; after: readonly string[] }

/** The status of a payment, whose messages may have made several transactions. */
export type Status = 'PENDING' | 'SETTLED' | 'VOIDED'

export type Story = {
  name: string
  sent: readonly Sent[]
  /** Minor units of the payment's currency. */
  held: bigint
  posted: bigint
  /**
   * The amount counted by limits: held and posted amounts; a refund gives nothing back. Undefined
   * if it depends on the order: more was presented than was authorized by then (D-430).
   */
  counted: bigint | undefined
  status: Status
}

export type End = Pick<Story, 'held' | 'posted' | 'counted' | 'status'>

export const shown = ({ held, posted, counted, status }: End): string =>
  `${status} with ${held} held, ${posted} posted, ${counted} counted`

/**
 * Multiples of this amount convert without a rest in each currency: the first presentment is
 * converted alone.
 */
const UNIT = 1_600n
const FIRST = 100n * UNIT
const RAISED = 30n * UNIT
export const OPENING = 4_000n * UNIT
/** More than the account has, in any currency of the payment. */
const BEYOND = 20_000n * UNIT

/**
 * `declined`: the platform declined, and the network approved in its place. `refused`: the decline
 * remains.
 */
type Way = 'answered' | 'stood in' | 'declined' | 'never came' | 'refused'
const APPROVED_WAYS: readonly Way[] = ['answered', 'stood in', 'declined', 'never came']
const FIRST_WAYS: readonly Way[] = [...APPROVED_WAYS, 'refused']
const RAISE_WAYS: readonly (Way | 'none')[] = ['none', ...APPROVED_WAYS]
const REVERSALS = [
  ...['none', 'first', 'raise', 'both', 'first in part', 'raise in part', 'twice in part'],
  ...['in part and all', 'part by DE4'],
] as const
const PRESENTMENTS = [
  'none',
  'all',
  'a part',
  'two parts',
  'all by DE90',
  'what was reversed',
] as const
const AFTERMATHS = ['none', 'taken back', 'taken back in part', 'refunded'] as const
const REPEATED = ['none', 'request', 'advice', 'raise advice', 'reversal', 'presentment'] as const

type Plan = {
  first: Way
  raise: Way | 'none'
  reversal: (typeof REVERSALS)[number]
  presentment: (typeof PRESENTMENTS)[number]
  aftermath: (typeof AFTERMATHS)[number]
  repeated: (typeof REPEATED)[number]
}

const SENT_MAX = 6

/** Every set of at most six messages that a plan makes, in one currency. */
export function stories(card: { card_id: string }, currency: string): Story[] {
  return plans().flatMap((plan) => {
    const story = storyOf(plan, card, currency)
    return story && story.sent.length <= SENT_MAX ? [story] : []
  })
}

function plans(): Plan[] {
  return FIRST_WAYS.flatMap((first) =>
    RAISE_WAYS.flatMap((raise) =>
      REVERSALS.flatMap((reversal) =>
        PRESENTMENTS.flatMap((presentment) =>
          AFTERMATHS.flatMap((aftermath) =>
            REPEATED.map((repeated) => ({
              first,
              raise,
              reversal,
              presentment,
              aftermath,
              repeated,
            })),
          ),
        ),
      ),
    ),
  )
}

const requested = (way: Way | 'none'): boolean => way !== 'none' && way !== 'never came'
const advised = (way: Way | 'none'): boolean =>
  way !== 'none' && way !== 'answered' && way !== 'refused'

/** Undefined for a plan that is another one or that no network has. */
function storyOf(plan: Plan, card: { card_id: string }, currency: string): Story | undefined {
  const { first, raise } = plan
  // A hold above the funds leaves nothing for a request that needs our approval.
  if (first === 'declined' && raise === 'answered') return undefined
  const builder = new Builder(plan, card, currency)
  const isWhole =
    builder.approvals() && builder.reversals() && builder.presentments() && builder.end()
  return isWhole ? builder.story : undefined
}

class Builder {
  readonly #plan: Plan
  readonly #sent: Sent[] = []
  readonly #first: TestMessage
  readonly #raise: TestMessage
  readonly #presented: { message: TestMessage; amount: bigint }[] = []
  /** The total that is authorized, and what was posted of it. */
  #authorized = 0n
  #posted = 0n
  #refunded = 0n

  constructor(plan: Plan, card: { card_id: string }, currency: string) {
    this.#plan = plan
    const isDeclined = plan.first === 'declined' || plan.first === 'refused'
    const first = isDeclined ? BEYOND : FIRST
    this.#first = purchase(card, first, { currency })
    const { rrn = '' } = this.#first
    const raised = plan.raise === 'declined' ? BEYOND + UNIT : RAISED
    this.#raise = about(this.#first, {
      message_type: '0100',
      amount: raised,
      original: { rrn },
    })
  }

  get story(): Story {
    const name = Object.values(this.#plan).join(', ')
    const rest = this.#authorized - this.#posted
    const held = rest > 0n ? rest : 0n
    const posted = this.#posted
    const { reversal, presentment } = this.#plan
    const isBeyond = reversal === 'both' && presentment === 'what was reversed'
    const counted = isBeyond ? undefined : held + posted + this.#refunded
    const status = held > 0n ? 'PENDING' : posted + this.#refunded > 0n ? 'SETTLED' : 'VOIDED'
    return { name, sent: this.#sent, held, posted, counted, status }
  }

  approvals(): boolean {
    const { first, raise } = this.#plan
    if (first === 'refused' && raise === 'none') return false
    this.#authorized = first === 'refused' ? 0n : this.#first.amount
    if (raise !== 'none') this.#authorized += this.#raise.amount
    if (requested(first)) this.#add('request', this.#first)
    if (advised(first)) this.#add('advice', this.#adviceOf(this.#first, 'ST0001'))
    if (requested(raise)) this.#add('raise', this.#raise, requested(first) ? ['request'] : [])
    if (advised(raise)) {
      this.#add('raise advice', this.#adviceOf(this.#raise, 'ST0002'), ['raise'])
    }
    return true
  }

  reversals(): boolean {
    const { first, reversal, raise } = this.#plan
    const isOfRaise = reversal.startsWith('raise') || reversal === 'both'
    if (isOfRaise && raise === 'none') return false
    const isOfFirst = reversal !== 'none' && !reversal.startsWith('raise')
    if (isOfFirst && first === 'refused') return false
    if (reversal === 'first' || reversal === 'both') {
      this.#add('reversal', about(this.#first, { message_type: '0420' }))
      this.#authorized -= this.#first.amount
    }
    if (reversal === 'raise' || reversal === 'both') {
      const name = reversal === 'both' ? 'other reversal' : 'reversal'
      this.#add(name, about(this.#raise, { message_type: '0420' }))
      this.#authorized -= this.#raise.amount
    }
    if (reversal === 'first in part') this.#leave('reversal', 60n * UNIT, 'first')
    if (reversal === 'part by DE4') {
      if (raise !== 'none' || !requested(first)) return false
      const part = about(this.#first, { message_type: '0420', amount: 40n * UNIT })
      this.#add('reversal', part, ['request', 'advice'])
      this.#authorized -= part.amount
    }
    if (reversal === 'raise in part') {
      this.#leave('reversal', this.#authorized - this.#raise.amount / 2n, 'raise')
    }
    if (reversal === 'twice in part' || reversal === 'in part and all') {
      this.#leave('reversal', 60n * UNIT, 'first')
      const stays = reversal === 'twice in part' ? 20n * UNIT : 0n
      this.#leave('other reversal', stays, 'first', ['reversal'])
    }
    return true
  }

  /** The amount that remains is that of all approvals together (D-107). */
  #leave(name: string, stays: bigint, of: 'first' | 'raise', after: readonly string[] = []): void {
    const [named, own, others] =
      of === 'first'
        ? [this.#first, 'request', ['raise', 'raise advice']]
        : [this.#raise, 'raise', ['request', 'advice']]
    const isKnown = advised(this.#plan[of])
    const message = about(named, { message_type: '0420', remaining_amount: stays })
    this.#add(name, message, [...others, ...(isKnown ? [] : [own]), ...after])
    this.#authorized = stays
  }

  presentments(): boolean {
    const { first, presentment, reversal, raise } = this.#plan
    if (presentment === 'none') return true
    const isAgainst = presentment === 'what was reversed'
    if (isAgainst !== (this.#authorized === 0n)) return false
    // An authorization that comes after all of that was presented is a payment of its own.
    if (isAgainst && reversal === 'in part and all' && raise !== 'none') return false
    const against = first === 'refused' ? this.#raise.amount : this.#first.amount
    const whole = isAgainst ? against : this.#authorized
    const half = 10n * UNIT
    if (presentment === 'a part') this.#present('presentment', half)
    else if (presentment === 'two parts') {
      this.#present('presentment', half)
      this.#present('other presentment', whole - half)
    } else this.#present('presentment', whole, presentment === 'all by DE90')
    return true
  }

  end(): boolean {
    const { aftermath, repeated } = this.#plan
    const [presented] = this.#presented
    if (aftermath !== 'none' && !presented) return false
    if (presented && aftermath.startsWith('taken back')) {
      const { message, amount } = presented
      const stays = aftermath === 'taken back' ? 0n : amount / 2n
      const left = stays > 0n && { remaining_amount: stays }
      const fields = { message_type: '0420', ...left } as const
      const original = { message_key: nameOf(message), rrn: message.rrn ?? '' }
      this.#add('taken back', about(message, { ...fields, original }))
      this.#posted -= amount - stays
    }
    if (presented && aftermath === 'refunded') {
      const amount = presented.amount / 2n
      const fields = { message_type: '0200', processing_code: '200000', amount } as const
      this.#add('refund', about(this.#first, fields), ['presentment', 'other presentment'])
      this.#posted -= amount
      this.#authorized -= amount
      this.#refunded = amount
    }
    if (repeated === 'none') return true
    const again = this.#sent.find(({ name }) => name === repeated)
    if (again) this.#sent.push({ ...again, name: `${repeated} again`, after: [repeated] })
    return again !== undefined
  }

  #present(name: string, amount: bigint, byName = false): void {
    const { rrn = '' } = this.#first
    const original = { rrn, ...(byName && { message_key: nameOf(this.#first) }) }
    const message = about(this.#first, { message_type: '0220', amount, original })
    const { first, raise } = this.#plan
    this.#add(name, message, first === 'answered' && raise === 'declined' ? ['request'] : [])
    this.#presented.push({ message, amount })
    this.#posted += amount
  }

  #adviceOf(message: TestMessage, approval_code: string): TestMessage {
    const { amount, rrn = '' } = message
    const advised_approval = { approved: true, approval_code }
    return about(message, { message_type: '0120', amount, advised_approval, original: { rrn } })
  }

  #add(name: string, message: TestMessage, after: readonly string[] = []): void {
    this.#sent.push({ name, message, after })
  }
}
