/**
 * The log of messages of the card network (D-620): a diagnostic beside the books. Nothing waits for
 * it, and a message that does not fit or cannot be written is lost.
 */

import { maskedFields } from '#iso8583/masked.ts'
import type { Message } from '#iso8583/message.ts'
import type { Db } from '#kit/db/database.ts'
import type { Log } from '#kit/log.ts'
import { metrics } from './metrics.ts'
import type { Source } from './schema.ts'
import { insertWireRows, type LoggedMessage } from './store.ts'

/** A message on its way. `at` is monotonic, milliseconds; `bytes` are those without a header. */
export type OnWire = { message: Message; bytes: number; at: number }

/** A request and its answer, which both belong to a transaction. */
export type Exchange = {
  transaction_id: string
  source: Source
  /** The request was read to its end, and its fields are where they should be. */
  whole: boolean
  received: OnWire
  /** Null if the message gets no answer. */
  sent: OnWire | null
}

type Queued = { received: LoggedMessage; sent: LoggedMessage | null }

/** Messages of so long are written together. */
const GATHER_MS = 1_000
/** Exchanges of a tenant that wait; for one more, the oldest is dropped. */
const PLACES = 1_000
/** Exchanges of one statement. */
const BATCH = 250

/** The memory of one process. It contains masked messages only. */
export class WireLog {
  readonly #db: Db
  readonly #log: Log
  readonly #queues = new Map<string, Queued[]>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Db, log: Log) {
    this.#db = db
    this.#log = log
  }

  /** Masks and keeps an exchange. Returns what takes its answer back: it has not left. */
  put(tenant_id: string, exchange: Exchange): () => void {
    const queued = maskedExchange(exchange)
    const queue = this.#queues.get(tenant_id) ?? []
    if (queue.length === 0) this.#queues.set(tenant_id, queue)
    queue.push(queued)
    if (queue.length > PLACES) {
      queue.shift()
      metrics.wireMessagesDropped.inc()
    }
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref()
    return () => {
      queued.sent = null
    }
  }

  /** Writes the waiting messages, also those that another call is writing. Never rejects. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const queues = [...this.#queues]
    this.#queues.clear()
    for (const [tenant_id, queue] of queues) {
      for (let at = 0; at < queue.length; at += BATCH) {
        const batch = queue.slice(at, at + BATCH)
        const messages = batch.flatMap(({ received, sent }) => (sent ? [received, sent] : received))
        await insertWireRows(this.#db.forTenant(tenant_id), tenant_id, messages).catch(
          (err: unknown) => {
            metrics.wireMessagesDropped.inc(batch.length)
            this.#log.warn({ err }, 'messages of the card network were not recorded')
          },
        )
      }
    }
  }
}

function maskedExchange({ transaction_id, source, whole, received, sent }: Exchange): Queued {
  const logged = ({ message, bytes, at }: OnWire, direction: LoggedMessage['direction']) => ({
    transaction_id,
    source,
    direction,
    mti: message.mti,
    bytes,
    at,
    fields: maskedFields(message, whole),
  })
  return { received: logged(received, 'RECEIVED'), sent: sent && logged(sent, 'SENT') }
}
