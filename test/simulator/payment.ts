/**
 * One payment from its request to the last message about it, as the seed has it, and what the
 * network believes of it in the end. Amounts are minor units.
 */

import { about, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'
import type { Network, Outcome } from './network.ts'

/** What the network believes: what is authorized, presented and refunded, and not taken back. */
export type Belief = { authorized: bigint; presented: bigint; refunded: bigint }

type Completion = { message: TestMessage; amount: bigint }

const AMOUNTS = [1_000n, 2_500n, 10_000n] as const
/** Longer than messages are looked up by their keys. */
export const AGE_MS = 45 * 86_400_000
/** More than any account of the simulator has. */
const BEYOND_FUNDS = 100_000_000n

export class Payment {
  readonly belief: Belief = { authorized: 0n, presented: 0n, refunded: 0n }
  readonly #network: Network
  readonly #card: { card_id: string }
  /** Ages what is stored of the payment beyond the time for which messages are looked up. */
  readonly #age: (() => Promise<void>) | undefined
  #isAged = false
  #approval_code: string | undefined
  readonly #completions: Completion[] = []

  constructor(network: Network, card: { card_id: string }, age?: () => Promise<void>) {
    this.#network = network
    this.#card = card
    this.#age = age
  }

  async run(): Promise<void> {
    if (this.#network.schedule.percent(30)) await this.#single()
    else await this.#dual()
  }

  /** 0200: held and posted at once. */
  async #single(): Promise<void> {
    const { schedule } = this.#network
    const amount = schedule.pick(AMOUNTS)
    const message = this.#dated(purchase(this.#card, amount, { message_type: '0200' }))
    const outcome = await this.#network.request('the sale', message, false)
    if (outcome.kind !== 'approved') return
    this.belief.presented += amount
    if (schedule.percent(30)) {
      const stays = schedule.pick([0n, amount / 4n])
      await this.#network.reverse('the sale', message, { remaining_amount: stays })
      this.belief.presented = stays
    } else await this.#refund(message, amount)
  }

  async #dual(): Promise<void> {
    const { schedule } = this.#network
    const isBeyond = schedule.percent(8)
    const amount = isBeyond ? BEYOND_FUNDS : schedule.pick(AMOUNTS)
    const message = this.#dated(purchase(this.#card, amount))
    const outcome = await this.#network.request('the request', message, true)
    if (!(await this.#authorized('the request', message, outcome, isBeyond))) return
    this.belief.authorized += amount
    const raised = schedule.percent(25) ? await this.#raise(message) : undefined
    if (this.#age) {
      await Promise.all(this.#advised.splice(0))
      await this.#age()
      this.#isAged = true
    }
    if (schedule.percent(20)) await this.#lower(message)
    if (schedule.percent(20)) return this.#cancel(message, raised)
    await this.#present(message)
  }

  /** Whether the network believes in an approval; it may cancel its own at once. */
  async #authorized(
    what: string,
    message: TestMessage,
    outcome: Outcome,
    isBeyond = false,
  ): Promise<boolean> {
    const { schedule } = this.#network
    if (outcome.kind === 'approved') {
      this.#approval_code = outcome.answer.approval_code
      return true
    }
    if (outcome.kind !== 'stood in') return false
    this.#approval_code = outcome.approval_code
    if (schedule.percent(15)) {
      await Promise.all([outcome.advised, this.#network.reverse(what, message)])
      return false
    }
    // What was declined looks like what was never approved, so that the advice comes first.
    if (isBeyond || schedule.percent(60)) await outcome.advised
    else this.#advised.push(outcome.advised)
    return true
  }

  /** Advices that are still on their way. */
  readonly #advised: Promise<void>[] = []

  /** Sent now, or before the payment aged. */
  #dated(message: TestMessage): TestMessage {
    if (!this.#age) return message
    const at = new Date(Date.now() - (this.#isAged ? 0 : AGE_MS))
    const transmitted = at.toISOString().replace(/\D/g, '').slice(4, 14)
    const [type, stan, , ...rest] = (message.duplicate_key ?? '').split('|')
    return { ...message, duplicate_key: [type, stan, transmitted, ...rest].join('|') }
  }

  async #raise(first: TestMessage): Promise<TestMessage | undefined> {
    // An increment of what the platform does not know would be a payment of its own.
    await Promise.all(this.#advised.splice(0))
    const amount = this.#network.schedule.pick([300n, 700n])
    const { rrn = '' } = first
    const message = this.#dated(about(first, { message_type: '0100', amount, original: { rrn } }))
    const code = this.#approval_code
    const outcome = await this.#network.request('the increment', message, true)
    const isRaised = await this.#authorized('the increment', message, outcome)
    if (!isRaised || outcome.kind === 'approved') this.#approval_code = code
    if (!isRaised) return undefined
    this.belief.authorized += amount
    return message
  }

  async #lower(message: TestMessage): Promise<void> {
    await Promise.all(this.#advised.splice(0))
    const stays = this.belief.authorized / 2n
    await this.#network.reverse('a part', message, { remaining_amount: stays })
    this.belief.authorized = stays
  }

  /** One reversal a message, where several made the hold. */
  async #cancel(message: TestMessage, raised: TestMessage | undefined): Promise<void> {
    await Promise.all(this.#advised.splice(0))
    const left = this.belief.authorized
    if (raised) {
      const amount = left < raised.amount ? left : raised.amount
      await this.#network.reverse('the increment', raised)
      this.belief.authorized -= amount
      if (this.belief.authorized === 0n) return
    }
    await this.#network.reverse('the request', message)
    const rest = this.belief.authorized - (raised ? message.amount : this.belief.authorized)
    this.belief.authorized = rest > 0n ? rest : 0n
  }

  async #present(message: TestMessage): Promise<void> {
    const { schedule } = this.#network
    const times = 1 + schedule.upTo(2)
    for (let at = 0; at < times; at += 1) await this.#complete(message, at === times - 1)
    await Promise.all(this.#advised.splice(0))
    const [completion] = this.#completions
    if (!completion) return
    if (schedule.percent(35)) await this.#takeBack(completion)
    else await this.#refund(message, this.belief.presented)
  }

  async #complete(message: TestMessage, isLast: boolean): Promise<void> {
    const { schedule } = this.#network
    const left = this.belief.authorized - this.belief.presented
    const amount = isLast && schedule.percent(50) ? left : left / 2n
    if (amount <= 0n) return
    const { rrn = '' } = message
    const code = this.#approval_code
    const completion = this.#dated(
      about(message, {
        ...{ message_type: '0220', amount },
        original: {
          rrn,
          ...(schedule.percent(50) && { message_key: nameOf(message) }),
          ...(code !== undefined && { approval_code: code }),
        },
      }),
    )
    if (schedule.percent(12)) {
      await this.#network.adviseAndCancel('a completion', completion)
      return
    }
    await this.#network.advise('a completion', completion)
    this.belief.presented += amount
    this.#completions.push({ message: completion, amount })
  }

  /** By DE95 what stays, or by DE4 what goes, which may be said too high. */
  async #takeBack({ message, amount }: Completion): Promise<void> {
    const how = this.#network.schedule.upTo(3)
    const stays = how === 1 ? amount / 4n : 0n
    const fields =
      how === 1 ? { remaining_amount: stays } : how === 2 ? { amount: 10n * amount } : {}
    await this.#network.reverse('a completion', message, fields)
    this.belief.presented -= amount - stays
  }

  async #refund(message: TestMessage, posted: bigint): Promise<void> {
    const { schedule } = this.#network
    const amount = posted / 2n
    if (amount === 0n || !schedule.percent(30)) return
    const refund = this.#dated(
      about(message, { message_type: '0200', processing_code: '200000', amount }),
    )
    const outcome = await this.#network.request('the refund', refund, false)
    if (outcome.kind === 'approved') this.belief.refunded += amount
  }
}
