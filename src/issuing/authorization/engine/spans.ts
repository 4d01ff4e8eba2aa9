/** Spans of the engine: a message from its arrival to its answer, its wait, and its batch. */

import { inSpan, type OpenSpan, openSpan, type Place } from '#kit/tracing/tracing.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'

export class MessageSpans {
  readonly place: Place
  readonly #whole: OpenSpan
  readonly #wait: OpenSpan | undefined

  constructor(whole: OpenSpan) {
    this.#whole = whole
    this.place = whole.place
    this.#wait = openSpan('wait', { parent: whole.place })
  }

  /** A batch has taken it. */
  taken(): void {
    this.#wait?.end()
  }

  answered({ status_code, transaction_id }: AuthorizationAnswer): void {
    this.#whole.set({ status_code, transaction_id })
    this.#end()
  }

  rejected(error: unknown): void {
    this.#end(error)
  }

  #end(error?: unknown): void {
    this.#wait?.end()
    this.#whole.end(error)
  }
}

/** Undefined while nothing is traced. */
export function spansOf({ message_type }: AuthorizationRequest): MessageSpans | undefined {
  const whole = openSpan('authorization', { attributes: { message_type } })
  return whole && new MessageSpans(whole)
}

/** The work of a batch is a part of its first message's trace, and is linked with the others. */
export function inBatch<Result>(
  tenant_id: string,
  taken: readonly { spans: MessageSpans | undefined }[],
  work: () => Promise<Result>,
): Promise<Result> {
  for (const { spans } of taken) spans?.taken()
  const [first, ...others] = taken.flatMap(({ spans }) => spans?.place ?? [])
  if (!first) return work()
  const attributes = { tenant_id, messages: taken.length }
  return inSpan('batch', { parent: first, others, attributes }, work)
}
