/** An endpoint of a client: stores what it receives, and answers as the test configures. */

import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PATIENCE_MS } from '#test/support/time/patience.ts'

export type Received = {
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads member by member.
  body: any
  at: number
}

type Answer = (response: ServerResponse, received: Received, count: number) => unknown

export type Receiver = {
  url: string
  received: Received[]
  /** How the calls from now on are answered; at first with 200. */
  answer: (how: number | Answer) => void
  /** Calls that are being answered at this moment, and the most there ever were. */
  running: () => number
  most: () => number
  close: () => Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  let how: Answer = (response) => response.end()
  let running = 0
  let most = 0
  const server = createServer(async (request, response) => {
    running += 1
    most = Math.max(most, running)
    response.on('close', () => {
      running -= 1
    })
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString('utf8')
    const one = { headers: request.headers, text, body: JSON.parse(text), at: Date.now() }
    received.push(one)
    how(response, one, received.length)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer(given) {
      how = typeof given === 'function' ? given : (response) => response.writeHead(given).end()
    },
    running: () => running,
    most: () => most,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const LOOK_MS = 5

/**
 * Waits until the condition holds, and fails when it does not hold for very long, or for so long.
 */
export async function until<Value>(
  what: string,
  condition: () => Value | Promise<Value>,
  wait_ms = PATIENCE_MS,
): Promise<Exclude<Value, false | null | undefined>> {
  const end = Date.now() + wait_ms
  for (;;) {
    const value = await condition()
    // Truthy is none of the three that the type leaves out.
    if (value) return value as Exclude<Value, false | null | undefined>
    if (Date.now() > end) throw new Error(`this did not come about: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}
