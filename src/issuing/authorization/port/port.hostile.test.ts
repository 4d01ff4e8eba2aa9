/** Hostile frames on a connection that has signed on. SEED=… repeats a run. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { test } from 'node:test'
import type { DialectName } from '#iso8583/dialects.ts'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { createLog } from '#kit/log.ts'
import { completion, reversal, sale } from '#test/support/network/messages.ts'
import { lenient } from '../message/format.ts'
import { toRequest } from '../message/request.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'
import { createNetworkPort } from './port.ts'

const PAN = '4000005621471607'
const TRACK = `${PAN}=31122010123498700`
const CVV2 = '48207'
const FRAMES = 2_000

const seed = Number(process.env['SEED'] ?? Date.now() % 0x7fffffff)

/** Lehmer's generator: enough to damage bytes with, and the same from the same seed. */
function chance(start: number) {
  let state = (start % 2_147_483_646) + 1
  return (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
}

/** The scripted engine approves whatever is whole. */
const decide = (request: AuthorizationRequest): AuthorizationAnswer => ({
  transaction_id: '0197dddd-0000-7000-8000-000000000001',
  status_code: request.format_fault?.status_code ?? '0000',
  approved: request.format_fault === undefined,
  amount: request.amount,
  approval_code: '445566',
  hints: {},
  repeated: false,
})

function wholeMessages(): Message[] {
  const bought = sale({ pan: PAN, amount: 100n, fields: { 35: TRACK, 48: '9203482' } })
  const answer = { mti: '0110', fields: { 38: '445566' } }
  const chip = { 22: '051', 35: TRACK, 52: '0123456789ABCDEF', 55: '9F2608AABBCCDDEEFF0011' }
  return [
    bought,
    sale({ pan: PAN, amount: 100n, mti: '0200', fields: chip }),
    completion(bought, answer),
    reversal(bought, 50n),
    { mti: '0800', fields: { 7: '0101000000', 11: '000009', 33: '9', 70: '301' } },
  ]
}

type Roll = (below: number) => number

const damages: ((bytes: Buffer, roll: Roll) => Buffer)[] = [
  (bytes, roll) => {
    bytes.writeUInt8(roll(256), roll(bytes.length))
    return bytes
  },
  (bytes, roll) => {
    const at = roll(bytes.length)
    bytes.writeUInt8((bytes[at] ?? 0) ^ (1 << roll(8)), at)
    return bytes
  },
  (bytes, roll) => bytes.subarray(0, 1 + roll(bytes.length)),
  (bytes, roll) => Buffer.concat([bytes, bytes.subarray(roll(bytes.length))]),
  (bytes, roll) => {
    const at = roll(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(Math.min(at + 3, bytes.length))])
  },
  (_bytes, roll) => Buffer.from(Array.from({ length: 1 + roll(300) }, () => roll(256))),
]

function hostileFrames(dialect: DialectName, roll: Roll): Buffer[] {
  const whole = wholeMessages()
  return Array.from({ length: FRAMES / 2 }, () => {
    const message = whole[roll(whole.length)] ?? whole[0]
    const damage = damages[roll(damages.length)]
    assert.ok(message && damage)
    const bytes = damage(encode(message, dialect), roll)
    return bytes.length === 0 ? Buffer.of(0) : bytes
  })
}

/** Only a whole request of a card may be approved. */
function mayBeApproved(bytes: Buffer, dialect: DialectName): boolean {
  const decoded = decode(bytes, dialect, lenient)
  if (!decoded.ok) return false
  const read = toRequest(decoded.message, 0)
  return read.ok && read.request.format_fault === undefined
}

async function exchangeAll(port: number, dialect: DialectName, frames: Buffer[]) {
  const socket = createConnection(port, '127.0.0.1')
  await once(socket, 'connect')
  const reader = createFrameReader({ header: 'binary2', max_frame: 65_535 })
  const answers: Buffer[] = []
  const ended = once(socket, 'close')
  socket.on('data', (chunk: Buffer) => answers.push(...reader.push(chunk).frames.map(Buffer.from)))
  const manage = (code: string, stan: string) => {
    const fields = { 7: '0101000000', 11: stan, 33: '9', 70: code }
    return frame(encode({ mti: '0800', fields }, dialect), 'binary2')
  }
  const answered = (stan: string) => answers.some((bytes) => isEcho(bytes, dialect, stan))
  const all = frames.map((bytes) => frame(bytes, 'binary2'))
  socket.write(Buffer.concat([manage('001', '999997'), ...all]))
  // Decisions take a turn of the event loop: the second echo comes after the last of them.
  for (const stan of ['999998', '999999']) {
    socket.write(manage('301', stan))
    while (!answered(stan)) await once(socket, 'data', { signal: AbortSignal.timeout(5_000) })
  }
  socket.end()
  await ended
  return answers
}

function isEcho(bytes: Buffer, dialect: DialectName, stan: string): boolean {
  const decoded = decode(bytes, dialect, lenient)
  if (!decoded.ok) return false
  const { 11: trace, 70: code } = decoded.message.fields
  return trace === stan && code === '301'
}

function de39Of(bytes: Buffer, dialect: DialectName): string | undefined {
  const decoded = decode(bytes, dialect, lenient)
  return decoded.ok ? decoded.message.fields[39] : undefined
}

for (const dialect of ['ascii', 'bcd'] as const) {
  test(`${FRAMES / 2} hostile frames in ${dialect}: no crash, no approval, no leak`, async () => {
    const logged: string[] = []
    const log = createLog('debug', { write: (line: string) => logged.push(line) })
    const engine = {
      tenantOfPan: async () => 'tenant',
      submit: async (_id: string, { request }: { request: AuthorizationRequest }) =>
        decide(request),
    }
    const network = createNetworkPort({
      host: '127.0.0.1',
      port: 0,
      dialect,
      header: 'binary2',
      engine,
      log,
      limits: { closing: 500 },
    })
    const { port } = await network.listen()
    const frames = hostileFrames(dialect, chance(seed))
    const answers = await exchangeAll(port, dialect, frames).finally(() => network.close())

    const approvals = answers.filter((bytes) => {
      // Names come back as they came (D-1033).
      const decoded = decode(bytes, dialect, lenient)
      assert.ok(decoded.ok, 'every answer is a message')
      return decoded.message.fields[38] !== undefined
    })
    const whole = frames.filter((bytes) => mayBeApproved(bytes, dialect))
    assert.ok(approvals.length <= whole.length, `seed ${seed}`)
    assert.ok(whole.length < frames.length / 2, `seed ${seed}: the damage is real`)
    const text = logged.join('\n')
    for (const secret of [PAN, TRACK, TRACK.slice(17), CVV2, '0123456789ABCDEF']) {
      assert.ok(
        !text.includes(secret),
        `seed ${seed}: a log line contains ${secret.length} characters`,
      )
    }
    // A decline for its format echoes to the sender fields that may not be what they seem.
    const decided = answers.filter((bytes) => de39Of(bytes, dialect) !== '30')
    const sent = Buffer.concat(decided).toString('latin1')
    for (const secret of [TRACK, TRACK.slice(17), '9203482']) {
      assert.ok(!sent.includes(secret), `seed ${seed}`)
    }
    assert.ok(!logged.some((line) => line.includes('"level":"error"')), `seed ${seed}`)
  })
}
