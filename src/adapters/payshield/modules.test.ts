/** Modules that fail in every way, between the pool and a peer that the test writes (D-1014). */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { afterEach, describe, test } from 'node:test'
import { frame } from '#iso8583/framing.ts'
import { createLog } from '#kit/log.ts'
import { until } from '#test/support/services/receiver.ts'
import type { ModuleFault } from './faults.ts'
import { Place } from './place.ts'
import { Pool } from './pool.ts'

type Asked = { header: string; command: string; fields: string; socket: Socket }
const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/**
 * A module that answers with what the test says; NC is answered as such. A socket of `dead` brings
 * nothing to it.
 */
async function newModule(answer: (asked: Asked) => void, dead: ReadonlySet<Socket> = new Set()) {
  const sockets = new Set<Socket>()
  const seen: string[] = []
  const peer = { seen, silent: false }
  const server = createServer((socket) => {
    sockets.add(socket)
    let rest = Buffer.alloc(0)
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      if (dead.has(socket)) return
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE(0)) {
        const size = 2 + rest.readUInt16BE(0)
        const text = rest.toString('latin1', 2, size)
        rest = rest.subarray(size)
        const asked = { header: text.slice(0, 4), command: text.slice(4, 6), fields: text.slice(6) }
        seen.push(asked.command)
        if (peer.silent) continue
        if (asked.command === 'NC') reply(socket, `${asked.header}ND00${'A'.repeat(16)}0001-S000`)
        else answer({ ...asked, socket })
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  open.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { ...peerOf(peer), port: address.port }
}
const peerOf = (peer: { seen: string[]; silent: boolean }) => ({
  seen: peer.seen,
  fall: (silent: boolean) => {
    peer.silent = silent
  },
})

const reply = (socket: Socket, text: string) =>
  socket.write(frame(Buffer.from(text, 'latin1'), 'binary2'))
const fine = ({ header, command, socket }: Asked, fields = '', code = '00') =>
  reply(
    socket,
    `${header}${command.charAt(0)}${String.fromCharCode(command.charCodeAt(1) + 1)}${code}${fields}`,
  )

const logged: string[] = []
const log = createLog('debug', { write: (line: string) => logged.push(line) })

function poolOf(ports: readonly number[], timeout_ms = 1_000, connections = 1) {
  const places = ports.map(
    (port, at) =>
      new Place({
        ...{ number: at + 1, header: 4, connections, timeout_ms, log },
        dial: () => connect({ host: '127.0.0.1', port }),
        diagnosis: Buffer.alloc(0),
      }),
  )
  open.push(() => {
    for (const place of places) place.close()
  })
  return { pool: new Pool(places, timeout_ms), places }
}
const ask = (pool: Pool, fields = '', more = {}) =>
  pool.run({ name: 'B2', fields: Buffer.from(fields), ...more })
const faultOf = (run: Promise<unknown>) =>
  run.then(
    () => assert.fail('it was answered'),
    (fault: ModuleFault) => fault.code ?? fault.reason,
  )

describe('a connection', () => {
  test('has many commands under way, and answers are matched by their header', async () => {
    const held: Asked[] = []
    const module = await newModule((asked) => {
      held.push(asked)
      if (held.length === 20) for (const one of held.toReversed()) fine(one, one.fields)
    })
    const { pool } = poolOf([module.port], 5_000)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => ask(pool, `data ${at}`)),
    )
    const texts = answers.map(({ fields }) => fields.toString())
    assert.deepEqual(
      texts,
      answers.map((_, at) => `data ${at}`),
    )
  })

  test('drops the answer of a command that was given up', async () => {
    const held: Asked[] = []
    const module = await newModule((asked) => {
      if (asked.fields === 'slow') held.push(asked)
      else fine(asked, asked.fields)
    })
    const { pool, places } = poolOf([module.port], 500)
    assert.equal(await faultOf(ask(pool, 'slow')), 'timeout')
    for (const one of held) fine(one, 'too late')
    await until('the module to serve again', () => places[0]?.rests === false)
    assert.equal((await ask(pool, 'next')).fields.toString(), 'next')
  })

  for (const [what, answer] of [
    ['half a frame and then its end', ({ socket }: Asked) => socket.end(Buffer.from([0, 20, 65]))],
    ['a header that nobody waits for', ({ socket }: Asked) => reply(socket, 'ZZZZB300')],
    ['the answer to another command', (asked: Asked) => reply(asked.socket, `${asked.header}CZ00`)],
    ['an answer without an error code', (asked: Asked) => reply(asked.socket, `${asked.header}B3`)],
    ['a frame that is too long', ({ socket }: Asked) => socket.write(Buffer.from([0xff, 0xff, 1]))],
    ['nothing', () => {}],
  ] as const) {
    test(`with ${what} is given up, and another module is asked`, async () => {
      const bad = await newModule(answer)
      const good = await newModule((asked) => fine(asked, 'good'))
      const { pool } = poolOf([bad.port, good.port])
      const answers = await Promise.all(Array.from({ length: 4 }, () => ask(pool)))
      assert.deepEqual(
        answers.map(({ fields }) => fields.toString()),
        ['good', 'good', 'good', 'good'],
      )
    })
  }
})

describe('a command', () => {
  test('with an error that says a value is wrong is an answer, and no other module is asked', async () => {
    const wrong = await newModule((asked) => fine(asked, '', asked.fields))
    const other = await newModule((asked) => fine(asked, '', asked.fields))
    const { pool } = poolOf([wrong.port, other.port])
    for (const code of ['01', '20']) {
      assert.equal((await ask(pool, code, { wrong: ['01', '20'] })).code, code)
    }
    assert.equal(wrong.seen.length + other.seen.length, 2)
  })

  test('with any other error is tried once at another module', async () => {
    const refusing = await newModule((asked) => fine(asked, '', '68'))
    const good = await newModule((asked) => fine(asked))
    const { pool } = poolOf([refusing.port, good.port])
    for (let at = 0; at < 4; at++) assert.equal((await ask(pool)).code, '00')
    const { pool: alone } = poolOf([refusing.port])
    assert.equal(await faultOf(ask(alone)), '68')
  })

  test('that may not be repeated is not', async () => {
    const refusing = await newModule((asked) => fine(asked, '', '41'))
    const other = await newModule((asked) => fine(asked, '', '41'))
    const { pool } = poolOf([refusing.port, other.port])
    assert.equal(await faultOf(ask(pool, '', { once: true })), '41')
    assert.equal(refusing.seen.length + other.seen.length, 1)
  })

  test('is not tried again when its time is over', async () => {
    const silent = await newModule(() => {})
    const other = await newModule(() => {})
    const { pool } = poolOf([silent.port, other.port], 5_000)
    assert.equal(await faultOf(ask(pool, '', { patience_ms: 100 })), 'timeout')
    assert.equal(silent.seen.length + other.seen.length, 1)
  })
})

test('a module that fails is left alone until it answers what it is', async () => {
  const module = await newModule((asked) => fine(asked))
  module.fall(true)
  const { pool, places } = poolOf([module.port], 500)
  assert.equal(await faultOf(ask(pool)), 'timeout')
  const before = module.seen.length
  assert.equal(await faultOf(ask(pool)), 'unreachable')
  assert.equal(module.seen.slice(before).includes('B2'), false)
  module.fall(false)
  await until('the module to serve again', () => places[0]?.rests === false)
  assert.equal((await ask(pool)).code, '00')
})

test('a module serves again although its connections from before have died without a word', async () => {
  const dead = new Set<Socket>()
  const held: Asked[] = []
  const module = await newModule((asked) => {
    if (asked.fields === 'hold') held.push(asked)
    else fine(asked, asked.fields)
  }, dead)
  const { pool, places } = poolOf([module.port], 500, 4)
  const under_way = Array.from({ length: 4 }, () => ask(pool, 'hold'))
  await until('a command on each connection', () => held.length === 4)
  for (const one of held) fine(one)
  await Promise.all(under_way)
  assert.equal(new Set(held.map(({ socket }) => socket)).size, 4)
  for (const { socket } of held) dead.add(socket)
  assert.equal(await faultOf(ask(pool, 'lost')), 'timeout')
  await until('the module to serve again', () => places[0]?.rests === false)
  const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => ask(pool, `after ${at}`)))
  assert.deepEqual(
    answers.map(({ fields }) => fields.toString()),
    answers.map((_, at) => `after ${at}`),
  )
  assert.equal(places[0]?.rests, false)
})

test('a module is not left alone for a sender that had less time than a command may take', async () => {
  const held: Asked[] = []
  const module = await newModule((asked) => held.push(asked))
  const { pool, places } = poolOf([module.port])
  assert.equal(await faultOf(ask(pool, 'hurried', { patience_ms: 50 })), 'timeout')
  assert.equal(places[0]?.rests, false)
  const patient = ask(pool, 'patient')
  await until('the command to arrive', () => held.length === 2)
  for (const one of held) fine(one, one.fields)
  assert.equal((await patient).fields.toString(), 'patient')
})

test('a module that nobody listens for is unreachable, and no log line has what was sent', async () => {
  const { pool } = poolOf([1])
  assert.equal(await faultOf(ask(pool, '0123456789ABCDEF')), 'unreachable')
  assert.equal(logged.join('\n').includes('0123456789ABCDEF'), false)
})
