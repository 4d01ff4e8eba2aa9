/** A connection to the issuer that loses messages, in both directions, or changes answers. */

import { connect, createServer, type Socket } from 'node:net'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { assertSound, untilQuiet } from '#test/support/inspection/oracle.ts'
import { keepIn } from '#test/support/keeper.ts'
import { answerTo } from './issuer.ts'
import { openShop } from './shop.ts'

export type LossyLine = {
  port: number
  /** MTIs that are dropped from now on, with their repeats. */
  lost: Set<string>
  /** The DE39 that replaces that of answers of an MTI; the request has taken effect. */
  altered: Map<string, string>
  /** The DE39 with which messages of an MTI are answered here; the issuer never receives them. */
  declined: Map<string, string>
  /** MTIs that passed or were declined here, in order. */
  passed: string[]
  close: () => Promise<void>
}

export async function openLossyLine(issuer_port: number): Promise<LossyLine> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(issuer_port, '127.0.0.1')
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      const reader = createFrameReader({ header: 'binary2', max_frame: 8192 })
      from.on('data', (chunk) => {
        for (const bytes of reader.push(chunk).frames) pass(from, to, bytes)
      })
      from.on('error', () => {}).on('close', () => to.destroy())
    }
  })
  function pass(from: Socket, to: Socket, bytes: Buffer): void {
    const decoded = decode(bytes, 'ascii')
    if (!decoded.ok) return
    const { mti, fields } = decoded.message
    if (line.lost.has(mti)) return
    line.passed.push(mti)
    const [altered, declined] = [line.altered.get(mti), line.declined.get(mti)]
    if (declined !== undefined) send(from, answerTo(decoded.message, declined))
    else if (altered !== undefined)
      send(to, { mti, fields: { ...fields, 38: undefined, 39: altered } })
    else to.write(frame(bytes, 'binary2'))
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const line: LossyLine = {
    port: address && typeof address === 'object' ? address.port : 0,
    lost: new Set(),
    altered: new Map(),
    declined: new Map(),
    passed: [],
    close() {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return line
}

function send(to: Socket, message: Message): void {
  to.write(frame(encode(message, 'ascii'), 'binary2'))
}

/** A shop whose messages go over such a line; its books are sound once it is quiet, at the end. */
export async function openLossyShop(options: Parameters<typeof openShop>[0] = {}) {
  await using opened = new AsyncDisposableStack()
  const shop = opened.use(await openShop(options))
  const line = keepIn(opened, await openLossyLine(shop.issuer_port))
  opened.defer(async () => {
    await untilQuiet(shop.db)
    await assertSound(shop.db)
  })
  shop.connectTo(line.port)
  shop.sweeper.start()
  const kept = opened.move()
  return { shop, line, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}
