/** Codes of messages and keys that change, at two processes on one database (D-1031, D-1032). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { coveredIn, macIn, putMac, withoutMac } from '#iso8583/mac_field.ts'
import { decode, encode, type Message } from '#iso8583/message.ts'
import { writeElements } from '#iso8583/tlv48.ts'
import { NetworkKeys } from '#issuing/networks/networks.ts'
import { insertExchange, listExchanges, listKeyRows } from '#issuing/networks/store.ts'
import { createLog } from '#kit/log.ts'
import { checkValueOf, TdesKey } from '#lib/ciphers.ts'
import { newId } from '#lib/id.ts'
import { Secret } from '#lib/secret.ts'
import { isMac, type MacMethod, macOf } from '#mac/mac.ts'
import { wrapKeyBlock } from '#pin/tr31.ts'
import { keeper } from '#test/support/keeper.ts'
import { sale } from '#test/support/network/messages.ts'
import { connectLine, type Line } from '#test/support/network/scheme.ts'
import { zoneKeyText } from '#test/support/services/zone_keys.ts'
import { manualClock } from '#test/support/time/manual_clock.ts'
import { openWorld } from '#test/support/world.ts'
import { createNetworkPort, type NetworkPort } from './port.ts'
import { type NetworkProfile, plainProfile } from './profile.ts'

const keep = keeper()
const world = keep(await openWorld())
const usual: MacMethod = { algorithm: 'iso9797_3', padding: 2 }
const ZMK_HEX = '0123456789abcdeffedcba9876543210'
const ZMK = zoneKeyText(ZMK_HEX)
const zmk = new Secret(Buffer.from(ZMK_HEX, 'hex'))
const PAN = '4000005621471607'

const keyOf = (hex: string) => new TdesKey(new Secret(Buffer.from(hex, 'hex')))
const ONE = '11112222333344445555666677778888'
const TWO = '9999aaaabbbbccccddddeeeeffff0000'

let opened = 0
const nextName = (): string => {
  opened += 1
  return `scheme${opened}`
}

/** A network at so many processes. */
async function openNetwork(
  dialect: 'ascii' | 'bcd' = 'bcd',
  processes = 1,
  {
    method = usual,
    name = nextName(),
    ...fields
  }: Partial<NetworkProfile> & { method?: MacMethod } = {},
) {
  const decided: string[] = []
  const clock = manualClock()
  const ports: number[] = []
  const networks: NetworkPort[] = []
  for (let at = 0; at < processes; at += 1) {
    const keys = new NetworkKeys(world.services, name, ZMK)
    const mac = { required: true, method }
    const network = createNetworkPort({
      ...{ host: '127.0.0.1', port: 0, dialect, header: 'binary2', clock },
      profile: { ...plainProfile(dialect, 'binary2'), name, mac, keys, ...fields },
      log: createLog('silent'),
      engine: {
        tenantOfPan: async () => 'tenant',
        submit: async (_tenant_id, { request }) => {
          decided.push(request.stan ?? '')
          const { amount } = request
          return {
            ...{ transaction_id: 'one', status_code: '0000', approved: true, amount },
            ...{ approval_code: '445566', hints: {}, repeated: false },
          }
        },
      },
      limits: { closing: 1_000 },
    })
    const { port } = await network.listen()
    keep({ [Symbol.asyncDispose]: () => network.close() })
    ports.push(port)
    networks.push(network)
  }
  const sealed = (message: Message, hex: string | undefined): Buffer => {
    if (hex === undefined) return encode(message, dialect)
    const bytes = encode(withoutMac(message), dialect)
    putMac(bytes, macOf(keyOf(hex), method, coveredIn(bytes, dialect)), dialect)
    return bytes
  }
  /** The answer, and whether its code is right under a key. */
  const ask = async (line: Line, message: Message, hex?: string, under = hex) => {
    line.put(sealed(message, hex))
    const bytes = await line.next()
    const answer = decode(bytes, dialect)
    assert.ok(answer.ok)
    const code = macIn(bytes, answer.message, dialect)
    const isSealed =
      code !== undefined &&
      under !== undefined &&
      isMac(keyOf(under), method, code.covered, code.mac)
    return { de39: answer.message.fields[39], isSealed, hasCode: code !== undefined }
  }
  /** The next message that the platform begins, without its code. */
  const asked = async (line: Line): Promise<Message> => {
    const decoded = decode(await line.next(), dialect)
    assert.ok(decoded.ok)
    const { 64: _primary, 128: _secondary, ...fields } = decoded.message.fields
    return { mti: decoded.message.mti, fields }
  }
  return { name, ports, opened: networks, ask, asked, sealed, decided, clock, dialect }
}

let stan = 0
const management = (code: string, text?: string): Message => {
  stan += 1
  const fields = { 7: '0612101530', 11: String(stan).padStart(6, '0'), 33: '9', 70: code }
  return { mti: '0800', fields: text === undefined ? fields : { ...fields, 48: text } }
}
const purchase = () => sale({ pan: PAN, amount: 1050n })

/** DE48 with a key under the zone master key. */
const elementsOf = (hex: string, check_value = checkValueOf(keyOf(hex))): string =>
  writeElements([
    ['11', new TdesKey(zmk).encrypt(Buffer.from(hex, 'hex')).toString('hex').toUpperCase()],
    ['12', check_value],
    ['13', 'ZAK'],
  ])

const blockOf = (hex: string): string =>
  wrapKeyBlock(
    {
      ...{ version: 'B', key_usage: 'M3', algorithm: 'T', mode_of_use: 'C' },
      ...{ key_version: '00', exportability: 'N' },
    },
    new Secret(Buffer.from(hex, 'hex')),
    zmk,
    Buffer.alloc(40, 7),
  )

for (const dialect of ['ascii', 'bcd'] as const) {
  test(`${dialect}: a message without its code, or with a wrong one, has no effect`, async () => {
    const {
      ports,
      opened: [port],
      ask,
      decided,
    } = await openNetwork(dialect)
    const line = await connectLine(ports[0] ?? 0)
    assert.equal((await ask(line, purchase())).de39, '30')
    assert.equal((await ask(line, management('101', elementsOf(ONE)))).de39, '00')
    assert.deepEqual(await ask(line, management('001'), ONE), {
      ...{ de39: '00', isSealed: true, hasCode: true },
    })
    assert.deepEqual(await ask(line, purchase(), undefined, ONE), {
      ...{ de39: '30', isSealed: true, hasCode: true },
    })
    assert.deepEqual(await ask(line, purchase(), TWO, ONE), {
      ...{ de39: '30', isSealed: true, hasCode: true },
    })
    assert.equal((await ask(line, management('002'), TWO, ONE)).de39, '30')
    assert.deepEqual(decided, [])
    const { de39, isSealed } = await ask(line, purchase(), ONE)
    assert.deepEqual([de39, isSealed, decided.length], ['00', true, 1])
    assert.partialDeepStrictEqual(port?.state(), { mac_failures: 4, refused: 4 })
    line.cut()
  })
}

test('a key with another check value is answered 81, and the one before stays', async () => {
  const { ports, ask } = await openNetwork()
  const line = await connectLine(ports[0] ?? 0)
  await ask(line, management('101', elementsOf(ONE)))
  await ask(line, management('001'), ONE)
  for (const text of [elementsOf(TWO, '000000'), '1104zzzz', `B0080${'0'.repeat(75)}`]) {
    assert.equal((await ask(line, management('162', text), ONE)).de39, '81')
  }
  assert.equal((await ask(line, management('162'), ONE)).de39, '81')
  assert.equal((await ask(line, purchase(), ONE)).de39, '00')
  line.cut()
})

test('a key whose digits under the zone master key begin as a key block does is taken', async () => {
  const { ports, ask } = await openNetwork()
  const line = await connectLine(ports[0] ?? 0)
  // Under the zone master key: A5830DC7….
  const hex = 'bf7c3bf8b67532f1ae6d2ae9a76423e0'
  assert.equal((await ask(line, management('101', elementsOf(hex)))).de39, '00')
  assert.equal((await ask(line, management('001'), hex)).de39, '00')
  line.cut()
})

test('a new key is known at once at all processes, and the old one is honoured', async () => {
  const { ports, ask } = await openNetwork('bcd', 2)
  const [one, other] = [await connectLine(ports[0] ?? 0), await connectLine(ports[1] ?? 0)]
  await ask(one, management('101', elementsOf(ONE)))
  await ask(one, management('001'), ONE)
  assert.deepEqual(await ask(other, management('001'), ONE), {
    ...{ de39: '00', isSealed: true, hasCode: true },
  })
  assert.equal((await ask(one, management('162', blockOf(TWO)), ONE)).de39, '00')
  for (const line of [other, one]) {
    for (const key of [TWO, ONE]) {
      assert.deepEqual(await ask(line, purchase(), key), {
        ...{ de39: '00', isSealed: true, hasCode: true },
      })
    }
  }
  one.cut()
  other.cut()
})

test('an exchange whose answer was lost may come again, over another line', async () => {
  const { ports, ask, name } = await openNetwork()
  const lost = await connectLine(ports[0] ?? 0)
  await ask(lost, management('101', elementsOf(ONE)))
  lost.put(encode(management('101', elementsOf(ONE)), 'bcd'))
  lost.cut()
  const line = await connectLine(ports[0] ?? 0)
  await ask(line, management('001'), ONE)
  for (let times = 0; times < 2; times += 1) {
    assert.equal((await ask(line, management('162', elementsOf(TWO)), ONE)).de39, '00')
  }
  assert.equal((await ask(line, purchase(), ONE)).de39, '00')
  const keys = new NetworkKeys(world.services, name, ZMK)
  await keys.read()
  assert.equal(keys.zak?.check_value, checkValueOf(keyOf(TWO)))
  line.cut()
})

test('a key that was replaced five minutes ago is honoured no more', async () => {
  const { ports, ask, name } = await openNetwork()
  const line = await connectLine(ports[0] ?? 0)
  await ask(line, management('101', elementsOf(ONE)))
  await ask(line, management('001'), ONE)
  await ask(line, management('162', elementsOf(TWO)), ONE)
  await sql`update network_keys set created = created - interval '6 minutes'
    where network = ${name}`.execute(world.db)
  const keys = new NetworkKeys(world.services, name, ZMK)
  await keys.read()
  assert.equal(keys.zak?.check_value, checkValueOf(keyOf(TWO)))
  const message = Buffer.from('a message')
  const method = usual
  const under = (hex: string) => macOf(keyOf(hex), method, message)
  assert.equal(await keys.keyOfMac(method, message, under(ONE)), undefined)
  assert.ok(await keys.keyOfMac(method, message, under(TWO)))
  line.cut()
})

test('after a restart the old and the new key are both honoured, as by the process before', async () => {
  const { ports, opened: before, ask, name } = await openNetwork()
  const line = await connectLine(ports[0] ?? 0)
  await ask(line, management('101', elementsOf(ONE)))
  await ask(line, management('162', elementsOf(TWO)), ONE)
  await Promise.all([before[0]?.close(), line.closed])
  const again = await openNetwork('bcd', 1, { name })
  const next = await connectLine(again.ports[0] ?? 0)
  assert.equal((await ask(next, purchase(), TWO)).de39, '91', 'nobody has signed on')
  const right = { de39: '00', isSealed: true, hasCode: true }
  assert.deepEqual(await ask(next, management('001'), TWO), right)
  for (const key of [ONE, TWO]) assert.deepEqual(await ask(next, purchase(), key), right)
  next.cut()
})

test('a key that was asked for, and lost half-way, is asked for again by another process', async () => {
  const { ports, ask, asked, name, clock } = await openNetwork('bcd', 2)
  const [lost, line] = await Promise.all(ports.map((port) => connectLine(port)))
  assert.ok(lost && line)
  await ask(lost, management('101', elementsOf(ONE)))
  await ask(lost, management('001'), ONE)
  const { id } = await insertExchange(world.db, { id: newId(), network: name, use: 'ZAK' })
  clock.advance(1_000)
  await asked(lost)
  lost.cut()
  await lost.closed
  await ask(line, management('001'), ONE)
  await sql`update network_exchanges set modified = modified - interval '61 seconds'
    where id = ${id}`.execute(world.db)
  clock.advance(1_000)
  assert.partialDeepStrictEqual(await asked(line), { fields: { 48: '1303ZAK', 70: '162' } })
  assert.equal((await ask(line, management('162', elementsOf(TWO)), ONE)).de39, '00')
  const [exchange] = await listExchanges(world.db, name)
  assert.equal(exchange?.state, 'DONE')
  line.cut()
})

test('a key that an operator wants is asked for by one process, and taken when it comes', async () => {
  const { ports, ask, asked, name, clock } = await openNetwork()
  const line = await connectLine(ports[0] ?? 0)
  await ask(line, management('101', elementsOf(ONE)))
  await ask(line, management('001'), ONE)
  await insertExchange(world.db, { id: newId(), network: name, use: 'ZAK' })
  clock.advance(1_000)
  assert.partialDeepStrictEqual(await asked(line), {
    mti: '0800',
    fields: { 48: '1303ZAK', 70: '162' },
  })
  assert.equal((await ask(line, management('162', elementsOf(TWO)), ONE)).de39, '00')
  assert.equal((await ask(line, purchase(), TWO)).de39, '00')
  const [exchange] = await listExchanges(world.db, name)
  assert.equal(exchange?.state, 'DONE')
  line.cut()
})

test('a message right behind the answer that brings its key is under that key', async () => {
  const { ports, ask, asked, sealed, name, clock } = await openNetwork()
  const line = await connectLine(ports[0] ?? 0)
  await ask(line, management('101', elementsOf(ONE)))
  await ask(line, management('001'), ONE)
  await insertExchange(world.db, { id: newId(), network: name, use: 'ZAK' })
  clock.advance(1_000)
  const { fields } = await asked(line)
  const answer = { mti: '0810', fields: { ...fields, 39: '00', 48: elementsOf(TWO) } }
  line.put(sealed(answer, ONE))
  assert.deepEqual(await ask(line, purchase(), TWO), { de39: '00', isSealed: true, hasCode: true })
  line.cut()
})

for (const algorithm of ['iso9797_1', 'iso9797_3', 'cmac'] as const) {
  for (const padding of [1, 2] as const) {
    test(`a code of ${algorithm} with padding ${padding} is checked and written`, async () => {
      const { ports, ask } = await openNetwork('bcd', 1, { method: { algorithm, padding } })
      const line = await connectLine(ports[0] ?? 0)
      await ask(line, management('101', elementsOf(ONE)))
      const right = { de39: '00', isSealed: true, hasCode: true }
      assert.deepEqual(await ask(line, management('001'), ONE), right)
      assert.deepEqual(await ask(line, purchase(), ONE), right)
      assert.deepEqual(await ask(line, purchase(), TWO, ONE), { ...right, de39: '30' })
      line.cut()
    })
  }
}

test('a code in DE128 of a message with a field behind DE64 is checked and written', async () => {
  const { ports, ask, decided } = await openNetwork('ascii')
  const line = await connectLine(ports[0] ?? 0)
  await ask(line, management('101', elementsOf(ONE)))
  await ask(line, management('001'), ONE)
  const long = { mti: '0100', fields: { ...purchase().fields, 102: '1234' } }
  const right = { de39: '00', isSealed: true, hasCode: true }
  assert.deepEqual(await ask(line, long, ONE), right)
  assert.deepEqual(await ask(line, long, TWO, ONE), { ...right, de39: '30' })
  assert.equal(decided.length, 1)
  line.cut()
})

test('the newest key is that of the database, whatever the clocks of the processes say', async () => {
  const { ports, ask, name } = await openNetwork()
  const line = await connectLine(ports[0] ?? 0)
  await ask(line, management('101', elementsOf(ONE)))
  await ask(line, management('001'), ONE)
  await ask(line, management('162', elementsOf(TWO)), ONE)
  const rows = await listKeyRows(world.db, name)
  assert.deepEqual(
    rows.map(({ check_value }) => check_value),
    [TWO, ONE].map((hex) => checkValueOf(keyOf(hex))),
  )
  // The process that took the last one had a clock that was ahead.
  await sql`update network_keys set created = created - interval '2 minutes'
    where id = ${rows[0]?.id}`.execute(world.db)
  const [newest] = await listKeyRows(world.db, name)
  assert.equal(newest?.check_value, checkValueOf(keyOf(ONE)))
  line.cut()
})

test('a sign-on of ours that was refused without its code is sent again with it', async () => {
  const { ports, ask } = await openNetwork('bcd', 1, { sign_on: 'us' })
  const line = await connectLine(ports[0] ?? 0)
  const first = decode(await line.next(), 'bcd')
  assert.ok(first.ok)
  assert.equal(first.message.fields[128], undefined)
  line.put(encode({ mti: '0810', fields: { ...first.message.fields, 39: '30' } }, 'bcd'))
  assert.equal((await ask(line, management('101', elementsOf(ONE)), undefined, ONE)).de39, '00')
  const bytes = await line.next()
  const again = decode(bytes, 'bcd')
  assert.ok(again.ok)
  assert.equal(again.message.fields[70], '001')
  const code = macIn(bytes, again.message, 'bcd')
  assert.ok(code && isMac(keyOf(ONE), usual, code.covered, code.mac))
  line.cut()
})

test('a key is asked for before the sign-on, which may need it', async () => {
  const { ports, ask, name, clock } = await openNetwork('bcd', 1, { sign_on: 'us' })
  const line = await connectLine(ports[0] ?? 0)
  await line.next()
  await insertExchange(world.db, { id: newId(), network: name, use: 'ZAK' })
  clock.advance(1_000)
  const asked = decode(await line.next(), 'bcd')
  assert.ok(asked.ok)
  const { 11: number, 70: code } = asked.message.fields
  assert.equal(code, '162')
  const fields = { 7: '0612101530', 11: number, 33: '0', 39: '00', 48: elementsOf(ONE), 70: '162' }
  line.put(encode({ mti: '0810', fields }, 'bcd'))
  const again = decode(await line.next(), 'bcd')
  assert.ok(again.ok)
  assert.equal(again.message.fields[70], '001')
  assert.equal((await ask(line, management('001'), ONE)).de39, '00')
  line.cut()
})
