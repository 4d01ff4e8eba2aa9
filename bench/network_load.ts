/**
 * The card network of the bench, a process of its own: it sends purchases over one connection and
 * measures the time from when each was due to be sent until its answer.
 */

import { once } from 'node:events'
import { createConnection, type Socket } from 'node:net'
import { writeAmount } from '#iso8583/amounts.ts'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { decode, encode, type Fields, type Message } from '#iso8583/message.ts'

export type Load = {
  port: number
  pans: string[]
  seconds: number
  /**
   * Closed: so many wait for an answer at any time. Open: so many are sent a second, come what may.
   */
  closed?: number
  open?: number
  /** Fields of the requests in their order, beside the usual ones; left out, any card pays. */
  requests?: Fields[]
}

export type Measured = {
  answered: number
  declined: number
  per_second: number
  p50: number
  p99: number
  /** The answers other than 00 with the times at which they came, milliseconds since 1970. */
  others: { at: number; code: string }[]
}

process.once('message', (load: Load) => {
  void run(load).then((measured) => process.send?.(measured, () => process.exit(0)))
})

async function run(load: Load): Promise<Measured> {
  const socket = createConnection({ host: '127.0.0.1', port: load.port, noDelay: true })
  await once(socket, 'connect')
  const line = new Line(socket)
  await line.send(
    { mti: '0800', fields: { 7: transmitted(), 11: '000000', 33: '400123', 70: '001' } },
    0,
  )
  line.times.length = 0
  const start = performance.now()
  if (load.closed !== undefined) await closedLoop(line, load, load.closed)
  else await openLoop(line, load, load.open ?? 1)
  const seconds = (performance.now() - start) / 1000
  socket.destroy()
  return line.measured(seconds)
}

async function closedLoop(line: Line, load: Load, in_flight: number): Promise<void> {
  const end = performance.now() + load.seconds * 1000
  const worker = async () => {
    while (performance.now() < end) await line.send(purchase(load), performance.now())
  }
  await Promise.all(Array.from({ length: in_flight }, worker))
}

/** Each is due at its own instant; one that leaves late has its lateness counted. */
async function openLoop(line: Line, load: Load, rate: number): Promise<void> {
  const { seconds } = load
  const start = performance.now()
  const answers: Promise<void>[] = []
  for (let sent = 0; sent < rate * seconds; ) {
    const due = Math.floor(((performance.now() - start) * rate) / 1000)
    for (; sent < Math.min(due, rate * seconds); sent++) {
      answers.push(line.send(purchase(load), start + (sent * 1000) / rate))
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(answers)
}

/** One connection: requests are matched to answers by their trace number. */
class Line {
  readonly times: number[] = []
  readonly others: Measured['others'] = []
  readonly #socket: Socket
  readonly #waiting = new Map<string, { due: number; done: () => void }>()
  #outgoing: Buffer[] = []

  constructor(socket: Socket) {
    this.#socket = socket
    const reader = createFrameReader({ header: 'binary2', max_frame: 8192 })
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of reader.push(chunk).frames) this.#take(bytes)
    })
  }

  send(message: Message, due: number): Promise<void> {
    return new Promise((done) => {
      this.#waiting.set(message.fields[11] ?? '', { due, done })
      if (this.#outgoing.push(frame(encode(message, 'ascii'), 'binary2')) === 1) {
        setImmediate(() => {
          this.#socket.write(Buffer.concat(this.#outgoing))
          this.#outgoing = []
        })
      }
    })
  }

  measured(seconds: number): Measured {
    const sorted = this.times.toSorted((one, other) => one - other)
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
    const { length: answered } = sorted
    return {
      answered,
      declined: this.others.length,
      per_second: answered / seconds,
      p50: at(0.5),
      p99: at(0.99),
      others: this.others,
    }
  }

  #take(bytes: Buffer): void {
    const decoded = decode(bytes, 'ascii')
    if (!decoded.ok) throw new Error(decoded.fault.reason)
    const { fields } = decoded.message
    const trace = fields[11] ?? ''
    const waiting = this.#waiting.get(trace)
    if (!waiting) return
    this.#waiting.delete(trace)
    this.times.push(performance.now() - waiting.due)
    const { 39: code = '' } = fields
    if (code !== '00') this.others.push({ at: Date.now(), code })
    waiting.done()
  }
}

/** Each load has one of its own, so that no message repeats one of a load beside it. */
const ACQUIRER = String(process.pid).padStart(6, '4')
let stan = 0

function purchase({ pans, requests }: Load): Message {
  const given = requests?.[stan % requests.length]
  stan = (stan % 999_999) + 1
  const trace = String(stan).padStart(6, '0')
  const now = transmitted()
  return {
    mti: '0100',
    fields: {
      2: pans[Math.floor(Math.random() * pans.length)] ?? '',
      3: '000000',
      4: writeAmount(100n),
      7: now,
      11: trace,
      12: now.slice(4),
      13: now.slice(0, 4),
      18: '5411',
      22: '812',
      25: '59',
      32: ACQUIRER,
      37: `${now.slice(4)}${trace}`,
      41: 'TERM0001',
      42: 'MERCHANT0000001',
      43: 'Lulu Hypermarket         Abu Dhabi    AE',
      49: '784',
      ...given,
    },
  }
}

function transmitted(): string {
  return new Date().toISOString().replace(/\D/g, '').slice(4, 14)
}
