/**
 * The mechanics of the port. A script simulates the engine here; network.test.ts tests the whole.
 */

import assert from 'node:assert/strict'
import { createConnection, type Socket } from 'node:net'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { de39Of } from '#iso8583/codes.ts'
import { dialects } from '#iso8583/dialects.ts'
import { frame } from '#iso8583/framing.ts'
import { encode } from '#iso8583/message.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { createLog } from '#kit/log.ts'
import { openOwnSockets } from '#kit/net/own_sockets.ts'
import type { Secret } from '#lib/secret.ts'
import {
  type Acquirer,
  type AcquirerOptions,
  connectAcquirer,
} from '#test/support/network/acquirer.ts'
import { reversal, sale } from '#test/support/network/messages.ts'
import { manualClock } from '#test/support/time/manual_clock.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import { metrics } from '../metrics.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'
import { createNetworkPort, type PortOptions } from './port.ts'

const PAN = '4000005621471607'
const TENANT = '0197dddd-0000-7000-8000-00000000000a'

type Decide = (request: AuthorizationRequest) => Promise<AuthorizationAnswer>

const approve: Decide = async (request) => ({
  transaction_id: request.stan ?? '',
  status_code: '0000',
  approved: true,
  amount: request.amount,
  approval_code: '445566',
  hints: {},
  repeated: false,
})

const purchase = () => sale({ pan: PAN, amount: 1050n })

/** Waits for a condition from one turn of the event loop to the next. */
async function until(what: string, met: () => boolean): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  while (!met()) {
    assert.ok(performance.now() < end, `waited in vain until ${what}`)
    await turn()
  }
}

type Options = Partial<Omit<PortOptions, 'port' | 'engine' | 'log'>>

async function openPort(decide: Decide = approve, options: Options = {}, at = 0) {
  const logged: string[] = []
  const requests: AuthorizationRequest[] = []
  const { dialect = 'ascii', header = 'binary2', limits = {} } = options
  const clock = manualClock()
  const accepted: Socket[] = []
  const log = createLog('debug', { write: (line: string) => logged.push(line) })
  const engine = {
    tenantOfPan: async (pan: Secret) => (pan.reveal().startsWith('400000') ? TENANT : undefined),
    submit: (_tenant_id: string, { request }: { request: AuthorizationRequest }) => {
      requests.push(request)
      return decide(request)
    },
  }
  const network = createNetworkPort({
    host: '127.0.0.1',
    port: at,
    clock,
    ...options,
    dialect,
    header,
    engine,
    log,
    own: {
      isOwn(socket) {
        accepted.push(socket)
        return options.own?.isOwn(socket) ?? false
      },
    },
    limits: { closing: 1_000, ...limits },
  })
  const { port } = await network.listen()
  return {
    network,
    port,
    advance: clock.advance,
    accepted,
    /** Sends the bytes and waits until the port has them. */
    async feed(acquirer: Acquirer, bytes: Buffer) {
      const read = () => accepted.reduce((sum, { bytesRead }) => sum + bytesRead, 0)
      const before = read()
      acquirer.raw(bytes)
      await until('the port has read it', () => read() >= before + bytes.length)
    },
    /** The reasons of all faults so far. */
    faults: () =>
      logged.flatMap((line) => {
        const { reason }: { reason?: string } = JSON.parse(line)
        return reason ?? []
      }),
    open: () => network.connections(),
    requests,
    logged,
    connect: (options: Partial<AcquirerOptions> = {}) =>
      connectAcquirer({ port, dialect, header, ...options }),
    async signedOn() {
      const acquirer = await connectAcquirer({ port, dialect, header })
      assert.equal((await acquirer.signOn()).fields[39], '00')
      return acquirer
    },
    [Symbol.asyncDispose]: () => network.close(),
  }
}

/** Decisions that wait until they are let go. */
function held() {
  const waiting: (() => void)[] = []
  const decide: Decide = (request) =>
    new Promise((resolve) => waiting.push(() => resolve(approve(request))))
  const release = () => {
    for (const go of waiting.splice(0)) go()
  }
  return { waiting, decide, release }
}

/** How many connections or peers the port has given up for the reason, in this process. */
async function rejections(reason: string): Promise<number> {
  const { values } = await metrics.networkFaults.get()
  return values.find(({ labels }) => labels.reason === reason)?.value ?? 0
}

const management = (code: string) => ({
  mti: '0800',
  fields: { 7: '0101000000', 11: '000002', 33: '9', 70: code },
})

/** Asks until the system takes no more of the answers, which the peer does not read. */
async function fillSystem(deaf: Acquirer, socket: Socket): Promise<void> {
  let full = 0
  for (let sent = 0; full < 100; await turn()) {
    assert.ok(sent < 200_000, 'the system takes everything')
    full = socket.writableLength > 0 ? full + 1 : 0
    if (full > 0) continue
    for (let count = 0; count < 100; count += 1) deaf.post(purchase())
    sent += 100
  }
}

for (const dialect of Object.keys(dialects) as (keyof typeof dialects)[]) {
  for (const header of ['binary2', 'ascii4'] as const) {
    test(`sign-on, purchase and sign-off in ${dialect} with ${header}`, async () => {
      await using port = await openPort(approve, { dialect, header })
      const acquirer = await port.signedOn()
      const answer = await acquirer.send(purchase())
      assert.equal(answer.mti, '0110')
      assert.equal(answer.fields[39], '00')
      assert.equal(answer.fields[38], '445566')
      assert.equal((await acquirer.send(management('002'))).fields[39], '00')
      assert.equal((await acquirer.send(purchase())).fields[39], '91')
      await acquirer.close()
    })
  }
}

test('nothing is decided before sign-on', async () => {
  await using port = await openPort()
  const acquirer = await port.connect()
  assert.equal((await acquirer.send(purchase())).fields[39], '91')
  assert.deepEqual(port.requests, [])
  await acquirer.close()
})

test('a stream is read however it is cut, and keep-alives are passed over', async () => {
  await using port = await openPort()
  const acquirer = await port.signedOn()
  const bytes = frame(encode(purchase(), 'ascii'), 'binary2')
  acquirer.raw(Buffer.concat([Buffer.alloc(2), bytes, Buffer.alloc(4), bytes.subarray(0, 7)]))
  assert.equal((await acquirer.next()).fields[39], '00')
  for (const byte of bytes.subarray(7)) {
    acquirer.raw(Buffer.of(byte))
    await turn()
  }
  assert.equal((await acquirer.next()).fields[39], '00')
  await acquirer.close()
})

test('answers go out in the order of the decisions, not of the questions', async () => {
  const { waiting, decide } = held()
  await using port = await openPort(decide)
  const acquirer = await port.signedOn()
  const order: number[] = []
  const both = [0, 1].map((at) => acquirer.send(purchase()).then(() => order.push(at)))
  await until('both have arrived', () => waiting.length === 2)
  waiting[1]?.()
  await until('the second is answered', () => order.length === 1)
  waiting[0]?.()
  await Promise.all(both)
  assert.deepEqual(order, [1, 0])
  await acquirer.close()
})

test('decisions of one moment leave in one write', async () => {
  const { waiting, decide, release } = held()
  await using port = await openPort(decide)
  const socket = createConnection(port.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const on = { mti: '0800', fields: { 7: '0101000000', 11: '000001', 33: '9', 70: '001' } }
  socket.write(frame(encode(on, 'ascii'), 'binary2'))
  await until('signed on', () => chunks.length === 1)
  const many = Array.from({ length: 100 }, () => frame(encode(purchase(), 'ascii'), 'binary2'))
  socket.write(Buffer.concat(many))
  await until('all have arrived', () => waiting.length === 100)
  release()
  const bytes = () => chunks.slice(1).reduce((sum, { length }) => sum + length, 0)
  const one = frame(encode(purchase(), 'ascii'), 'binary2').length
  await until('all are answered', () => bytes() > 50 * one)
  assert.ok(chunks.length <= 5, `${chunks.length - 1} chunks for 100 answers`)
  socket.end()
})

test('an unknown card is answered 14 and never submitted', async () => {
  await using port = await openPort()
  const acquirer = await port.signedOn()
  const unknown = sale({ pan: '5391231701011006089', amount: 100n })
  assert.equal((await acquirer.send(unknown)).fields[39], '14')
  assert.equal((await acquirer.send({ ...unknown, mti: '0220' })).fields[39], '30')
  assert.deepEqual(port.requests, [])
  await acquirer.close()
})

test('a broken field is answered on a connection that stays', async () => {
  await using port = await openPort(async (request) => ({
    ...(await approve(request)),
    ...(request.format_fault && { ...request.format_fault, approved: false }),
  }))
  const acquirer = await port.signedOn()
  const bytes = encode(purchase(), 'ascii')
  const broken = Buffer.from(bytes)
  broken.write('X', broken.indexOf('5411'))
  acquirer.raw(frame(broken, 'binary2'))
  assert.equal((await acquirer.next()).fields[39], '30')
  assert.deepEqual(port.requests.at(-1)?.format_fault, {
    status_code: '9104',
    detail: 'DE18: characters',
  })
  // Nothing can be read of these, so nothing can be answered.
  acquirer.raw(frame(Buffer.from('no message at all'), 'binary2'))
  acquirer.raw(frame(encode({ mti: '0300', fields: { 2: PAN } }, 'ascii'), 'binary2'))
  assert.equal((await acquirer.send(purchase())).fields[39], '00')
  await acquirer.close()
})

test('bytes that are no frame end the connection, after the answers in flight', async () => {
  const { waiting, decide, release } = held()
  await using port = await openPort(decide, { header: 'ascii4' })
  const acquirer = await port.signedOn()
  const answer = acquirer.send(purchase())
  await until('it has arrived', () => waiting.length === 1)
  acquirer.raw(Buffer.from('no length'))
  release()
  assert.equal((await answer).fields[39], '00')
  await acquirer.closed
})

test('a frame over the limit ends the connection', async () => {
  await using port = await openPort()
  const acquirer = await port.signedOn()
  acquirer.raw(Buffer.from([0xff, 0xff, 0x30]))
  await acquirer.closed
})

test('an outage is answered 91 and a malfunction 96', async () => {
  const failures = [new DatabaseUnavailable(undefined), new Error('disk on fire')]
  await using port = await openPort(() => Promise.reject(failures.shift()))
  const acquirer = await port.signedOn()
  assert.equal((await acquirer.send(purchase())).fields[39], '91')
  assert.equal((await acquirer.send(purchase())).fields[39], '96')
  assert.equal(de39Of('9109'), '96')
  assert.ok(port.logged.some((line) => line.includes('disk on fire')))
  await acquirer.close()
})

test('more than a connection may have in flight is left unread until answers go out', async () => {
  const { waiting, decide, release } = held()
  await using port = await openPort(decide, { limits: { in_flight: 10 } })
  const acquirer = await port.signedOn()
  // Each is larger than one read takes, so the limit applies between them.
  const padded = () => ({ ...purchase(), fields: { ...purchase().fields, 62: 'x'.repeat(999) } })
  const answers = Array.from({ length: 1_000 }, () => acquirer.send(padded()))
  await until('the limit is reached', () => waiting.length >= 10)
  for (let turns = 0; turns < 200; turns += 1) await turn()
  assert.ok(port.requests.length < 200, `${port.requests.length} were read`)
  const pump = setInterval(release, 1)
  const all = await Promise.all(answers).finally(() => clearInterval(pump))
  assert.ok(all.every(({ fields }) => fields[39] === '00'))
  await acquirer.close()
})

test('silence is broken by an echo; two without an answer end the connection', async () => {
  await using port = await openPort()
  const alive = await port.signedOn()
  alive.answerEchoes()
  const mute = await port.signedOn()
  port.advance(30_000)
  const echo = await mute.next()
  assert.deepEqual([echo.mti, echo.fields[33], echo.fields[70]], ['0800', '9', '301'])
  assert.equal((await alive.next()).fields[70], '301')
  assert.equal((await alive.send(purchase())).fields[39], '00')
  port.advance(30_000)
  assert.equal((await mute.next()).fields[70], '301')
  assert.equal((await alive.next()).fields[70], '301')
  assert.equal((await alive.send(purchase())).fields[39], '00')
  port.advance(30_000)
  await mute.closed
  assert.equal((await alive.send(purchase())).fields[39], '00')
  await alive.close()
})

const restless: [what: string, bytes: () => Buffer][] = [
  ['keep-alives', () => Buffer.alloc(2)],
  ['single bytes', () => Buffer.of(1)],
  ['purchases', () => frame(encode(purchase(), 'ascii'), 'binary2')],
  ['echoes', () => frame(encode(management('301'), 'ascii'), 'binary2')],
]
for (const [what, bytes] of restless) {
  test(`a connection that has not signed on within 30 seconds is closed, whatever it sends: ${what}`, async () => {
    await using port = await openPort()
    const acquirer = await port.connect()
    await until('it is open', () => port.open() === 1)
    for (let second = 0; second < 29; second += 1) {
      port.advance(1_000)
      await port.feed(acquirer, bytes())
    }
    assert.equal(port.open(), 1)
    port.advance(1_000)
    await acquirer.closed
    assert.ok(port.faults().includes('unsigned'))
  })
}

test('a peer that signs off has 30 seconds to sign on again', async () => {
  await using port = await openPort()
  const [leaver, returner] = [await port.signedOn(), await port.signedOn()]
  port.advance(29_000)
  for (const acquirer of [leaver, returner]) {
    assert.equal((await acquirer.send(management('002'))).fields[39], '00')
  }
  port.advance(20_000)
  // A second sign-off buys no time.
  await leaver.send(management('002'))
  await returner.signOn()
  port.advance(10_000)
  await leaver.closed
  assert.equal((await returner.send(purchase())).fields[39], '00')
  await returner.close()
})

test('a frame that is not complete 30 seconds after its first byte ends the connection', async () => {
  await using port = await openPort()
  const slow = await port.signedOn()
  const bytes = frame(encode(purchase(), 'ascii'), 'binary2')
  for (let second = 0; second <= 29; second += 1) {
    await port.feed(slow, bytes.subarray(second, second + 1))
    port.advance(second === 29 ? 999 : 1_000)
  }
  assert.equal(port.open(), 1)
  port.advance(1)
  await slow.closed
  assert.ok(port.faults().includes('slow_frame'))
  assert.deepEqual(port.requests, [])
})

test('a frame in many pieces is whole in time, and its time begins with its own first byte', async () => {
  await using port = await openPort()
  const acquirer = await port.signedOn()
  const bytes = frame(encode(purchase(), 'ascii'), 'binary2')
  await port.feed(acquirer, bytes.subarray(0, 5))
  port.advance(29_000)
  acquirer.raw(Buffer.concat([bytes.subarray(5), bytes.subarray(0, 9)]))
  assert.equal((await acquirer.next()).fields[39], '00')
  port.advance(29_000)
  acquirer.raw(bytes.subarray(9))
  assert.equal((await acquirer.next()).fields[39], '00')
  await acquirer.close()
})

for (const kib of [64, 700, 1_500]) {
  test(`a peer that takes no bytes for 60 seconds is dropped with ${kib} KiB of answers waiting`, async () => {
    await using port = await openPort()
    const deaf = await port.signedOn()
    const [socket] = port.accepted
    assert.ok(socket)
    deaf.pause()
    await fillSystem(deaf, socket)
    const expected = port.requests.length + (kib * 1_024) / 150
    while (port.requests.length < expected && !socket.isPaused()) {
      for (let count = 0; count < 100; count += 1) deaf.post(purchase())
      await turn()
    }
    assert.equal(socket.isPaused(), kib > 1_024)
    port.advance(59_000)
    assert.equal(port.open(), 1)
    port.advance(2_000)
    await until('it is dropped', () => port.open() === 0)
    assert.ok(port.faults().includes('stalled'))
    deaf.cut()
  })
}

test('a peer that takes its answers slowly is kept, and gets them all', async () => {
  await using port = await openPort()
  const slow = await port.signedOn()
  const [socket] = port.accepted
  assert.ok(socket)
  slow.pause()
  await fillSystem(slow, socket)
  for (let minute = 0; minute < 5; minute += 1) {
    const before = socket.bytesWritten
    slow.resume()
    await until('it takes some', () => socket.bytesWritten > before || socket.writableLength === 0)
    slow.pause()
    port.advance(59_000)
    await turn()
  }
  slow.resume()
  await until('it has taken all', () => socket.writableLength === 0)
  assert.ok(!port.faults().includes('stalled'))
  await slow.close()
})

for (const limit of ['connections', 'connections_per_address']) {
  test(`connections past the limit are rejected at once and counted: ${limit}`, async () => {
    await using port = await openPort(approve, { limits: { [limit]: 2 } })
    const before = await rejections(limit)
    const kept = [await port.signedOn(), await port.signedOn()]
    const third = await port.connect()
    await third.closed
    assert.deepEqual(port.faults(), [limit])
    assert.equal(await rejections(limit), before + 1)
    await kept.pop()?.close()
    await until('a place is free', () => port.open() === 1)
    kept.push(await port.signedOn())
    for (const acquirer of kept) assert.equal((await acquirer.send(purchase())).fields[39], '00')
    for (const acquirer of kept) await acquirer.close()
  })
}

test('an address that is not on the list is rejected at once and counted', async () => {
  await using port = await openPort(approve, { allow: ['192.0.2.0/24', '2001:db8::/32'] })
  const before = await rejections('not_allowed')
  const peer = await port.connect()
  await peer.closed
  assert.equal(await rejections('not_allowed'), before + 1)
  assert.equal(port.open(), 0)
})

test('an address on the list is accepted, also where the port listens on IPv6', async () => {
  await using port = await openPort(approve, { host: '::', allow: ['127.0.0.0/8'] })
  const [mapped, other] = [await port.signedOn(), await port.connect({ host: '::1' })]
  await other.closed
  assert.equal((await mapped.send(purchase())).fields[39], '00')
  await mapped.close()
})

test('the connections of this process are let in when nothing else is', async () => {
  const own = openOwnSockets()
  const limits = { connections: 1, connections_per_address: 1 }
  await using port = await openPort(approve, { own, limits })
  const peer = await port.signedOn()
  const mine = [1, 2, 3].map(() => own.connect({ host: '127.0.0.1', port: port.port }))
  await until('all are there', () => port.open() === 4)
  const rejected = await port.connect()
  await rejected.closed
  for (const socket of mine) socket.destroy()
  await until('they have gone', () => port.open() === 1)
  await peer.close()
})

test('a peer that breaks off at once leaves its place', async () => {
  await using port = await openPort(approve, { limits: { connections: 1 } })
  for (let round = 0; round < 30; round += 1) {
    const socket = createConnection(port.port, '127.0.0.1')
    socket.on('connect', () => socket.resetAndDestroy()).on('error', () => {})
    await until('it has come', () => port.accepted.length === round + 1)
    await until('it has gone', () => port.accepted.at(-1)?.destroyed === true)
  }
  const acquirer = await port.signedOn()
  await acquirer.close()
})

test('an approval that cannot be written is reversed, once, under a key of its own', async () => {
  const { waiting, decide, release } = held()
  let tries = 0
  await using port = await openPort((request) => {
    if (request.message_type !== '0420') return decide(request)
    tries += 1
    return tries === 1 ? Promise.reject(new DatabaseUnavailable(undefined)) : approve(request)
  })
  const acquirer = await port.signedOn()
  const message = purchase()
  acquirer.post(message)
  acquirer.post({ ...reversal(purchase()), mti: '0400' })
  await until('both have arrived', () => waiting.length === 2)
  acquirer.cut()
  await acquirer.closed
  await until('the port has seen the cut', () => port.open() === 0)
  release()
  await until('it is reversed', () => tries === 2)
  const [first, second] = port.requests.filter(({ message_type }) => message_type === '0420')
  assert.deepEqual(first, second)
  const { 7: transmitted, 11: stan, 32: acquirer_id, 37: rrn } = message.fields
  const message_key = `0100|${stan}|${transmitted}|${acquirer_id}`
  assert.deepEqual(first?.original, { transaction_id: stan, message_key })
  assert.equal(first?.duplicate_key, `UNSENT|${message_key}|${rrn}`)
  assert.equal(first?.amount, 1050n)
})

test('the answer to a repeat that cannot be sent is reported beside the first', async () => {
  const { waiting, decide, release } = held()
  await using port = await openPort(async (request) => {
    if (request.message_type === '0420') return approve(request)
    const nth = waiting.length + 1
    const answer = await decide(request)
    return nth === 1 ? answer : { ...answer, repeated: true, answer_number: nth }
  })
  const message = purchase()
  for (const [at, mti] of ['0100', '0101'].entries()) {
    const acquirer = await port.signedOn()
    acquirer.post({ ...message, mti })
    await until('it has arrived', () => waiting.length === at + 1)
    acquirer.cut()
    await acquirer.closed
  }
  await until('the port has seen both cuts', () => port.open() === 0)
  release()
  const reversals = () => port.requests.filter(({ message_type }) => message_type === '0420')
  await until('both are reported', () => reversals().length === 2)
  const { 7: transmitted, 11: stan, 32: acquirer_id, 37: rrn } = message.fields
  const key = `UNSENT|0100|${stan}|${transmitted}|${acquirer_id}|${rrn}`
  const keys = reversals().map(({ duplicate_key }) => duplicate_key)
  assert.deepEqual(keys.toSorted(), [key, `${key}|2`])
})

test('an answer that waits until nobody expects it is not sent, and is reversed', async () => {
  const { waiting, decide, release } = held()
  await using port = await openPort(
    (request) => (request.message_type === '0420' ? approve(request) : decide(request)),
    { limits: { answer: 50 } },
  )
  const acquirer = await port.signedOn()
  const advice = { ...purchase(), mti: '0120' }
  acquirer.post(purchase())
  acquirer.post(advice)
  await until('both have arrived', () => waiting.length === 2)
  const arrived = performance.now()
  await until('both are late', () => performance.now() - arrived > 60)
  release()
  assert.equal((await acquirer.next()).mti, '0130')
  await until('it is reversed', () =>
    port.requests.some(({ message_type }) => message_type === '0420'),
  )
  await acquirer.close()
})

test('what held nothing, or was answered before, needs no reversal', async () => {
  const repeated: Decide = async (request) => ({ ...(await approve(request)), repeated: true })
  const declined: Decide = async (request) => ({ ...(await approve(request)), approved: false })
  for (const answer of [repeated, declined]) {
    const { waiting, decide, release } = held()
    const port = await openPort(async (request) => {
      await decide(request)
      return answer(request)
    })
    const acquirer = await port.signedOn()
    acquirer.post(purchase())
    await until('it has arrived', () => waiting.length === 1)
    acquirer.cut()
    await until('the port has seen the cut', () => port.open() === 0)
    release()
    await port.network.close()
    assert.equal(port.requests.length, 1)
  }
})

test('closing answers what is in flight, 91 to what still comes, and accepts no new connection', async () => {
  const { waiting, decide, release } = held()
  await using port = await openPort(decide)
  const acquirer = await port.signedOn()
  const answer = acquirer.send(purchase())
  await until('it has arrived', () => waiting.length === 1)
  const closed = port.network.close()
  assert.equal((await acquirer.send(purchase())).fields[39], '91')
  await assert.rejects(port.connect())
  release()
  assert.equal((await answer).fields[39], '00')
  await Promise.all([closed, acquirer.closed])
})

test('closing does not wait for ever', async () => {
  const { waiting, decide, release } = held()
  const port = await openPort(decide, { limits: { closing: 50 } })
  const acquirer = await port.signedOn()
  acquirer.post(purchase())
  await until('it has arrived', () => waiting.length === 1)
  await Promise.all([port.network.close(), acquirer.closed])
  release()
})

test('a port that is in use is reported', async () => {
  await using port = await openPort()
  await assert.rejects(openPort(approve, {}, port.port), { code: 'EADDRINUSE' })
})

test('logs are masked lines', async () => {
  await using port = await openPort()
  const acquirer = await port.signedOn()
  const track = `${PAN}=31122010123498700`
  const { fields } = purchase()
  await acquirer.send({ mti: '0100', fields: { ...fields, 35: track, 48: '9203765', 62: PAN } })
  await acquirer.close()
  const text = port.logged.join('\n')
  assert.match(text, /400000\*+1607/)
  for (const secret of [PAN, '31122010123498700', '9203765']) assert.ok(!text.includes(secret))
})
