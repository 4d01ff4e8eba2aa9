/**
 * A scheme that does what short words say, over one line to the platform, to try a network with
 * (docs/connect_a_network.md). Its keys are made here.
 */

import { randomBytes } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Fields, Message } from '#iso8583/message.ts'
import { elementIds, parseElements } from '#iso8583/tlv48.ts'
import { AesKey, type BlockKey, checkValueOf, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { encodeFormat0 } from '#pin/format0.ts'
import { encodeFormat4 } from '#pin/format4.ts'
import {
  newSchemeKey,
  type SchemeKey,
  type SchemeKeyUse,
  type SentForm,
  sentAs,
  sentWrongly,
} from './keys.ts'
import type { Came, SchemeLine } from './line.ts'
import { codes, type Sale, type SchemeMessages } from './messages.ts'
import { type Asked, silence, type Verdict, verdictOf } from './verdicts.ts'

export type SchemeOptions = {
  line: SchemeLine
  messages: SchemeMessages
  /** How keys are sent, and whether those that are made here are of AES. */
  sent: SentForm
  isAes: boolean
  sale: Omit<Sale, 'amount'>
  /** That of the card, for withdrawals. */
  pin: Secret | undefined
  /** Milliseconds for an answer, and for what the platform begins. */
  wait_ms: number
  /** A key that the platform has. */
  keep: (key: SchemeKey) => void
}

export const WORDS = {
  'sign-on': 'signs on (0800, DE70 001)',
  'sign-off': 'signs off (0800, DE70 002)',
  echo: 'sends an echo (0800, DE70 301)',
  zak: 'sends a new key for codes (0800, DE70 162)',
  zpk: 'sends a new key for PIN blocks (0800, DE70 161)',
  'wrong-key': 'sends a key for codes with the check value of another one',
  'await-sign-on': 'waits until the platform has signed on',
  'await-key-request': 'waits until the platform has asked for a key, and gives it one',
  'purchase AMOUNT': 'asks for a purchase (0100)',
  'wrong-mac AMOUNT': 'asks for a purchase with a code (MAC) that is wrong',
  'withdrawal AMOUNT': 'asks for cash with the PIN of --pin (0200), under the key of zpk before it',
  'wrong-pin AMOUNT': 'asks for cash with another PIN',
  'advice AMOUNT': 'reports a purchase that the scheme has approved (0120)',
  'present AMOUNT': 'presents the last purchase or advice (0220)',
  reversal: 'reverses the last payment (0420)',
  'wait SECONDS': 'stays connected for so long',
} as const

type NameOf<Word> = Word extends `${infer Name} ${string}` ? Name : Word
/** A word without what follows it. */
export type Word = NameOf<keyof typeof WORDS>

/** The fill of a PIN block of format 4. */
const FILL_BYTES = 8

const APPROVED = '00'
const INVALID = '12'
const WRONG_KEY = '81'

export class Scheme {
  readonly #options: SchemeOptions
  /** The last purchase or advice, and its answer. */
  #last: { message: Message; answer: Message | undefined } | undefined
  /** The key for PIN blocks that the platform has. */
  #zpk: SchemeKey | undefined
  readonly #signedOn = Promise.withResolvers<void>()
  #given = Promise.withResolvers<SchemeKey>()

  constructor(options: SchemeOptions) {
    this.#options = options
  }

  /**
   * The outcome of a word. `amount` is minor units, or seconds to wait. Throws a RangeError where
   * there is nothing to present or to reverse.
   */
  async do(word: Word, amount: bigint): Promise<Verdict> {
    const { messages } = this.#options
    const manage = (code: string, done: string) =>
      this.#ask(messages.management(code), { kind: 'management', done })
    const steps: Record<Word, () => Promise<Verdict>> = {
      'sign-on': () => manage(codes.sign_on, 'signed on, payments are decided from now on'),
      'sign-off': () => manage(codes.sign_off, 'signed off'),
      echo: () => manage(codes.echo, 'the line works'),
      zak: () => this.#sendKey('ZAK'),
      zpk: () => this.#sendKey('ZPK'),
      'wrong-key': () => this.#sendWrongKey(),
      'await-sign-on': () => this.#awaitSignOn(),
      'await-key-request': () => this.#awaitKeyRequest(),
      ...this.#payments(amount),
      wait: () => this.#stay(Number(amount)),
    }
    return steps[word]()
  }

  /** Answers a message that the platform begins. */
  answer(message: Message): void {
    const { mti, fields } = message
    if (mti !== '0800') return
    const wanted = wantedUse(fields)
    if (wanted) {
      this.#giveKey(message, wanted)
      return
    }
    const isKnown = fields[70] === codes.sign_on || fields[70] === codes.echo
    this.#reply(message, { 39: isKnown ? APPROVED : INVALID })
    if (fields[70] === codes.sign_on) this.#signedOn.resolve()
  }

  #payments(amount: bigint) {
    const { messages, sale } = this.#options
    const of = { ...sale, amount }
    const pay = (message: Message, done: string) => this.#pay(message, done)
    const last = () => {
      if (this.#last) return this.#last
      throw new RangeError('there is no purchase or advice before it')
    }
    return {
      purchase: () => pay(messages.purchase(of), 'approved, and held'),
      advice: () => pay(messages.advice(of), 'acknowledged, and held'),
      withdrawal: () => this.#withdraw(of, (pin) => pin),
      'wrong-pin': () => this.#withdraw(of, otherDigits),
      'wrong-mac': () => this.#forge(messages.purchase(of)),
      present: () => {
        const { message, answer } = last()
        const about = messages.present(message, answer, amount)
        return this.#ask(about, { kind: 'payment', done: 'acknowledged, and posted' })
      },
      reversal: () => {
        const about = messages.reversal(last().message)
        return this.#ask(about, { kind: 'payment', done: 'acknowledged, what was held is free' })
      },
    }
  }

  async #ask(message: Message, asked: Omit<Asked, 'isSealed'>, key?: BlockKey): Promise<Verdict> {
    const answer = await this.#answerTo(message, key)
    return this.#judge(message, asked, answer)
  }

  #answerTo(message: Message, key?: BlockKey): Promise<Came | undefined> {
    const { line, wait_ms } = this.#options
    return line.ask(message, wait_ms, key ?? line.key)
  }

  #judge({ mti }: Message, asked: Omit<Asked, 'isSealed'>, answer: Came | undefined): Verdict {
    const { line } = this.#options
    if (!answer) return silence(mti, line.isClosed)
    return verdictOf({ ...asked, isSealed: line.isSealing }, answer)
  }

  async #pay(message: Message, done: string): Promise<Verdict> {
    const answer = await this.#answerTo(message)
    this.#last = { message, answer: answer?.message }
    return this.#judge(message, { kind: 'payment', done }, answer)
  }

  async #withdraw(sale: Sale, change: (pin: string) => string): Promise<Verdict> {
    const { messages, pin } = this.#options
    const zpk = this.#zpk?.key
    if (!pin || !zpk)
      return { ok: false, says: 'the platform has no key for PIN blocks of this run' }
    const block = blockOf(pin.map(change), new Secret(sale.pan), zpk)
    return this.#pay(messages.withdrawal(sale, block), 'approved, and posted')
  }

  /** Any code is wrong where no key has come yet. */
  #forge(message: Message): Promise<Verdict> {
    const { isAes } = this.#options
    const asked = { kind: 'forged', done: '' } as const
    return this.#ask(message, asked, newSchemeKey('ZAK', isAes).key)
  }

  async #sendKey(use: SchemeKeyUse): Promise<Verdict> {
    const { messages, sent, isAes } = this.#options
    const key = newSchemeKey(use, isAes)
    const message = messages.management(codes[use], { 48: sentAs(key, sent) })
    const { line } = this.#options
    line.offered = use === 'ZAK' ? key.key : undefined
    const answer = await this.#answerTo(message)
    line.offered = undefined
    const done = `taken, the ${use} is that of check value ${checkValueOf(key.key)}`
    const verdict = this.#judge(message, { kind: 'key', done }, answer)
    if (answer?.message.fields[39] === APPROVED) this.#take(key)
    return verdict
  }

  async #sendWrongKey(): Promise<Verdict> {
    const { messages, sent, isAes } = this.#options
    const text = sentWrongly(newSchemeKey('ZAK', isAes), sent)
    const message = messages.management(codes.ZAK, { 48: text })
    const verdict = await this.#ask(message, { kind: 'key', done: 'taken, although it is wrong' })
    const isRefused = verdict.de39 === WRONG_KEY
    const says = isRefused ? `${WRONG_KEY}: refused, as it has to be` : verdict.says
    return { ...verdict, ok: isRefused, says }
  }

  async #awaitSignOn(): Promise<Verdict> {
    const isDone = await this.#within(this.#signedOn.promise)
    const says = isDone ? 'the platform has signed on' : 'the platform has not signed on'
    return { ok: isDone, says }
  }

  async #awaitKeyRequest(): Promise<Verdict> {
    const { promise } = this.#given
    if (!(await this.#within(promise))) {
      return { ok: false, says: 'the platform has not asked for a key' }
    }
    const { use, key } = await promise
    this.#given = Promise.withResolvers()
    const given = `that of check value ${checkValueOf(key)}`
    return { ok: true, says: `the platform has asked for a ${use}, and got ${given}` }
  }

  #giveKey(message: Message, use: SchemeKeyUse): void {
    const { sent, isAes } = this.#options
    const key = newSchemeKey(use, isAes)
    this.#reply(message, { 39: APPROVED, 48: sentAs(key, sent) })
    this.#take(key)
    this.#given.resolve(key)
  }

  #reply(message: Message, others: Fields): void {
    const { 7: time, 11: number, 33: institution, 70: code } = message.fields
    const fields = { 7: time, 11: number, 33: institution, ...others, 70: code }
    this.#options.line.send({ mti: '0810', fields }, { answers: message })
  }

  #take(key: SchemeKey): void {
    if (key.use === 'ZAK') this.#options.line.use(key.key)
    else this.#zpk = key
    this.#options.keep(key)
  }

  async #stay(seconds: number): Promise<Verdict> {
    const { line } = this.#options
    await this.#race(line.closed, seconds * 1_000)
    const says = line.isClosed ? 'the platform has closed the line' : 'the line is still open'
    return { ok: !line.isClosed, says }
  }

  #within(done: Promise<unknown>): Promise<boolean> {
    const { line, wait_ms } = this.#options
    const cut = line.closed.then(() => false)
    return this.#race(Promise.race([done.then(() => true), cut]), wait_ms).then((is) => is === true)
  }

  /** The value that comes about in so many milliseconds; undefined if nothing does. */
  async #race<Value>(done: Promise<Value>, ms: number): Promise<Value | undefined> {
    const over = new AbortController()
    const late = wait(ms, undefined, { signal: over.signal }).catch(() => undefined)
    try {
      return await Promise.race([done, late])
    } finally {
      over.abort()
    }
  }
}

/** Each digit is another one. */
const otherDigits = (pin: string): string =>
  pin.replace(/[0-9]/g, (digit) => String((Number(digit) + 1) % 10))

/** Format 0 under a key of TDES, format 4 under one of AES. */
function blockOf(pin: Secret, pan: Secret, key: BlockKey): Buffer {
  if (key instanceof TdesKey) return encodeFormat0(pin, pan, key)
  if (key instanceof AesKey) return encodeFormat4(pin, pan, key, randomBytes(FILL_BYTES))
  throw new TypeError('the key is neither of TDES nor of AES')
}

/** The use of the key that the platform asks for. */
function wantedUse({ 48: text = '' }: Fields): SchemeKeyUse | undefined {
  const parsed = parseElements(text)
  const use = parsed.ok ? parsed.elements.get(elementIds.key_use) : undefined
  return use === 'ZAK' || use === 'ZPK' ? use : undefined
}
