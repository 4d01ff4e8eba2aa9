/**
 * One payment from its request to the last message about it, as the seed has it. Its belief is what
 * the network believes of it in the end. Amounts are minor units.
 */

import { about, nameOf, purchase, type TestMessage } from '#test/support/desk.ts'
import { AGE_MS } from './ageing.ts'
import type { BankCard } from './bank.ts'
import { Belief, type Rate, SAME } from './belief.ts'
import type { Network, Outcome } from './network.ts'

type Completion = { message: TestMessage; amount: bigint }

export type PaymentOptions = {
  network: Network
  card: BankCard
  currency?: string
  /** Another rate of its currency is in force from now on; without it, the account's. */
  moveRate?: () => Promise<Rate>
  /** The scheme bills the amounts of its currency. */
  isBilled?: boolean
  /** Ages what is stored of the payment beyond the time for which messages are looked up. */
  age?: (() => Promise<void>) | undefined
  /** Its hold comes to its end. */
  expire?: ((rrn: string) => Promise<void>) | undefined
}

const AMOUNTS = [1_000n, 2_500n, 10_000n] as const
/** A pump is opened for so much, and so much is filled. */
const [PUMPED, FILLED] = [40_000n, 7_000n]
const PUMP = { id: 'PUMP1', name: 'Pump', mcc: '5542' }
/** More than any account of the simulator has. */
const BEYOND_FUNDS = 2_000_000n
/** Another amount: nothing distinguishes the advices of two approvals of one amount (D-529). */
const RAISED_BEYOND_FUNDS = 3_000_000n
/** Per cent of the increments: wrong orders of messages show at declined ones. */
const INCREMENTS_BEYOND_FUNDS = 40

export class Payment {
  readonly belief: Belief
  readonly #options: PaymentOptions
  readonly #network: Network
  #isAged = false
  /** Its hold comes to its end. */
  #isEnding = false
  /** How much a limit counts at a higher rate depends on what came first of an increment's. */
  #keepsRate = false
  #approval_code: string | undefined
  readonly #completions: Completion[] = []
  /** Advices that are still on their way. */
  readonly #advised: Promise<void>[] = []

  private constructor(options: PaymentOptions, rate: Rate) {
    this.#options = options
    this.#network = options.network
    const { moveRate, isBilled } = options
    this.belief = new Belief(rate, moveRate !== undefined, isBilled)
  }

  static async open(options: PaymentOptions): Promise<Payment> {
    return new Payment(options, (await options.moveRate?.()) ?? SAME)
  }

  async run(): Promise<void> {
    if (this.#network.schedule.percent(30)) await this.#single()
    else await this.#dual()
  }

  /** 0200: held and posted at once. */
  async #single(): Promise<void> {
    const { schedule } = this.#network
    const amount = schedule.pick(AMOUNTS)
    const message = this.#purchase(amount, '0200')
    const outcome = await this.#request('the sale', message, false)
    if (outcome.kind !== 'approved') return this.#settleLate(message)
    this.belief.authorized = amount
    this.belief.present(amount)
    if (schedule.percent(30)) {
      const stays = schedule.pick([0n, amount / 4n])
      await this.#network.reverse('the sale', message, { remaining_amount: stays })
      this.belief.takeBack(amount - stays)
      this.belief.authorized = stays
    } else await this.#refund(message)
  }

  async #dual(): Promise<void> {
    const { schedule } = this.#network
    const isBeyond = schedule.percent(8)
    const isPump = schedule.percent(15)
    const usual = isPump ? PUMPED : schedule.pick(AMOUNTS)
    const amount = isBeyond ? BEYOND_FUNDS : usual
    const sale = this.#purchase(amount, '0100')
    const message = isPump ? { ...sale, merchant: PUMP } : sale
    const outcome = await this.#request('the request', message, true)
    if (!(await this.#authorized('the request', message, outcome, isBeyond))) {
      return this.#settleLate(message)
    }
    this.belief.authorized += amount
    const raised = !isPump && schedule.percent(30) ? await this.#raise(message) : undefined
    if (this.#options.age) {
      await this.#delivered()
      await this.#options.age()
      this.#isAged = true
    }
    if (!isPump && schedule.percent(20))
      await this.#lower(message, outcome.kind === 'approved' && !raised)
    if (isPump) return this.#fill(message)
    if (this.#options.expire && schedule.percent(12)) return this.#expire(message)
    if (schedule.percent(20)) return this.#cancel(message, raised)
    await this.#present(message)
  }

  /** A fuel pump: an advice says what was filled, and the first presentment ends the hold. */
  async #fill(message: TestMessage): Promise<void> {
    const { schedule } = this.#network
    await this.#delivered()
    const { rrn = '' } = message
    const filled = schedule.pick([0n, FILLED, message.amount])
    if (schedule.percent(70)) {
      const advised_approval = { approved: true, approval_code: 'FILLED' }
      const advice = about(message, { message_type: '0120', amount: filled, advised_approval })
      await this.#network.advise('what was filled', this.#dated({ ...advice, original: { rrn } }))
      this.belief.authorized = filled
    }
    const amount = schedule.pick([0n, this.belief.authorized / 2n, this.belief.authorized])
    if (amount === 0n) return
    await this.#moveRate()
    const code = this.#approval_code
    const original = { rrn, ...(code !== undefined && { approval_code: code }) }
    const claim = about(message, { message_type: '0220', amount, original })
    await this.#network.advise('what is claimed', this.#dated(claim))
    this.belief.present(amount)
    this.belief.authorized = amount
  }

  #purchase(amount: bigint, message_type: '0100' | '0200'): TestMessage {
    const { card, currency = 'AED' } = this.#options
    return this.#dated(purchase(card, amount, { message_type, currency }))
  }

  #request(what: string, message: TestMessage, canStandIn: boolean): Promise<Outcome> {
    const { gate } = this.#options.card
    return this.#network.request(what, message, { canStandIn, gate })
  }

  /** Whether the network believes in an approval; it may cancel its own at once. */
  async #authorized(
    what: string,
    message: TestMessage,
    outcome: Outcome,
    isBeyond: boolean,
  ): Promise<boolean> {
    const { schedule } = this.#network
    if (outcome.kind === 'approved') {
      this.#approval_code = outcome.answer.approval_code
      return true
    }
    if (outcome.kind !== 'stood in') return false
    this.belief.isForced = true
    this.#approval_code = outcome.approval_code
    if (schedule.percent(15)) {
      await Promise.all([outcome.advised, this.#network.reverse(what, message)])
      return false
    }
    // A declined request looks like one that was never approved, so its advice comes first.
    if (isBeyond || schedule.percent(60)) await outcome.advised
    else this.#advised.push(outcome.advised)
    return true
  }

  async #delivered(): Promise<void> {
    await Promise.all(this.#advised.splice(0))
  }

  /** Sent now, or before the payment aged. */
  #dated(message: TestMessage): TestMessage {
    if (!this.#options.age) return message
    const at = new Date(Date.now() - (this.#isAged ? 0 : AGE_MS))
    const transmitted = at.toISOString().replace(/\D/g, '').slice(4, 14)
    const [type, stan, , ...rest] = (message.duplicate_key ?? '').split('|')
    return { ...message, duplicate_key: [type, stan, transmitted, ...rest].join('|') }
  }

  async #raise(first: TestMessage): Promise<TestMessage | undefined> {
    // An increment of what the platform does not know would be a payment of its own.
    await this.#delivered()
    const { schedule } = this.#network
    const isBeyond = schedule.percent(INCREMENTS_BEYOND_FUNDS)
    const amount = isBeyond ? RAISED_BEYOND_FUNDS : schedule.pick([300n, 700n])
    const { rrn = '' } = first
    const message = this.#dated(about(first, { message_type: '0100', amount, original: { rrn } }))
    const code = this.#approval_code
    const outcome = await this.#request('the increment', message, true)
    const isRaised = await this.#authorized('the increment', message, outcome, isBeyond)
    if (!isRaised || outcome.kind === 'approved') this.#approval_code = code
    this.#keepsRate = outcome.kind === 'reversed'
    if (!isRaised) return undefined
    this.belief.authorized += amount
    return message
  }

  async #lower(message: TestMessage, isAlone: boolean): Promise<void> {
    await this.#delivered()
    const stays = this.belief.authorized / 2n
    // DE95 says what stays of all, DE4 what goes of one approval.
    const byDe4 = isAlone && this.#network.schedule.percent(50)
    const fields = byDe4 ? { amount: stays } : { remaining_amount: stays }
    await this.#network.reverse('a part', message, fields)
    this.belief.authorized = byDe4 ? this.belief.authorized - stays : stays
  }

  /** One reversal a message, where several made the hold. */
  async #cancel(message: TestMessage, raised: TestMessage | undefined): Promise<void> {
    await this.#delivered()
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
    if (this.belief.authorized === 0n && !raised) await this.#settleLate(message)
  }

  /**
   * The scheme has settled what it reversed, or what was declined: its presentment is posted, and
   * may be taken back (D-1037).
   */
  async #settleLate(message: TestMessage): Promise<void> {
    const { schedule } = this.#network
    if (!schedule.percent(20)) return
    await this.#moveRate()
    const { amount, rrn = '' } = message
    const original = { rrn, message_key: this.#nameOf(message) }
    const late = this.#dated(about(message, { message_type: '0220', amount, original }))
    await this.#network.advise('the late presentment', late)
    this.belief.presentApart(amount)
    if (!schedule.percent(25)) return
    await this.#network.reverse('the late presentment', late)
    this.belief.takeBackApart()
  }

  /** The hold ends while its last completion or its reversal is on its way, or before it. */
  async #expire(message: TestMessage): Promise<void> {
    const { schedule } = this.#network
    await this.#delivered()
    if (schedule.percent(50)) await this.#complete(message, false)
    this.#isEnding = true
    const ends = this.#options.expire?.(message.rrn ?? '')
    if (schedule.percent(50)) await ends
    if (schedule.percent(40)) {
      await this.#network.reverse('the request', message, { remaining_amount: 0n })
    } else if (schedule.percent(70)) await this.#complete(message, true)
    await ends
    this.belief.expire()
  }

  async #present(message: TestMessage): Promise<void> {
    const { schedule } = this.#network
    await this.#moveRate()
    const times = 1 + schedule.upTo(2)
    for (let at = 0; at < times; at += 1) {
      await this.#complete(message, at === times - 1 && schedule.percent(50))
    }
    await this.#delivered()
    const [completion] = this.#completions
    if (!completion) return
    await this.#moveRate()
    if (schedule.percent(35)) await this.#takeBack(completion)
    else await this.#refund(message)
  }

  /** Only when nothing is on its way that the rate would apply to. */
  async #moveRate(): Promise<void> {
    if (!this.#options.moveRate || this.#keepsRate) return
    await this.#delivered()
    this.belief.rate = await this.#options.moveRate()
  }

  async #complete(message: TestMessage, isWhole: boolean): Promise<void> {
    const { schedule } = this.#network
    const left = this.belief.open
    const amount = isWhole ? left : left / 2n
    if (amount <= 0n) return
    const { rrn = '' } = message
    const code = this.#approval_code
    const completion = this.#dated(
      about(message, {
        message_type: '0220',
        amount,
        original: {
          rrn,
          ...(schedule.percent(50) && { message_key: this.#nameOf(message) }),
          ...(code !== undefined && { approval_code: code }),
        },
      }),
    )
    // Fees of an amount that is taken back stay if something else is posted, and depend on the
    // order. An amount that is taken back after the hold has ended is held anew.
    if (!this.#options.moveRate && !this.#isEnding && schedule.percent(12)) {
      await this.#network.adviseAndCancel('a completion', completion)
      return
    }
    await this.#network.advise('a completion', completion)
    this.belief.present(amount)
    this.#completions.push({ message: completion, amount })
  }

  /** Some networks leave zeros in the acquirer part of DE90. */
  #nameOf(message: TestMessage): string {
    const name = nameOf(message)
    return this.#network.schedule.percent(30) ? name.replace(/[^|]*$/, '') : name
  }

  /**
   * A reversal states in DE95 the amount that stays, or in DE4 the amount that goes, which may be
   * too high.
   */
  async #takeBack({ message, amount }: Completion): Promise<void> {
    const how = this.#network.schedule.upTo(3)
    const stays = how === 1 ? amount / 4n : 0n
    const fields =
      how === 1 ? { remaining_amount: stays } : how === 2 ? { amount: 10n * amount } : {}
    await this.#network.reverse('a completion', message, fields)
    this.belief.takeBack(amount - stays)
  }

  async #refund(message: TestMessage): Promise<void> {
    const { schedule } = this.#network
    const amount = this.belief.presented / 2n
    if (amount === 0n || !schedule.percent(30)) return
    const refund = this.#dated(
      about(message, { message_type: '0200', processing_code: '200000', amount }),
    )
    const outcome = await this.#network.request('the refund', refund, { canStandIn: false })
    if (outcome.kind === 'approved') this.belief.refund(amount)
  }
}
