/**
 * Requests whose answer is overdue. A late answer is heard, over any connection to its issuer, for
 * as long as this process keeps the request here (D-874).
 */

import type { Message } from '#iso8583/message.ts'
import { matchKey } from './rules.ts'

/** Issuers that answer later than this leave it to their clearing. */
const LATE_MS = 600_000
/** The oldest gives way. */
const EXPECTED_MAX = 10_000

type Hear = (answer: Message) => Promise<void>

export class LateAnswers {
  readonly #expected = new Map<string, { hear: Hear; timer: NodeJS.Timeout }>()
  readonly #running = new Set<Promise<void>>()

  /** How many are expected. */
  get size(): number {
    return this.#expected.size
  }

  /** `hear` does not throw. */
  expect(issuer: string | null, request: Message, hear: Hear): void {
    const key = nameOf(issuer, request)
    this.#drop(key)
    const [oldest] = this.#expected.keys()
    if (oldest !== undefined && this.size >= EXPECTED_MAX) this.#drop(oldest)
    const timer = setTimeout(() => this.#drop(key), LATE_MS)
    timer.unref()
    this.#expected.set(key, { hear, timer })
  }

  /** An answer that no request waits for; nothing if it is not expected either. */
  take(issuer: string | null, answer: Message): void {
    const expected = this.#expected.get(nameOf(issuer, answer))
    if (!expected) return
    const running = expected.hear(answer).finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** Expects nothing more, and waits for the records under way. */
  async close(): Promise<void> {
    for (const key of [...this.#expected.keys()]) this.#drop(key)
    await Promise.all(this.#running)
  }

  #drop(key: string): void {
    clearTimeout(this.#expected.get(key)?.timer)
    this.#expected.delete(key)
  }
}

const nameOf = (issuer: string | null, message: Message) => `${issuer ?? ''}|${matchKey(message)}`
