/**
 * The server of HTTPS: HTTP/1.1 and HTTP/2 on one port, by the choice of the client (D-145, D-551).
 * The limits of a connection in HTTP/1.1 are limits of a session and a stream here.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import {
  constants,
  createSecureServer,
  Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { type Pair, secureOptions } from '#kit/net/certificates.ts'
import { HTTP1_TIMES, HTTP2_TIMES } from './connection_times.ts'

const HANDSHAKE_MS = 10_000
/** The most streams that a session may have open at one time; a client with more waits. */
const STREAMS = 100
/** The limit is that of Node for HTTP/1.1; a request with more is reset. */
const HEADERS_BYTES = 16 * 1024
const HEADER_PAIRS = 128
/** Streams that a client may reset: so many at once and then a second; beyond, the session ends. */
const RESETS = { streamResetBurst: 200, streamResetRate: 33 }
const SESSION_MEMORY_MB = 10
/** The last stream id there can be: the peer may still open any, and should open none. */
const ANY_STREAM = 2 ** 31 - 1
/** A peer that does not close its end of an ended session is cut. */
const FAREWELL_MS = 2_000

export type SecureServer = {
  /** The server that Fastify listens with. */
  serverFor: (handler: Handler) => Server
  /** Uses the pair for handshakes from now on; open connections go on. */
  use: (pair: Pair) => void
  /** Asks the peers of HTTP/2 to open no more streams; those that come are answered. */
  announceEnd: () => void
  /** Ends HTTP/2 sessions once their streams have ended. */
  endSessions: () => void
  /** Ends all connections now. */
  cut: () => void
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A request of HTTP/2, which has no socket of its own to count the bytes of its body. */
export class StreamRequest extends Http2ServerRequest {
  /** Bytes of the body that were read so far. */
  received = 0

  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    this.received += chunk?.length ?? 0
    return super.push(chunk, encoding)
  }
}

/** `times` are others in tests only. */
export function openSecureServer(first: Pair, times = HTTP2_TIMES): SecureServer {
  /** Includes sockets whose handshake is under way. */
  const sockets = new Set<Socket>()
  const sessions = new Set<ServerHttp2Session>()
  let [pair, use] = [first, (_pair: Pair) => {}]

  function serverFor(handler: Handler): Server {
    const server = createSecureServer(serverOptions(pair))
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    let latest: TLSSocket | undefined
    // Before the server's own listener, which begins the session of a socket at once.
    server.prependListener('secureConnection', (socket) => {
      latest = socket
    })
    server.on('session', (session) => {
      sessions.add(session)
      session.once('close', () => sessions.delete(session))
      if (latest) endIdle(session, latest, times)
    })
    // Requests and responses of HTTP/2 have the members of those of HTTP/1.1, which Fastify uses.
    const handle = handler as unknown as (
      request: Http2ServerRequest,
      response: Http2ServerResponse,
    ) => void
    server.on('request', handle)
    use = (next) => server.setSecureContext(secureOptions(next))
    return server as unknown as Server
  }

  return {
    serverFor,
    use(next) {
      pair = next
      use(next)
    },
    announceEnd() {
      for (const session of sessions) if (!session.closed) session.goaway(0, ANY_STREAM)
    },
    endSessions() {
      for (const session of sessions) if (!session.closed) session.close()
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
  }
}

const serverOptions = (pair: Pair) => ({
  ...secureOptions(pair),
  allowHTTP1: true,
  http1Options: HTTP1_TIMES,
  handshakeTimeout: HANDSHAKE_MS,
  settings: {
    enablePush: false,
    maxConcurrentStreams: STREAMS,
    maxHeaderListSize: HEADERS_BYTES,
  },
  maxHeaderListPairs: HEADER_PAIRS,
  maxSessionMemory: SESSION_MEMORY_MB,
  ...RESETS,
  Http2ServerRequest: StreamRequest,
})

/** Only streams keep a session open: pings, settings and headers that do not end do not. */
function endIdle(
  session: ServerHttp2Session,
  socket: TLSSocket,
  { headers, idle }: typeof HTTP2_TIMES,
): void {
  const end = () => {
    if (!session.closed) session.close()
    setTimeout(() => socket.destroy(), FAREWELL_MS).unref()
  }
  let streams = 0
  let timer: NodeJS.Timeout | undefined
  const endAfter = (ms: number) => {
    timer = setTimeout(end, ms).unref()
  }
  endAfter(headers)
  session.on('stream', (stream, { ':method': method }) => {
    // Node answers 405, and would leave the stream to a client that does not end it.
    if (method === 'CONNECT') stream.close(constants.NGHTTP2_NO_ERROR)
    streams += 1
    clearTimeout(timer)
    stream.once('close', () => {
      streams -= 1
      if (streams === 0 && !session.destroyed) endAfter(idle)
    })
  })
  session.once('close', () => clearTimeout(timer))
}
