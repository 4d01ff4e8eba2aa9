/** Clients on real sockets: some read the answer, some go away before it comes. */

import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { PATIENCE_MS } from '#test/support/time/patience.ts'

export type Message = {
  method: string
  url: string
  headers: Record<string, string>
  body: string | Buffer | undefined
}
export type Reply = { status: number; text: string; headers: Record<string, unknown> }

export type Clients = {
  ask: (message: Message) => Promise<Reply>
  /** Sends all of it and goes away: in order, or with a reset, after which nothing may arrive. */
  askAndLeave: (message: Message, how: 'end' | 'reset') => Promise<void>
  close: () => void
}

const HOST = '127.0.0.1'

export function createClients(port: number): Clients {
  const agent = new Agent({ keepAlive: true })
  const headersOf = ({ headers, body }: Message) => ({
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
    }),
    ...headers,
  })
  return {
    ask: (message) =>
      new Promise((resolve, reject) => {
        const { method, url: path, body } = message
        const options = { host: HOST, port, agent, method, path, headers: headersOf(message) }
        const outgoing = request({ ...options, timeout: PATIENCE_MS }, (reply) => {
          const chunks: Buffer[] = []
          reply.on('data', (chunk: Buffer) => chunks.push(chunk))
          reply.on('error', reject)
          reply.on('end', () => {
            const text = Buffer.concat(chunks).toString('utf8')
            resolve({ status: reply.statusCode ?? 0, text, headers: reply.headers })
          })
        })
        outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer to ${method} ${path}`)))
        outgoing.on('error', reject)
        outgoing.end(body)
      }),
    askAndLeave: (message, how) =>
      new Promise((resolve) => {
        const { method, url, body = '' } = message
        const lines = Object.entries({ host: HOST, ...headersOf(message) })
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join('')
        const socket = connect(port, HOST, () => {
          socket.write(`${method} ${url} HTTP/1.1\r\n${lines}\r\n`)
          socket.write(body, () => {
            if (how === 'reset') socket.resetAndDestroy()
            else socket.destroy()
          })
        })
        socket.on('error', () => {})
        socket.on('close', () => resolve())
      }),
    close: () => agent.destroy(),
  }
}
