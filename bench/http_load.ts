/**
 * The clients of the API bench, a process of its own: connections that stay open. It reads no more
 * of HTTP than the status and the length of an answer, because it shares the machine.
 */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export type HttpLoad = {
  port: number
  seconds: number
  connections: number
  /** Taken in turn. */
  requests: readonly HttpRequest[]
  /** A header of this name gets another value each time. */
  unique_header?: string
  /** Requests a second, each at its own instant; as many as are answered where it is left out. */
  open?: number
}
export type HttpRequest = { method: string; path: string; apikey: string; body?: string }

export type HttpMeasured = { per_second: number; failed: number; p50: number; p99: number }

const END_OF_HEAD = '\r\n\r\n'

process.on('message', (load: HttpLoad) => {
  void run(load).then((measured) => process.send?.(measured))
})

async function run(load: HttpLoad): Promise<HttpMeasured> {
  const lines = await Promise.all(Array.from({ length: load.connections }, () => open(load.port)))
  const heads = load.requests.map((one) => headOf(one))
  const times: number[] = []
  let [turn, failed] = [0, 0]
  const ask = async (line: Line, due: number) => {
    const at = turn++ % heads.length
    const unique = load.unique_header ? `${load.unique_header}: ${crypto.randomUUID()}\r\n` : ''
    const status = await line.ask(`${heads[at]}${unique}\r\n${load.requests[at]?.body ?? ''}`)
    times.push(performance.now() - due)
    if (status !== 200) failed += 1
  }
  const start = performance.now()
  const way = load.open === undefined ? closedLoop : openLoop
  await way(lines, load, ask)
  const passed = (performance.now() - start) / 1000
  for (const line of lines) line.close()
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { per_second: times.length / passed, failed, p50: at(0.5), p99: at(0.99) }
}

type Ask = (line: Line, due: number) => Promise<void>

async function closedLoop(lines: readonly Line[], { seconds }: HttpLoad, ask: Ask): Promise<void> {
  const end = performance.now() + seconds * 1000
  const client = async (line: Line) => {
    while (performance.now() < end) await ask(line, performance.now())
  }
  await Promise.all(lines.map(client))
}

/** Each is due at its own instant; one that leaves late has its lateness counted. */
async function openLoop(lines: readonly Line[], load: HttpLoad, ask: Ask): Promise<void> {
  const { seconds, open: rate = 1 } = load
  const start = performance.now()
  const total = Math.floor(rate * seconds)
  let taken = 0
  const client = async (line: Line) => {
    while (taken < total) {
      const due = start + (taken++ * 1000) / rate
      const early = due - performance.now()
      if (early > 0) await new Promise((resolve) => setTimeout(resolve, early))
      await ask(line, due)
    }
  }
  await Promise.all(lines.map(client))
}

function headOf({ method, path, apikey, body }: HttpRequest): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', `apikey: ${apikey}`]
  if (body !== undefined) {
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  }
  return `${lines.join('\r\n')}\r\n`
}

type Line = { ask: (text: string) => Promise<number>; close: () => void }

async function open(port: number): Promise<Line> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let read = ''
  let answered: ((status: number) => void) | undefined
  socket.setEncoding('latin1').on('data', (text: string) => {
    read += text
    const head = read.indexOf(END_OF_HEAD)
    if (head < 0) return
    const length = Number(/content-length: (\d+)/i.exec(read.slice(0, head))?.[1] ?? 0)
    if (read.length < head + END_OF_HEAD.length + length) return
    const status = Number(read.slice(9, 12))
    read = ''
    answered?.(status)
  })
  return {
    ask(text) {
      const { promise, resolve } = Promise.withResolvers<number>()
      answered = resolve
      socket.write(text)
      return promise
    },
    close: () => socket.destroy(),
  }
}
