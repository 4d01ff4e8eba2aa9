/** A client of HTTP/2, on one session. */

import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2'
import { TRUSTED } from './certificates.ts'

const WAIT_MS = 15_000

export type Http2Answer = {
  /** 0 where the stream was reset without an answer. */
  status: number
  headers: IncomingHttpHeaders & IncomingHttpStatusHeader
  text: string
  /** How the stream ended: 0 without an error. */
  code: number
}

export type Http2Client = {
  session: ClientHttp2Session
  /** Begins a request whose body the test writes. */
  begin: (headers: OutgoingHttpHeaders) => {
    stream: ClientHttp2Stream
    answer: Promise<Http2Answer>
  }
  ask: (headers: OutgoingHttpHeaders, body?: string) => Promise<Http2Answer>
  closed: Promise<unknown>
}

/** Resolves once the session is open, of which `close` is the test's. */
export async function connectHttp2(port: number): Promise<Http2Client> {
  const session = connect(`https://127.0.0.1:${port}`, TRUSTED)
  const closed = once(session, 'close', { signal: AbortSignal.timeout(WAIT_MS) })
  closed.catch(() => {})
  await once(session, 'remoteSettings')
  session.on('error', () => {})
  const begin: Http2Client['begin'] = (headers) => {
    const stream = session.request(headers, { endStream: false })
    return { stream, answer: answerOf(stream) }
  }
  return {
    session,
    begin,
    closed,
    ask(headers, body) {
      if (body === undefined) return answerOf(session.request(headers))
      const { stream, answer } = begin(headers)
      stream.end(body)
      return answer
    },
  }
}

/** The status of an answer as soon as its headers have come; 0 where the stream ends without. */
export const statusOf = (stream: ClientHttp2Stream): Promise<number> =>
  new Promise((resolve) => {
    stream.once('response', (headers) => resolve(headers[':status'] ?? 0))
    stream.once('close', () => resolve(0))
  })

function answerOf(stream: ClientHttp2Stream): Promise<Http2Answer> {
  let headers: Http2Answer['headers'] = {}
  let text = ''
  stream.on('response', (received) => {
    headers = received
  })
  stream.on('data', (bytes) => {
    text += bytes
  })
  stream.on('error', () => {})
  return new Promise((resolve) => {
    stream.on('close', () => {
      resolve({ status: headers[':status'] ?? 0, headers, text, code: stream.rstCode ?? 0 })
    })
  })
}
