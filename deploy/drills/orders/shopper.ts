/**
 * Customers of a shop, and the shop: each goes on until it knows what has become of its order,
 * whatever process ends meanwhile.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { DrillFault } from '../fault.ts'

export type Keys = { public_key: string; private_key: string }
export type PayingCard = { pan: string; cvv2: string; expiry_date: string }

/** Sums in hundredths of a major unit. */
export type Sums = { captured: number; refunded: number }
export type Counts = Record<'paid' | 'unpaid' | 'captures' | 'refunds' | 'again', number>

type Reply = { status: number; text: string; location: string }
type Sent = { headers?: Record<string, string>; body?: string }

const CURRENCY = 'AED'
const PAUSE_MS = 100
/** A process starts again within seconds; an outcome in doubt is known within a minute. */
const PATIENCE_MS = 180_000
const TOKEN_MS = 10 * 60_000
const CONFIRM = 'https://shop.example/confirm'
const REJECT = 'https://shop.example/reject'
/** One order in so many is refunded: half of what was captured. */
const REFUNDED_EVERY = 3
/** Totals differ, so that an order that is taken for another shows. */
const TOTALS = 900

export class Shopper {
  readonly counts: Counts = { paid: 0, unpaid: 0, captures: 0, refunds: 0, again: 0 }
  readonly sums: Sums = { captured: 0, refunded: 0 }
  readonly #base: string
  readonly #keys: Keys
  readonly #cards: readonly PayingCard[]
  #token: { text: Promise<string>; until: number } | undefined

  /** `port` is that of the shop's API and pages. */
  constructor(port: number, keys: Keys, cards: readonly PayingCard[]) {
    this.#base = `http://127.0.0.1:${port}`
    this.#keys = keys
    this.#cards = cards
  }

  /** The order of this number, from checkout to capture, and every third one to its refund. */
  async buy(number: number): Promise<void> {
    const reference = `DAY-${number}`
    const hundredths = 100 + (number % TOTALS)
    const url = await this.#open(reference, hundredths)
    const card = this.#cards[number % this.#cards.length]
    if (!card || !(await this.#pay(url, card))) {
      this.counts.unpaid += 1
      return
    }
    this.counts.paid += 1
    await this.#settle(`/orders/${reference}/capture`, {})
    this.counts.captures += 1
    this.sums.captured += hundredths
    if (number % REFUNDED_EVERY !== 0) return
    const half = Math.floor(hundredths / 2)
    await this.#settle(`/orders/${reference}/refund`, { total: text(half), currency: CURRENCY })
    this.counts.refunds += 1
    this.sums.refunded += half
  }

  /** Opens the checkout; the path of its page. */
  async #open(reference: string, hundredths: number): Promise<string> {
    const urls = { confirm_callback_url: CONFIRM, reject_callback_url: REJECT }
    const checkout = { reference, total: text(hundredths), currency: CURRENCY, ...urls }
    const reply = await this.#call('/checkouts', checkout, `checkout ${reference}`)
    if (reply.status !== 201) throw new DrillFault(`a checkout was answered ${reply.text}`)
    const { pathname, search } = new URL(JSON.parse(reply.text).checkout_url)
    return pathname + search
  }

  /** Whether it is paid. The form is sent again only if the page offers it again. */
  async #pay(url: string, { pan, cvv2, expiry_date }: PayingCard): Promise<boolean> {
    const [year = '', month = ''] = expiry_date.slice(2).split('-')
    for (const end = performance.now() + PATIENCE_MS; ; ) {
      const page = await this.#ask(url)
      if (page.status === 303) return page.location === CONFIRM
      if (page.status === 410) return false
      const form_token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1]
      if (form_token !== undefined) {
        const fields = { form_token, card_number: pan, expiry: `${month}/${year}`, cvv2 }
        const sent = await this.#once(url, {
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(fields).toString(),
        }).catch(() => undefined)
        if (sent?.status === 303) return sent.location === CONFIRM
      }
      if (performance.now() > end) throw new DrillFault(`a payment was not known: ${page.text}`)
      this.counts.again += 1
      await pause(PAUSE_MS)
    }
  }

  /** A capture or a refund. One that has certainly failed is asked for anew, under another key. */
  async #settle(path: string, body: object): Promise<void> {
    for (let attempt = 1, end = performance.now() + PATIENCE_MS; ; attempt++) {
      const { status, text } = await this.#call(path, body, `${path} ${attempt}`)
      if (status === 200 && JSON.parse(text).status === 'SUCCESS') return
      if (status !== 200 || performance.now() > end) {
        throw new DrillFault(`${path} was answered ${status} ${text}`)
      }
      this.counts.again += 1
      await pause(PAUSE_MS)
    }
  }

  async #call(path: string, body: object, key: string): Promise<Reply> {
    const headers = {
      authorization: `Bearer ${await this.#bearer()}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    }
    return this.#ask(`/api/v1.0${path}`, { headers, body: JSON.stringify(body) })
  }

  #bearer(): Promise<string> {
    if (!this.#token || performance.now() > this.#token.until) {
      const text = this.#signIn()
      this.#token = { text, until: performance.now() + TOKEN_MS }
    }
    return this.#token.text
  }

  async #signIn(): Promise<string> {
    const reply = await this.#ask('/api/v1.0/merchant/authentication', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(this.#keys),
    })
    return JSON.parse(reply.text).token
  }

  /** Sends it until it is answered with what is known. */
  async #ask(path: string, sent: Sent = {}): Promise<Reply> {
    for (const end = performance.now() + PATIENCE_MS; ; ) {
      const reply = await this.#once(path, sent).catch(() => undefined)
      // 409: the same request, or another one of this order, is under way.
      if (reply && reply.status < 500 && reply.status !== 409) return reply
      if (performance.now() > end) {
        throw new DrillFault(`${path} was not answered: ${reply?.status} ${reply?.text}`)
      }
      this.counts.again += 1
      await pause(PAUSE_MS)
    }
  }

  async #once(path: string, { headers = {}, body }: Sent): Promise<Reply> {
    const sent = body === undefined ? {} : { method: 'POST', body }
    const options = { redirect: 'manual', headers, ...sent } as const
    const reply = await fetch(this.#base + path, options)
    const location = reply.headers.get('location') ?? ''
    return { status: reply.status, text: await reply.text(), location }
  }
}

const text = (hundredths: number): string => (hundredths / 100).toFixed(2)
