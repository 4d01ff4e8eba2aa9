/**
 * Clients that use a platform while it is killed under them: each repeats a request with its key
 * until it is answered, and stores the answers, to compare them with the database.
 */

import assert from 'node:assert/strict'
import type { Chance } from '../chances.ts'
import { Acknowledgements, faultOfAnswer } from '../inspection/oracle.ts'
import type { Insisted, Killable } from '../processes/killable.ts'
import { createClient } from './client.ts'

const KEY_HEADERS = { issuing: 'x-bezant-idempotency-key', merchant: 'idempotency-key' }
/** Answers that are not kept under a key (D-10). */
const NOT_KEPT = [400, 401, 403, 429]

export type Kind = 'load' | 'authorize' | 'clear' | 'refund' | 'order capture' | 'order refund'
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers member by member.
export type Body = any
/** The answer under one key, with the object that it is about. */
export type Answered = { kind: Kind; key: string; status: number; body: Body; about: string }
export type Card = { id: string; account_id: string }
/** A card whose status only one client changes, as that client knows it. */
export type OwnCard = Card & { status: string; moves: number }
/**
 * The objects that the clients share. The client that removes an order's reference captures that
 * order.
 */
export type Stock = { cards: Card[]; own_cards: OwnCard[]; orders: string[] }

type Asking = { key?: string; body?: object; apikey?: string; as?: 'merchant' }
type Post = { kind: Kind; url: string; about: string; bodyOf: (key: string) => object }

export class Crowd {
  readonly answered: Answered[] = []
  readonly acknowledged = new Acknowledgements()
  readonly stock: Stock = { cards: [], own_cards: [], orders: [] }
  readonly platform: Killable
  requests = 0
  cut = 0
  #keys = 0
  #merchant = { id: '', token: '' }

  constructor(platform: Killable) {
    this.platform = platform
  }

  /** Learns who the merchant is and gets a token for it. */
  async signIn(): Promise<void> {
    const { merchant, operator_key } = this.platform.sandbox
    const { public_key, private_key } = merchant
    const path = '/api/v1.0/merchant/authentication'
    const { token } = await this.made('POST', path, { body: { public_key, private_key } })
    const list = await this.made('GET', '/v1/operator/merchants', { apikey: operator_key })
    this.#merchant = { id: list.data[0].id, token }
  }

  async ask(method: string, url: string, asking: Asking = {}): Promise<Insisted> {
    const { key, body, as, apikey = this.platform.sandbox.tenant.api_key } = asking
    const headers = {
      ...(as ? { authorization: `Bearer ${this.#merchant.token}` } : { apikey }),
      ...(key !== undefined && { [KEY_HEADERS[as ?? 'issuing']]: key }),
    }
    const text = body && JSON.stringify(body)
    const reply = await this.platform.insist({ method, url, headers, body: text })
    this.requests += 1
    this.cut += reply.cut
    assert.equal(
      faultOfAnswer({ ...reply, type: String(reply.headers['content-type']) }),
      undefined,
    )
    return reply
  }

  /** The body of an answer that is a success. */
  async made(method: string, url: string, asking: Asking = {}): Promise<Body> {
    const { status, text } = await this.ask(method, url, asking)
    assert.ok(status === 200 || status === 201, `${method} ${url}: ${status} ${text}`)
    return JSON.parse(text)
  }

  /** Posts under a new key until there is an answer, and remembers it. */
  async post({ kind, url, about, bodyOf }: Post): Promise<Body> {
    const key = `k${++this.#keys}`
    const byMerchant = kind.startsWith('order')
    const asking = { key, body: bodyOf(key), ...(byMerchant && { as: 'merchant' as const }) }
    const { status, text } = await this.ask('POST', url, asking)
    const body: Body = JSON.parse(text)
    this.answered.push({ kind, key, status, body, about })
    if (!NOT_KEPT.includes(status)) {
      const scope = byMerchant ? `merchant:${this.#merchant.id}:` : ''
      const { id: tenant_id } = this.platform.sandbox.tenant
      this.acknowledged.note({ tenant_id, key: scope + key, status, text })
    }
    return body
  }

  /** Lets `count` clients work until `stop` is called, which waits for the last answer of each. */
  work(count: number, chanceOf: (client: number) => Chance): { stop: () => Promise<void> } {
    let stopping = false
    const lanes = Array.from({ length: count }, async (_, at) => {
      const act = createClient(this, chanceOf(at), this.stock.own_cards[at])
      while (!stopping) await act()
    })
    const all = Promise.all(lanes)
    // A failure is reported when the work is stopped.
    all.catch(() => {})
    return {
      async stop() {
        stopping = true
        await all
      },
    }
  }
}
