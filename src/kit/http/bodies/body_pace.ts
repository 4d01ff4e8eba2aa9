/**
 * The pace of request bodies (D-363): a body that stops, drips or takes too long ends with
 * 408, so that slow senders hold no connection and no memory. Only time in which the program waits
 * for the sender counts, not time in which the sender waits for the program.
 */

import type { IncomingMessage } from 'node:http'
import { constants } from 'node:http2'
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { StreamRequest } from '../secure_server.ts'

export type Pace = Readonly<{
  /** A body without a byte for so long has stopped. */
  silence_ms: number
  /** After `grace_ms` a body must have come at this rate, on average since it began. */
  bytes_per_second: number
  grace_ms: number
  /** The longest that any body may take but that of an upload, which the rate alone bounds. */
  body_ms: number
  /** How often bodies are checked. */
  check_ms: number
}>

/** The rate is far below that of any usual connection. */
export const PACE: Pace = {
  silence_ms: 10_000,
  bytes_per_second: 1024,
  grace_ms: 10_000,
  body_ms: 120_000,
  check_ms: 1_000,
}

type Late = (request: FastifyRequest, reply: FastifyReply) => void

/** Watches the bodies of all requests; `late` answers one that is too slow and still unanswered. */
export function watchBodies(app: FastifyInstance, pace: Pace, late: Late): void {
  const watched = new Set<Body>()
  let timer: NodeJS.Timeout | undefined
  let looked = 0

  function look(): void {
    const now = performance.now()
    const passed = now - looked
    looked = now
    for (const body of watched) {
      if (body.hasEnded()) watched.delete(body)
      else if (body.isTooSlow(passed, pace)) {
        watched.delete(body)
        body.end(late)
      }
    }
    if (watched.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request.raw)) return
    watched.add(new Body(request, reply))
    if (timer) return
    looked = performance.now()
    timer = setInterval(look, pace.check_ms).unref()
  })
}

/** An injected request has no connection: its whole body is present, and never ends. */
function hasBody(raw: IncomingMessage): boolean {
  const { headers, complete, socket } = raw
  if (complete) return false
  if (raw instanceof StreamRequest) return !raw.stream.endAfterHeaders
  const isAnnounced =
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
  return socket instanceof Socket && isAnnounced
}

/**
 * The bytes that have come so far. In HTTP/1.1 all bytes of the connection count, chunk sizes too;
 * those of HTTP/2 may be of other streams.
 */
const bytesRead = (raw: IncomingMessage): number =>
  raw instanceof StreamRequest ? raw.received : raw.socket.bytesRead

/** Once the answer is on its way: the client need not send the rest. */
function closeStream({ stream }: StreamRequest, isAnswered: boolean): void {
  const close = () => stream.close(constants.NGHTTP2_NO_ERROR)
  if (isAnswered) close()
  else stream.once('finish', close)
}

/** One body on its way. */
class Body {
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply
  readonly #began: number
  #received: number
  #silent_ms = 0
  #awaited_ms = 0

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#request = request
    this.#reply = reply
    this.#began = bytesRead(request.raw)
    this.#received = this.#began
  }

  hasEnded(): boolean {
    const { complete, readableEnded, destroyed } = this.#request.raw
    return complete || readableEnded || destroyed
  }

  isTooSlow(passed_ms: number, pace: Pace): boolean {
    const read = bytesRead(this.#request.raw)
    const moves = read > this.#received
    if (!moves && !isAwaited(this.#request.raw)) return false
    this.#received = read
    this.#awaited_ms += passed_ms
    this.#silent_ms = moves ? 0 : this.#silent_ms + passed_ms
    const least = (this.#awaited_ms / 1000) * pace.bytes_per_second
    return (
      this.#silent_ms >= pace.silence_ms ||
      (this.#awaited_ms > pace.grace_ms && read - this.#began < least) ||
      (this.#awaited_ms > pace.body_ms && !this.#isUpload())
    )
  }

  end(late: Late): void {
    const { raw } = this.#request
    const isAnswered = this.#reply.sent
    if (!isAnswered) late(this.#request, this.#reply)
    // Bytes after the answer are dropped unread. In HTTP/1.1 the answer ends the connection.
    if (raw instanceof StreamRequest) closeStream(raw, isAnswered)
    else if (isAnswered) raw.destroy()
  }

  #isUpload(): boolean {
    const { 'content-type': type = '' } = this.#request.headers
    return !this.#reply.sent && /^multipart\/form-data/i.test(type)
  }
}

/** The program reads, and there is nothing to read. */
const isAwaited = ({ readableFlowing, readableLength }: IncomingMessage): boolean =>
  readableFlowing === true && readableLength === 0
