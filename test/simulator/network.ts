/**
 * The card network as it sees one payment: it repeats what gets no answer, reverses it or stands
 * in, and sends advices until they are acknowledged.
 */

import type { AuthorizationAnswer } from '#issuing/authorization/schema.ts'
import { about, type TestMessage } from '#test/support/desk.ts'
import type { Gate } from './bank.ts'
import type { Bill } from './currencies.ts'
import type { Schedule } from './schedule.ts'
import type { SimulatedProcess, Way } from './simulated_process.ts'

export type Faults = {
  /** Percent of the answers that cannot be sent, and of those that are lost on their way. */
  broken: number
  lost: number
}

/** The outcome of a request, as the network knows it. */
export type Outcome =
  | { kind: 'approved'; answer: AuthorizationAnswer }
  | { kind: 'declined' }
  /** The network reversed it, or never approved it. */
  | { kind: 'reversed' }
  /** The network approved it in place of the platform, under this code. */
  | { kind: 'stood in'; approval_code: string; advised: Promise<void> }

const REPEATS = 2
/** DE39 of a message that the platform did not decide: it says nothing of an earlier one. */
const INOPERATIVE = '91'
/** The tries of an advice after which its ways have no faults. */
const FAULTY_TRIES = 3
const TRIES_MAX = 50

/** Whether one of the same message had no answer, and no other answer says what came of it. */
const isOpen = (all: readonly (AuthorizationAnswer | undefined)[]): boolean =>
  all.includes(undefined) &&
  all.every((answer) => answer === undefined || answer.status_code === INOPERATIVE)

export class Network {
  readonly schedule: Schedule
  /** The name of its payment in stories and in the codes of its approvals: one letter. */
  readonly #name: string
  readonly #processes: () => readonly [SimulatedProcess, ...SimulatedProcess[]]
  readonly #faults: Faults
  readonly #bill: Bill | undefined
  /** Approvals that the platform should not have given. */
  readonly wrong: string[] = []
  #stood_in = 0

  constructor(
    name: string,
    schedule: Schedule,
    processes: () => readonly [SimulatedProcess, ...SimulatedProcess[]],
    faults: Faults,
    bill?: Bill,
  ) {
    this.#bill = bill
    this.#name = name
    this.schedule = schedule
    this.#processes = processes
    this.#faults = faults
  }

  /**
   * A request until the network knows what came of it. Some are reversed, or repeated, while the
   * first is on its way.
   */
  async request(
    what: string,
    message: TestMessage,
    { canStandIn, gate }: { canStandIn: boolean; gate?: Gate },
  ): Promise<Outcome> {
    const before = gate && { ...gate }
    const outcome = await this.#request(what, message, canStandIn)
    const spared = what === 'the increment' ? 0 : (before?.closed_but_to_raises ?? 0)
    const isClosed = before && before.closed + spared > 0 && before.changes === gate?.changes
    if (isClosed && outcome.kind === 'approved')
      this.wrong.push(`${what} was approved where nothing may be`)
    return outcome
  }

  async #request(what: string, message: TestMessage, canStandIn: boolean): Promise<Outcome> {
    const { schedule } = this
    if (schedule.percent(12)) {
      await Promise.all([this.#send(what, message), this.reverse(what, message)])
      return { kind: 'reversed' }
    }
    const sent = [this.#send(what, message)]
    if (schedule.percent(25)) sent.push(this.#send(`${what} again`, message))
    const all = await Promise.all(sent)
    for (let tries = 0; isOpen(all) && tries < REPEATS; tries += 1) {
      if (schedule.percent(40)) break
      all.push(await this.#send(`${what} again`, message))
    }
    const answers = isOpen(all) ? [] : all.filter((answer) => answer !== undefined)
    const approved = answers.find((answer) => answer.approved)
    if (approved) return { kind: 'approved', answer: approved }
    if (answers.length > 0) return { kind: 'declined' }
    return canStandIn && schedule.percent(60)
      ? this.#standIn(what, message)
      : this.reverse(what, message)
  }

  /** Repeats an advice until it is acknowledged; returns the platform's answer. */
  async advise(what: string, message: TestMessage): Promise<AuthorizationAnswer> {
    const beside = this.schedule.percent(10) ? this.#send(`${what} again`, message) : undefined
    for (let tries = 1; tries <= TRIES_MAX; tries += 1) {
      const answer = await this.#send(what, message, tries > FAULTY_TRIES)
      if (!answer) continue
      await beside
      return answer
    }
    throw new Error(`${what} is not acknowledged`)
  }

  /** An advice and its reversal at one moment. */
  async adviseAndCancel(what: string, message: TestMessage): Promise<void> {
    await Promise.all([this.advise(what, message), this.reverse(what, message)])
  }

  async reverse(
    what: string,
    message: TestMessage,
    fields: Partial<TestMessage> = {},
  ): Promise<{ kind: 'reversed' }> {
    const reversal = about(message, { message_type: '0420', ...fields })
    await this.advise(`the reversal of ${what}`, reversal)
    return { kind: 'reversed' }
  }

  #standIn(what: string, message: TestMessage): Outcome {
    this.#stood_in += 1
    const approval_code = `${this.#name}T${String(this.#stood_in).padStart(4, '0')}`
    const { rrn = '' } = message
    const advice = about(message, {
      message_type: '0120',
      advised_approval: { approved: true, approval_code },
      original: { rrn },
    })
    this.schedule.note(`${this.#name}: the network stands in for ${what} with ${approval_code}`)
    const advised = this.advise(`the advice of ${what}`, advice).then(() => {})
    return { kind: 'stood in', approval_code, advised }
  }

  async #send(
    what: string,
    message: TestMessage,
    whole = false,
  ): Promise<AuthorizationAnswer | undefined> {
    const { schedule } = this
    const processes = this.#processes()
    const process = processes[schedule.upTo(processes.length)] ?? processes[0]
    const way = whole ? 'whole' : this.#way()
    await schedule.point(
      `${this.#name}: ${message.message_type} (${what}) comes to ${process.name}`,
    )
    const sent = this.#bill ? { ...message, billed: this.#bill(message.amount) } : message
    const answer = process.isOver ? undefined : await process.receive(sent, way)
    const got = answer ? `${answer.status_code}${answer.repeated ? ' again' : ''}` : 'no answer'
    schedule.note(`${this.#name}: the network gets ${got} to ${message.message_type} (${what})`)
    return answer
  }

  #way(): Way {
    const chance = this.schedule.chance() * 100
    if (chance < this.#faults.broken) return 'broken before it is sent'
    return chance < this.#faults.broken + this.#faults.lost ? 'lost after it was sent' : 'whole'
  }
}
