/** A message in the engine, from its arrival to its answer. */

import type { Transaction } from '#issuing/transactions/schema.ts'
import type { Inquiry } from '#issuing/vault/vault.ts'
import type { AuditedRequest } from '#kit/audit_log/request.ts'
import type { Tx } from '#kit/context.ts'
import type { Write } from '#kit/db/write.ts'
import type { Keep } from '#kit/http/route.ts'
import type { Verdict } from '../decide/checks/verdict.ts'
import { type Kind, kindOf } from '../decide/kinds.ts'
import type { Unanswered } from '../decide/state/unanswered.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'
import { type MessageSpans, spansOf } from './spans.ts'

/** A message that was decided, by the key of its `Follow`. */
export type Followed = { key: string; answer: AuthorizationAnswer }

/**
 * A write in the transaction of the effect. Messages of a batch with the same function are
 * given to it at once.
 */
export type Follow = { write: (tx: Tx, decided: readonly Followed[]) => Write; key: string }

/** A message for the engine to decide, with what goes with it. */
export type Submission = {
  request: AuthorizationRequest
  /** When it came, on the monotonic clock, milliseconds; left out, when it is submitted. */
  received?: number
  /** The idempotent answer to store with the effect (D-10). */
  keep?: Keep
  /** The request whose audit record is written with the effect (D-500). */
  audited?: AuditedRequest
  follow?: Follow
  /** Gets the transaction as it is after the request, before the batch is committed. */
  shown?: (transaction: Transaction) => void
  /** The approval that this reversal by the platform reverses. */
  reverses?: Unanswered
}

/**
 * It is queued until a batch takes it, and is queued again if the batch sets it aside or commits
 * nothing. In both states it may be rejected, which ends its wait without an answer.
 */
type State = 'queued' | 'taken' | 'answered' | 'rejected'

export class Pending {
  state: State = 'queued'
  /** It was in a batch that failed, and is decided apart from all others. */
  alone = false
  /** How often in a row what it was decided on had changed before it was written. */
  conflicts = 0
  /** The card that the present batch has found, and the token if the number was a token's. */
  card_id: string | undefined = undefined
  token_id: string | undefined = undefined
  /** Its deadline had passed when the present batch came to it (1889). */
  late = false
  /** The tenant's responder was asked: its verdict, and the id that the transaction then gets. */
  verdict: Verdict | undefined = undefined
  asked_id: string | undefined = undefined
  /** Its questions to a security module, and the answers of that (D-1013). */
  inquiry: Inquiry | undefined = undefined
  readonly request: AuthorizationRequest
  readonly kind: Kind
  readonly received: number
  readonly keep: Keep | undefined
  readonly audited: AuditedRequest | undefined
  readonly follow: Follow | undefined
  readonly shown: ((transaction: Transaction) => void) | undefined
  readonly reverses: Unanswered | undefined
  readonly queue: CardQueue
  readonly spans: MessageSpans | undefined
  readonly #answer = Promise.withResolvers<AuthorizationAnswer>()

  constructor({ request, received, ...rest }: Submission, queue: CardQueue) {
    this.request = request
    this.kind = kindOf(request)
    this.received = received ?? performance.now()
    this.keep = rest.keep
    this.audited = rest.audited
    this.follow = rest.follow
    this.shown = rest.shown
    this.reverses = rest.reverses
    this.queue = queue
    this.spans = spansOf(request)
  }

  get answer(): Promise<AuthorizationAnswer> {
    return this.#answer.promise
  }

  /** Whether it still waits for its answer. */
  get isOpen(): boolean {
    return this.state === 'queued' || this.state === 'taken'
  }

  resolve(answer: AuthorizationAnswer): void {
    this.state = 'answered'
    this.spans?.answered(answer)
    this.#answer.resolve(answer)
  }

  reject(error: unknown): void {
    this.state = 'rejected'
    this.spans?.rejected(error)
    this.#answer.reject(error)
  }
}

type Owner = { card_id?: string | undefined; token_id?: string | undefined }

/** A batch has come to the message, and has found its card if there is one. */
export function place(pending: Pending, owner: Owner | undefined): void {
  const { request, verdict } = pending
  pending.card_id = owner?.card_id
  pending.token_id = owner?.token_id
  // The time of the responder is not the engine's (D-470).
  const deadline = (request.deadline ?? Number.POSITIVE_INFINITY) + (verdict?.ms ?? 0)
  pending.late = performance.now() > deadline
}

/** The messages of a card, in a lane's `ready` or `locking` while the next may be taken. */
export class CardQueue {
  readonly name: string
  readonly waiting: Pending[] = []
  /** Its messages that are in batches. */
  taken = 0
  /** No batch takes from it until `release`. */
  held = false
  /** Questions to a module about its messages that are open, asked at one time each. */
  asking = 0
  /** Its next messages are decided under the lock of their account. */
  needs_locks = false
  /** How often in a row its account was found locked. */
  tries = 0

  constructor(name: string) {
    this.name = name
  }
}
