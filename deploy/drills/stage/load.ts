/**
 * A bounded load as clients and a card network make it, which remembers every answer: cards and
 * loads of funds over HTTP, each repeated under its key until there is an answer, and
 * authorizations over ISO 8583, each sent once.
 */

import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '#kit/start_error.ts'
import { newId } from '#lib/id.ts'
import { type Clients, createClients, type Reply } from '#test/support/clients.ts'
import { sale } from '#test/support/network/messages.ts'
import { DrillFault } from '../fault.ts'
import { Network } from './network.ts'
import type { DrillCard, Ports, Tenant } from './platform.ts'

export const KINDS = ['card', 'load', 'authorization'] as const
export type Kind = (typeof KINDS)[number]

/** The number of clients of each kind, each with a pause after every answer. */
const CLIENTS: Readonly<Record<Kind, { count: number; pause_ms: number }>> = {
  card: { count: 1, pause_ms: 150 },
  load: { count: 4, pause_ms: 100 },
  authorization: { count: 16, pause_ms: 60 },
}
/** The pause before a request is sent again. */
const AGAIN_MS = 50
/** A client that has no answer after this ends the drill, where it sets no other time. */
const LONGEST_MS = 120_000
const KEY = 'x-bezant-idempotency-key'

/** Instants are of this machine's clock, in milliseconds since 1970. */
export type Request = {
  kind: Kind
  /**
   * The mark by which its effect is found: the id of a card, the note of a load, the RRN of a
   * message.
   */
  mark: string
  sent: number
  answered: number | undefined
  /** UNKNOWN: without an answer, or with one that leaves the effect open. */
  outcome: 'DONE' | 'DECLINED' | 'UNKNOWN'
  /** The status of HTTP, or the response code of ISO 8583. */
  code: string
  /** Why it was sent again, each time: the status, or the error of its connection. */
  repeats: readonly string[]
}

export class Load {
  readonly requests: Request[] = []
  readonly #tenant: Tenant
  readonly #clients = new Map<number, Clients>()
  readonly #network = new Network()
  readonly #slower: number
  readonly #at_once: number
  readonly #longest_ms: number
  #places: readonly Ports[] = []
  #turn = 0
  #stopping = false
  #working: Promise<unknown> = Promise.resolve()

  /**
   * `slower` lengthens the pauses of all clients by this factor. `at_once` terminals authorize at
   * one time, and wait until the last of them has its answer. A client without one after
   * `longest_ms` ends the drill.
   */
  constructor(tenant: Tenant, { slower = 1, at_once = 1, longest_ms = LONGEST_MS } = {}) {
    this.#tenant = tenant
    this.#slower = slower
    this.#at_once = at_once
    this.#longest_ms = longest_ms
  }

  /**
   * The places that clients use from now on, in turn. Connections to other places end once they are
   * quiet.
   */
  async go(places: readonly Ports[]): Promise<void> {
    this.#places = places
    await this.#network.go(places.map(({ network }) => network))
  }

  start(): void {
    const work = KINDS.flatMap((kind) =>
      Array.from({ length: CLIENTS[kind].count / this.#togetherOf(kind) }, () => this.#work(kind)),
    )
    this.#working = Promise.all(work)
    // A fault is reported when the load is stopped.
    this.#working.catch(() => {})
  }

  /** Resolves after the last answer. */
  async stop(): Promise<void> {
    this.#stopping = true
    try {
      await this.#working
    } finally {
      await this.#network.close()
      for (const clients of this.#clients.values()) clients.close()
    }
  }

  async #work(kind: Kind): Promise<void> {
    const together = Array.from({ length: this.#togetherOf(kind) })
    for (let at = 0; !this.#stopping; at += together.length) {
      const asked = together.map((_, after) => this.#ask(kind, this.#cardAt((at + after) * 7)))
      this.requests.push(...(await Promise.all(asked)))
      await pause(CLIENTS[kind].pause_ms * this.#slower)
    }
  }

  #togetherOf(kind: Kind): number {
    return kind === 'authorization' ? this.#at_once : 1
  }

  #cardAt(place: number): DrillCard {
    const { cards } = this.#tenant
    const card = cards[(place + this.requests.length) % cards.length]
    if (!card) throw new DrillFault('there is no card')
    return card
  }

  #ask(kind: Kind, { account_id, pan }: DrillCard): Promise<Request> {
    const mark = newId()
    if (kind === 'card') return this.#post(kind, mark, '/cards', { id: mark, ...this.#tenant.card })
    if (kind === 'authorization') return this.#authorize(pan)
    const body = { currency: 'AED', amount: 1, notes: mark }
    return this.#post(kind, mark, `/accounts/${account_id}:loadfunds`, body)
  }

  async #post(kind: Kind, mark: string, path: string, body: object): Promise<Request> {
    const sent = Date.now()
    const headers = { apikey: this.#tenant.api_key, [KEY]: mark }
    const message = { method: 'POST', url: `/v1${path}`, headers, body: JSON.stringify(body) }
    for (const repeats: string[] = []; ; ) {
      const reply = await this.#next().ask(message).catch(codeOf)
      if (typeof reply === 'object' && isAnswer(reply)) {
        const outcome = reply.status < 300 ? 'DONE' : 'DECLINED'
        const code = String(reply.status)
        return { kind, mark, sent, answered: Date.now(), outcome, code, repeats }
      }
      if (Date.now() > sent + this.#longest_ms) throw new DrillFault(`POST ${path} gets no answer`)
      repeats.push(typeof reply === 'object' ? String(reply.status) : (reply ?? 'no answer'))
      await pause(AGAIN_MS)
    }
  }

  #next(): Clients {
    this.#turn += 1
    const { http } = this.#places[this.#turn % this.#places.length] ?? { http: 0 }
    const clients = this.#clients.get(http) ?? createClients(http)
    this.#clients.set(http, clients)
    return clients
  }

  async #authorize(pan: string): Promise<Request> {
    const message = sale({ pan, amount: 1n })
    const [sent, mark] = [Date.now(), message.fields[37] ?? '']
    const code = await this.#network.ask(message)
    const answered = code === undefined ? undefined : Date.now()
    const outcome = code === '00' ? 'DONE' : isOpen(code) ? 'UNKNOWN' : 'DECLINED'
    const request = { kind: 'authorization', mark, sent, answered, outcome } as const
    return { ...request, code: code ?? 'none', repeats: [] }
  }
}

/** No answer, or the issuer is not available (docs/iso8583.md). */
const isOpen = (code: string | undefined) => code === undefined || code === '91' || code === '96'

/** Sent again, because the first request of a key may still run, or the database may be away. */
function isAnswer({ status, text }: Reply): boolean {
  if (status === 503 || status === 504) return false
  return status !== 409 || !/in_use/.test(text)
}
