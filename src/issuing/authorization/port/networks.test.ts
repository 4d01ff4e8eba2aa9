/** Networks with an own envelope, header, map and direction (D-1030). A script decides here. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createConnection } from 'node:net'
import { test } from 'node:test'
import { enveloped, opened } from '#iso8583/envelope.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { createLog } from '#kit/log.ts'
import { sale } from '#test/support/network/messages.ts'
import { connectLine, openScheme } from '#test/support/network/scheme.ts'
import { until } from '#test/support/services/receiver.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '../schema.ts'
import { createNetworkPort, type PortOptions } from './port.ts'
import { type NetworkProfile, plainProfile } from './profile.ts'

const PAN = '4000005621471607'

const approved = ({ amount }: AuthorizationRequest): AuthorizationAnswer => ({
  transaction_id: 'one',
  status_code: '0000',
  approved: true,
  amount,
  approval_code: '445566',
  hints: {},
  repeated: false,
})

async function openNetwork(
  fields: Partial<NetworkProfile> = {},
  options: Partial<PortOptions> = {},
  decide: (request: AuthorizationRequest) => AuthorizationAnswer = approved,
) {
  const logged: string[] = []
  const requests: AuthorizationRequest[] = []
  const profile = { ...plainProfile('ascii', 'binary2'), name: 'scheme', ...fields }
  const network = createNetworkPort({
    ...{ host: '127.0.0.1', port: 0, dialect: profile.dialect, header: profile.header, profile },
    log: createLog('info', { write: (line: string) => logged.push(line) }),
    engine: {
      tenantOfPan: async () => 'tenant',
      submit: async (_tenant_id, { request }) => {
        requests.push(request)
        return decide(request)
      },
    },
    limits: { closing: 1_000 },
    ...options,
  })
  const { port } = await network.listen()
  const { dialect, envelope } = profile
  const write = (message: Message, of?: Buffer) => enveloped(encode(message, dialect), envelope, of)
  const read = (bytes: Buffer): Message => {
    const decoded = decode(opened(bytes, envelope)?.message ?? bytes, dialect)
    assert.ok(decoded.ok)
    return decoded.message
  }
  const dispose = () => network.close()
  return { network, port, write, read, logged, requests, [Symbol.asyncDispose]: dispose }
}

const management = (code: string): Message => ({
  mti: '0800',
  fields: { 7: '0612101530', 11: '000001', 33: '9', 70: code },
})
const purchase = () => sale({ pan: PAN, amount: 1050n })

for (const [envelope, sent, back] of [
  ['tpdu', '6000120034', '6000340012'],
  ['base1', '1601020000111111222222'.padEnd(44, '0'), '222222111111'],
] as const) {
  for (const header of ['binary2', 'ascii4', 'binary2_00'] as const) {
    test(`${envelope} behind ${header}: answers go back to the address that asked`, async () => {
      await using network = await openNetwork({ envelope, header, dialect: 'bcd' })
      const line = await connectLine(network.port, header)
      const ask = async (message: Message) => {
        line.put(Buffer.concat([Buffer.from(sent, 'hex'), encode(message, 'bcd')]))
        return line.next()
      }
      assert.equal(network.read(await ask(management('001'))).fields[39], '00')
      const bytes = await ask(purchase())
      assert.equal(network.read(bytes).fields[39], '00')
      assert.ok(bytes.toString('hex').includes(back))
      if (envelope === 'base1') assert.equal(bytes.readUInt16BE(3), bytes.length)
      line.cut()
    })
  }
}

test('a message without MTI or envelope is a log line that shows no number', async () => {
  await using network = await openNetwork({ envelope: 'tpdu', dialect: 'bcd' })
  const line = await connectLine(network.port)
  line.put(Buffer.from(`${PAN}${PAN}`))
  line.put(Buffer.from('6000010002f0f8f0f0', 'hex'))
  line.put(network.write(management('001')))
  await line.next()
  const lines = network.logged.map((text) => JSON.parse(text)).filter((one) => one.first_bytes)
  assert.deepEqual(
    lines.map(({ network: name, reason, first_bytes }) => [name, reason, first_bytes]),
    [
      ['scheme', 'envelope', `34303030 ${'n'.repeat(20)}...`],
      ['scheme', 'mti', '60000100 -eeee'],
    ],
  )
  assert.match(lines[0].expected, /TPDU of 5 bytes that begins with 60, then the MTI in bcd/)
  assert.ok(!network.logged.join('').includes(PAN))
  line.cut()
})

test('a log line shows the first bytes also where zeros follow digits', async () => {
  await using network = await openNetwork({ dialect: 'ebcdic' })
  const line = await connectLine(network.port)
  line.put(Buffer.from(`30313030${'00'.repeat(20)}`, 'hex'))
  line.put(network.write(management('001')))
  await line.next()
  const lines = network.logged.map((text) => JSON.parse(text)).filter((one) => one.first_bytes)
  assert.partialDeepStrictEqual(lines, [
    { reason: 'mti', first_bytes: `30313030 ${'.'.repeat(20)}` },
  ])
  line.cut()
})

for (const [header, sent, reason, first_bytes] of [
  ['ascii4', '00120800', 'frame_header', '00120800 '],
  ['binary2', '30303331303830308220', 'frame_too_long', '30303331 nnnn--'],
  ['binary2_00', '00310800', 'frame_header', '00310800 '],
] as const) {
  test(`bytes that are no frame of ${header} are a log line that says what was expected`, async () => {
    await using network = await openNetwork({ header })
    const socket = createConnection({ host: '127.0.0.1', port: network.port })
    socket.write(Buffer.from(sent, 'hex'))
    await once(socket.resume(), 'close')
    const lines = network.logged.map((text) => JSON.parse(text)).filter((one) => one.first_bytes)
    assert.partialDeepStrictEqual(lines, [{ network: 'scheme', reason, first_bytes }])
    assert.match(lines[0].expected, /of length.*, no envelope, then the MTI in ascii/)
  })
}

test('a network connects, signs on, and connects again when the line is lost', async () => {
  await using scheme = await openScheme()
  const connect = [{ host: '127.0.0.1', port: scheme.port }]
  await using network = await openNetwork({ sign_on: 'us', institution: '77' }, { connect })
  for (let lost = 0; lost < 2; lost += 1) {
    const line = await scheme.line()
    const signOn = network.read(await line.next())
    assert.partialDeepStrictEqual(signOn, { mti: '0800', fields: { 33: '77', 70: '001' } })
    line.put(network.write(purchase()))
    assert.equal(network.read(await line.next()).fields[39], '91')
    line.put(network.write({ mti: '0810', fields: { ...signOn.fields, 39: '00' } }))
    line.put(network.write(purchase()))
    assert.equal(network.read(await line.next()).fields[39], '00')
    line.cut()
    await line.closed
  }
  assert.ok(network.logged.some((line) => line.includes('not connected')))
})

test('a network knows its connections, and what of its messages had no effect', async () => {
  await using network = await openNetwork({ bins: ['400001'] })
  const line = await connectLine(network.port)
  const only = () => network.network.state().lines[0]
  await until('the connection is known', () => only() !== undefined)
  assert.partialDeepStrictEqual(only(), { signed_on: false, silent_ms: null })
  line.put(network.write(management('001')))
  await line.next()
  assert.equal(only()?.signed_on, true)
  assert.notEqual(only()?.silent_ms, null)
  assert.match(only()?.address ?? '', /^127\.0\.0\.1:\d+$/)
  line.put(network.write(purchase()))
  await line.next()
  line.put(Buffer.from('no message'))
  await until('both are counted', () => network.network.state().refused === 2)
  assert.equal(network.network.state().mac_failures, 0)
  line.cut()
  await until('it is closed', () => network.network.state().lines.length === 0)
})

test('a peer that signs on twice is answered twice and goes on', async () => {
  await using network = await openNetwork()
  const line = await connectLine(network.port)
  for (let times = 0; times < 2; times += 1) {
    line.put(network.write(management('001')))
    assert.equal(network.read(await line.next()).fields[39], '00')
    line.put(network.write(purchase()))
    assert.equal(network.read(await line.next()).fields[39], '00')
  }
  line.cut()
})

test('cards outside the BINs of a network are not decided', async () => {
  await using network = await openNetwork({ bins: ['400001', '5'] })
  const line = await connectLine(network.port)
  line.put(network.write(management('001')))
  await line.next()
  line.put(network.write(purchase()))
  assert.equal(network.read(await line.next()).fields[39], '14')
  assert.deepEqual(network.requests, [])
  line.put(network.write(sale({ pan: '5100005621471607', amount: 1n })))
  assert.equal(network.read(await line.next()).fields[39], '00')
  line.cut()
})

for (const [codes, de39] of [
  ['generic', '82'],
  ['mastercard', '88'],
  ['numeric', '63'],
] as const) {
  test(`a wrong cryptogram is ${de39} at a ${codes} network`, async () => {
    const decide = (request: AuthorizationRequest) => ({
      ...approved(request),
      status_code: '1810',
      approved: false,
    })
    await using network = await openNetwork({ codes }, {}, decide)
    const line = await connectLine(network.port)
    line.put(network.write(management('001')))
    await line.next()
    line.put(network.write(purchase()))
    assert.equal(network.read(await line.next()).fields[39], de39)
    line.cut()
  })
}

test('what the scheme bills and the time for an answer are those of the network', async () => {
  await using network = await openNetwork({ billing: 'scheme', deadline_ms: 3_000 })
  const line = await connectLine(network.port)
  line.put(network.write(management('001')))
  await line.next()
  const fields = { 49: '840', 6: '000000003855', 10: '63671429', 51: '784' }
  line.put(network.write(sale({ pan: PAN, amount: 1050n, fields })))
  await line.next()
  const [request] = network.requests
  assert.deepEqual(request?.billed, { amount: 3855n, currency: 'AED', rate: '3.671429' })
  line.cut()
})

test('track 2 of an odd number of digits ends with F where the network writes it so', async () => {
  await using network = await openNetwork({ track2_fill: 'right_f', dialect: 'bcd' })
  const line = await connectLine(network.port)
  line.put(network.write(management('001')))
  await line.next()
  const track = `${PAN}=31122010123498700123`.slice(0, 37)
  const { fields } = purchase()
  const bytes = encode({ mti: '0100', fields: { ...fields, 22: '901', 35: track } }, 'bcd')
  const left = Buffer.from(`0${track.replace('=', 'D')}`, 'hex')
  const right = Buffer.from(`${track.replace('=', 'D')}F`, 'hex')
  const at = bytes.indexOf(left)
  assert.ok(track.length % 2 === 1 && at > 0)
  right.copy(bytes, at)
  line.put(bytes)
  assert.equal(network.read(await line.next()).fields[39], '00')
  assert.equal(network.requests[0]?.track_expiry, '3112')
  line.cut()
})
