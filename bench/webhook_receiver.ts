/**
 * The endpoints of the webhooks bench, a process of its own: /ok answers at once, /slow after five
 * seconds, /hang never. It reads no more of a body than the number of its event.
 */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const SLOW_MS = 5_000
const NUMBER = /"n":(\d+)/

/** Asks for what has arrived since the last time. */
export type ArrivalsQuestion = { kinds: 'arrivals' }
/** The first message; then one for each question. `at` is milliseconds since 1970. */
export type Opened = { port: number }
/**
 * Arrivals by the path without its query: how many, and the number and the instant of each event.
 */
export type Arrivals = { count: number; numbered: [path: string, n: number, at: number][] }

let arrivals: Arrivals = { count: 0, numbered: [] }

const server = createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8').on('data', (part: string) => {
    text += part
  })
  request.on('end', () => {
    const path = request.url ?? ''
    arrivals.count += 1
    const n = Number(NUMBER.exec(text)?.[1] ?? 0)
    if (n > 0) arrivals.numbered.push([path, n, performance.timeOrigin + performance.now()])
    if (path.startsWith('/ok')) response.end()
    else if (path.startsWith('/slow')) setTimeout(() => response.end(), SLOW_MS)
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => {
  const opened: Opened = { port: (server.address() as AddressInfo).port }
  process.send?.(opened)
})

process.on('message', (_asked: ArrivalsQuestion) => {
  process.send?.(arrivals)
  arrivals = { count: 0, numbered: [] }
})
process.on('disconnect', () => process.exit())
