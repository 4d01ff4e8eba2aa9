/**
 * One process of the platform behind a network of NETWORKS_FILE with codes (MAC) and keys that
 * change. A broken way is a line that is cut before the answer leaves; then the port itself takes
 * approvals back.
 */

import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { Message } from '#iso8583/message.ts'
import { OutcomeUnknown } from '#issuing/authorization/engine/errors.ts'
import { createNetworkPort, type NetworkPort } from '#issuing/authorization/port/port.ts'
import { plainProfile } from '#issuing/authorization/port/profile.ts'
import type { AuthorizationAnswer } from '#issuing/authorization/schema.ts'
import { createLog } from '#kit/log.ts'
import { MAC_BYTES } from '#mac/mac.ts'
import { sealed } from '#sandbox/network_peer/sealed.ts'
import type { TestMessage } from '#test/support/desk.ts'
import { until } from '#test/support/services/receiver.ts'
import { manualClock } from '#test/support/time/manual_clock.ts'
import {
  type ProcessOptions,
  SimulatedProcess,
  type Submission,
  type Way,
} from '../simulated_process.ts'
import { type Asked, Line } from './line.ts'
import { answerIn, forged, keyMessage, messageOf, signOn } from './messages.ts'
import { DIALECT, type Exchange, METHOD, type Scheme, sealingOf } from './scheme.ts'

/** A message between its line and the engine. */
type Sent = Asked & { name: string; line: Line; way: Way; arrived: () => void; isTaken: boolean }

/** Per cent of the messages before which one comes with the code of another amount. */
const FORGED = 3
/** Milliseconds after which an answer does not come any more that has left the engine. */
const LATE_MS = 2_000
/** Turns of the event loop in which the port finds that an answer cannot be sent. */
const TURNS = 5

export class WiredProcess extends SimulatedProcess {
  readonly #scheme: Scheme
  readonly #clock = manualClock()
  readonly #lines = new Set<Line>()
  readonly #sent = new Set<Sent>()
  #port: NetworkPort | undefined
  #listening: Promise<number> | undefined
  /** Messages that the engine decides, and reversals of the port that it could not decide yet. */
  #deciding = 0
  readonly #owed = new Set<string>()

  constructor(options: ProcessOptions, scheme: Scheme) {
    super(options)
    this.#scheme = scheme
  }

  override receive(request: TestMessage, way: Way): Promise<AuthorizationAnswer | undefined> {
    return Promise.race([this.#send(request, way), this.ended.promise])
  }

  override async quiet(): Promise<void> {
    while (!this.isOver && !(await this.#isQuiet())) await wait(1)
    await super.quiet()
  }

  override end(): void {
    super.end()
    for (const line of this.#lines) line.cut()
    void this.#port?.close()
  }

  async #send(request: TestMessage, way: Way): Promise<AuthorizationAnswer | undefined> {
    const { schedule, name } = this.options
    const ready = await schedule.during(Promise.race([this.#ready(request), this.ended.promise]))
    if (!ready) return undefined
    const { line, message } = ready
    const { promise: isThere, resolve: arrived } = Promise.withResolvers<void>()
    const asked = line.ask(message, this.#scheme.zak)
    const of = request.duplicate_key ?? ''
    const sent: Sent = { ...asked, name: of, line, way, arrived, isTaken: false }
    this.#sent.add(sent)
    await schedule.during(Promise.race([isThere, asked.answer, this.ended.promise]))
    const answer = await asked.answer
    this.#sent.delete(sent)
    this.wrong.push(...line.wrong.splice(0))
    if (answer && way === 'lost after it was sent') {
      schedule.note(`${name}: the answer is lost on its way`)
      return undefined
    }
    if (answer?.fields[39] === '30') this.wrong.push(`${message.mti} is not understood`)
    return answer && answerIn(answer)
  }

  /** The message, and a line over which it may be sent. */
  async #ready(request: TestMessage): Promise<{ line: Line; message: Message }> {
    const { schedule, tenant } = this.options
    const isForged = schedule.percent(FORGED)
    const exchange = this.#scheme.due()
    const { card_id = '' } = 'card_id' in request.card ? request.card : {}
    const message = messageOf(request, await this.#scheme.panOf(tenant, card_id))
    if (exchange) await this.#exchange(exchange)
    if (isForged) await this.#forge(message)
    return { line: await this.#line(), message }
  }

  /** A message that comes with the code of other bytes has no effect. */
  async #forge(message: Message): Promise<void> {
    const line = await this.#line()
    const key = this.#scheme.zak
    const one = forged(message)
    const bytes = sealed(one, DIALECT, sealingOf(key))
    const code = sealed(message, DIALECT, sealingOf(key)).subarray(-MAC_BYTES)
    code.copy(bytes, bytes.length - code.length)
    // The key of its answer is the newest of the platform: a lost exchange leaves it open.
    const answer = await line.askBytes(one, bytes, undefined).answer
    if (answer && answer.fields[39] !== '30') this.wrong.push('a forged message is taken')
  }

  async #exchange(exchange: Exchange): Promise<void> {
    const scheme = this.#scheme
    const line = await this.#line()
    if (exchange === 'asked for') {
      await scheme.want()
      await until('cut lines are known', () => this.#port?.connections() === this.#open.length)
      this.#clock.advance(1_000)
      await until('the key has come', () => this.isOver || scheme.isAnswered())
      return scheme.done()
    }
    const message = keyMessage(scheme.begin())
    if (exchange === 'lost half-way') {
      line.put(sealed(message, DIALECT, sealingOf(scheme.zak)))
      return line.cut()
    }
    const answer = await line.ask(message, scheme.zak).answer
    // The same key is sent again where no answer has come.
    if (answer?.fields[39] === '00') scheme.done()
    else if (answer) this.wrong.push(`a key is answered ${answer.fields[39]}`)
    else line.cut()
  }

  async #line(): Promise<Line> {
    const [open] = this.#open
    if (open) return open
    const requested = (message: Message) => this.#requested(message)
    this.#listening ??= this.#listen()
    const line = await Line.open(await this.#listening, requested)
    this.#lines.add(line)
    // A process that has ended answers nothing on a line that was opened meanwhile.
    if (this.isOver) line.cut()
    if (!this.#scheme.zak) await this.#exchange('sent')
    const answer = await line.ask(signOn(), this.#scheme.zak).answer
    if (answer && answer.fields[39] !== '00') this.wrong.push('the sign-on is refused')
    return line
  }

  get #open(): Line[] {
    for (const line of this.#lines) if (line.isCut) this.#lines.delete(line)
    return [...this.#lines]
  }

  async #listen(): Promise<number> {
    const { tenant } = this.options
    const [dialect, header] = [DIALECT, 'binary2'] as const
    const mac = { required: true, method: METHOD }
    const own = { name: this.#scheme.name, keys: this.#scheme.processKeys() }
    this.#port = createNetworkPort({
      ...{ host: '127.0.0.1', port: 0, dialect, header, clock: this.#clock },
      profile: { ...plainProfile(dialect, header), ...own, mac, billing: 'scheme' },
      engine: {
        tenantOfPan: async () => tenant.id,
        submit: (_tenant_id, submission) => this.#submit(submission),
      },
      log: createLog('silent'),
      limits: { closing: 100 },
    })
    return (await this.#port.listen()).port
  }

  /** The platform asks for a key. */
  #requested({ fields }: Message): void {
    const [line] = this.#open
    const { 48: text } = this.#scheme.begin()
    const answer = { mti: '0810', fields: { ...fields, 39: '00', 48: text } }
    line?.put(sealed(answer, DIALECT, sealingOf(this.#scheme.zak)))
  }

  #submit(submission: Submission): Promise<AuthorizationAnswer> {
    // Nothing comes of what a process does that has ended.
    if (this.isOver) return new Promise(() => {})
    const { request, received } = submission
    const isOwn = received === undefined
    return isOwn ? this.#reverse(submission) : this.#decideSent(submission, this.#take(request))
  }

  #take({ duplicate_key }: Submission['request']): Sent | undefined {
    const sent = [...this.#sent].find((one) => one.name === duplicate_key && !one.isTaken)
    if (sent) sent.isTaken = true
    sent?.arrived()
    return sent
  }

  async #decideSent(submission: Submission, sent?: Sent): Promise<AuthorizationAnswer> {
    const { schedule, name } = this.options
    this.#deciding += 1
    try {
      const answer = await this.decide(submission)
      await schedule.point(`${name} sends ${answer.status_code}`)
      if (sent?.way === 'broken before it is sent') await schedule.during(this.#break(sent.line))
      this.#comeBack(sent, LATE_MS)
      return answer
    } catch (error) {
      this.#comeBack(sent, error instanceof OutcomeUnknown ? 0 : LATE_MS)
      throw error
    } finally {
      this.#deciding -= 1
    }
  }

  /** Nothing is chosen while the answer is on its way. */
  #comeBack(sent: Sent | undefined, ms: number): void {
    if (!sent) return
    const late = wait(ms, undefined, { ref: false })
    void this.options.schedule.during(Promise.race([sent.answer, late]).then(sent.giveUp))
  }

  async #break(line: Line): Promise<void> {
    this.options.schedule.note(`${this.options.name}: the line is cut`)
    line.cut()
    await until('the port knows', () => this.#port?.connections() === this.#open.length)
  }

  async #reverse(submission: Submission): Promise<AuthorizationAnswer> {
    const { duplicate_key = '' } = submission.request
    this.#deciding += 1
    this.#owed.add(duplicate_key)
    try {
      const answer = await this.decide(submission)
      this.#owed.delete(duplicate_key)
      return answer
    } finally {
      this.#deciding -= 1
    }
  }

  async #isQuiet(): Promise<boolean> {
    const isBusy = () => this.#deciding + this.#owed.size > 0
    if (isBusy() || (this.#port?.connections() ?? 0) !== this.#open.length) return false
    for (let left = TURNS; left > 0; left -= 1) await turn()
    return !isBusy()
  }
}
