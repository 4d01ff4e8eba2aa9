/**
 * Asks the responders of tenants over HTTP (D-58). No connection to the database, no lock and no
 * batch is held meanwhile. Never fails: without a valid answer the tenant's default action holds.
 */

import type { KeyObject } from 'node:crypto'
import type { TenantSettings } from '#issuing/tenants/tenants.ts'
import { createOutgoing, type Outgoing } from '#kit/net/fetch.ts'
import { signatureHeaders } from '#kit/net/signature.ts'
import type { Verdict } from '../decide/verdict.ts'
import { type ResponderAnswer, readAnswer } from './answer.ts'
import { Breaker } from './breaker.ts'
import { Places } from './places.ts'

export type Inquiry = {
  tenant_id: string
  settings: NonNullable<TenantSettings['responder']>
  allow_private: boolean
  /** Those that sign; may fail. */
  keys: () => readonly KeyObject[]
  /** Of the question; a repeated one has another. */
  id: string
  /** The transaction as JSON. */
  body: string
  requested: { amount: bigint; currency: string }
  /** The real instant, with which receivers compare the time of the signature (D-115). */
  real_now: Date
}

type Failure = { cause: string; counts: boolean }

export class Responder {
  readonly #outgoing: Outgoing
  readonly #places: Places
  /** Of the tenants whose responder failed last, by the URL that failed. */
  readonly #breakers = new Map<string, { url: string; breaker: Breaker }>()

  constructor(
    outgoing: Outgoing = createOutgoing({ connections: null }),
    places: Places = new Places(),
  ) {
    this.#outgoing = outgoing
    this.#places = places
  }

  /** The time of the settings includes that of waiting for a place. */
  async ask(inquiry: Inquiry): Promise<Verdict> {
    const begun = performance.now()
    const { tenant_id, settings } = inquiry
    const { url, default_action: action } = settings
    const verdict = await this.#verdict(inquiry, begun)
    const now = performance.now()
    const ms = Math.round(now - begun)
    if (!('cause' in verdict)) {
      this.#breakers.delete(tenant_id)
      return { kind: 'answered', ...verdict, ms }
    }
    if (verdict.counts) {
      const breaker = this.#breakerOf(tenant_id, url) ?? new Breaker()
      breaker.fail(now)
      this.#breakers.set(tenant_id, { url, breaker })
    }
    return { kind: 'default', action, cause: verdict.cause, ms }
  }

  /** Ends the questions that are under way. */
  stop(): void {
    this.#outgoing.abort()
  }

  async #verdict(inquiry: Inquiry, begun: number): Promise<ResponderAnswer | Failure> {
    const { tenant_id, settings } = inquiry
    const { url, timeout_ms } = settings
    if (this.#breakerOf(tenant_id, url)?.isOpen(begun)) return BREAKER_OPEN
    if (!(await this.#places.take(tenant_id, timeout_ms))) return NO_PLACE
    try {
      const now = performance.now()
      if (this.#breakerOf(tenant_id, url)?.admits(now) === false) return BREAKER_OPEN
      const left = Math.ceil(timeout_ms - (now - begun))
      return left > 0 ? await this.#post(inquiry, left) : NO_PLACE
    } finally {
      this.#places.leave(tenant_id)
    }
  }

  async #post(inquiry: Inquiry, timeout_ms: number): Promise<ResponderAnswer | Failure> {
    const { body, settings, allow_private, requested } = inquiry
    const signature = signatureOf(inquiry)
    if (!signature) return UNSIGNED
    const outcome = await this.#outgoing.post({
      url: settings.url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Bezant-Responder/1',
        ...signature,
      },
      body,
      allow_private,
      timeout_ms,
    })
    if (outcome.kind === 'aborted') return { cause: 'the program stops', counts: false }
    const answer = readAnswer(outcome, requested)
    return typeof answer === 'string' ? { cause: answer, counts: true } : answer
  }

  /** Another URL is asked at once. */
  #breakerOf(tenant_id: string, url: string): Breaker | undefined {
    const known = this.#breakers.get(tenant_id)
    return known?.url === url ? known.breaker : undefined
  }
}

function signatureOf({ keys, id, body, real_now }: Inquiry) {
  try {
    return signatureHeaders(keys(), id, body, real_now)
  } catch {
    return undefined
  }
}

const BREAKER_OPEN: Failure = { cause: 'breaker open', counts: false }
const UNSIGNED: Failure = { cause: 'the secret cannot be read', counts: false }
const NO_PLACE: Failure = { cause: 'no place free', counts: false }
