/**
 * Asks the responders of tenants: over HTTP (D-58), or through the listener of a sandbox (D-510).
 * No connection to the database, no lock and no batch is held meanwhile. Never fails: without a
 * valid answer the tenant's default action holds.
 */

import type { KeyObject } from 'node:crypto'
import type { TenantSettings } from '#issuing/tenants/tenants.ts'
import type { Aborted, Unanswered } from '#kit/net/exchange.ts'
import { createOutgoing, type Outgoing } from '#kit/net/fetch.ts'
import { signatureHeaders } from '#kit/net/signature.ts'
import type { Verdict } from '../decide/checks/verdict.ts'
import { metrics } from '../metrics.ts'
import { decisionOf, type ResponderAnswer, readAnswer } from './answer.ts'
import { Breaker } from './breaker.ts'
import { Places } from './places.ts'

export type Inquiry = {
  tenant_id: string
  settings: NonNullable<TenantSettings['responder']>
  allow_private: boolean
  /** The signing keys; may fail. */
  keys: () => readonly KeyObject[]
  /** The id of the question; a repeated one has another. */
  id: string
  /** The transaction as JSON. */
  body: string
  requested: { amount: bigint; currency: string }
  /** The real instant, with which receivers compare the time of the signature (D-115). */
  real_now: Date
}

/** Asks a tenant that answers the questions itself, by calls. Never throws. */
export type Listener = {
  /** `answer` is the parsed object. Without one in `timeout_ms` the question is over. */
  ask: (
    question: Pick<Inquiry, 'tenant_id' | 'id' | 'body'> & { timeout_ms: number },
  ) => Promise<{ kind: 'answered'; answer: unknown } | Unanswered | Aborted>
  /** Ends the questions that are under way. */
  abort: () => void
}

type Failure = { cause: string; counts: boolean }

export class Responder {
  readonly #outgoing: Outgoing
  readonly #places: Places
  readonly #listener: Listener | undefined
  /**
   * The breakers of the tenants whose responder failed last, by the URL that failed; a listener has
   * none.
   */
  readonly #breakers = new Map<string, { url: string | undefined; breaker: Breaker }>()

  constructor(
    outgoing: Outgoing = createOutgoing({ connections: null }),
    places: Places = new Places(),
    listener?: Listener,
  ) {
    this.#outgoing = outgoing
    this.#places = places
    this.#listener = listener
  }

  /** The time of the settings includes that of waiting for a place. */
  async ask(inquiry: Inquiry): Promise<Verdict> {
    const begun = performance.now()
    const { tenant_id, settings } = inquiry
    const { url, default_action: action } = settings
    const verdict = await this.#verdict(inquiry, begun)
    const now = performance.now()
    const ms = Math.round(now - begun)
    const result = 'cause' in verdict ? 'default' : 'answered'
    metrics.responderQuestions.observe({ result }, (now - begun) / 1000)
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
    this.#listener?.abort()
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
      if (left <= 0) return NO_PLACE
      return url === undefined
        ? await this.#hear(inquiry, left)
        : await this.#post(inquiry, url, left)
    } finally {
      this.#places.leave(tenant_id)
    }
  }

  async #hear(inquiry: Inquiry, timeout_ms: number): Promise<ResponderAnswer | Failure> {
    const { tenant_id, id, body, requested } = inquiry
    if (!this.#listener) return UNHEARD
    const outcome = await this.#listener.ask({ tenant_id, id, body, timeout_ms })
    if (outcome.kind === 'aborted') return STOPPING
    if (outcome.kind === 'unanswered') return { cause: outcome.error, counts: true }
    const decision = decisionOf(outcome.answer, requested)
    if (typeof decision === 'string') return { cause: decision, counts: true }
    return { by: 'listener', ...decision }
  }

  async #post(
    inquiry: Inquiry,
    url: string,
    timeout_ms: number,
  ): Promise<ResponderAnswer | Failure> {
    const { body, allow_private, requested } = inquiry
    const signature = signatureOf(inquiry)
    if (!signature) return UNSIGNED
    const outcome = await this.#outgoing.post({
      url,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Bezant-Responder/1',
        ...signature,
      },
      body,
      allow_private,
      timeout_ms,
    })
    if (outcome.kind === 'aborted') return STOPPING
    const answer = readAnswer(outcome, requested)
    return typeof answer === 'string' ? { cause: answer, counts: true } : answer
  }

  /** Another URL is asked at once. */
  #breakerOf(tenant_id: string, url: string | undefined): Breaker | undefined {
    const known = this.#breakers.get(tenant_id)
    return known && known.url === url ? known.breaker : undefined
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
const STOPPING: Failure = { cause: 'the program stops', counts: false }
const UNHEARD: Failure = { cause: 'no listener', counts: false }
const UNSIGNED: Failure = { cause: 'the secret cannot be read', counts: false }
const NO_PLACE: Failure = { cause: 'no place free', counts: false }
