/** Several connections to one issuer (D-760), with an issuer on loopback. */

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import type { Message } from '#iso8583/message.ts'
import { createLog } from '#kit/log.ts'
import { keepIn } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { type Issuer, openIssuer, type Script } from '../../../test/e2e/issuer.ts'
import { IssuerLines } from './issuer_lines.ts'

const TIMEOUT_MS = 5_000

let stan = 0
/** A request with a number of its own. */
const request = (): Message => {
  stan += 1
  const number = String(stan).padStart(6, '0')
  return {
    mti: '0100',
    fields: { 7: '1126120000', 11: number, 32: '60400000001', 37: `REF000${number}` },
  }
}

type Manage = (code: string | undefined, over: number) => string | null
type Scene = AsyncDisposable & {
  issuer: Issuer
  link: IssuerLines
  signedOn: (n: number) => unknown
}

async function openScene(script: Script = () => '00', manage?: Manage): Promise<Scene> {
  await using opened = new AsyncDisposableStack()
  const issuer = keepIn(opened, await openIssuer(script, { ...(manage && { manage }) }))
  const { port } = issuer
  const link = keepIn(
    opened,
    new IssuerLines({
      address: () => ({ host: '127.0.0.1', port }),
      dial: (address) => connect(address),
      dialect: 'ascii',
      header: 'binary2',
      log: createLog('silent'),
      connections: 2,
    }),
  )
  const kept = opened.move()
  const signedOn = (times: number) =>
    until(`${times} sign-ons`, () => codes(issuer).filter((code) => code === '001').length >= times)
  return { issuer, link, signedOn, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const codes = ({ managed }: Issuer) => managed.map(({ code }) => code)
const overs = ({ received, over }: Issuer) => received.map(over)

/** Both connections have sent something: the sign-on of each is answered. */
async function warm({ issuer, link, signedOn }: Scene): Promise<void> {
  await link.exchange(request(), TIMEOUT_MS)
  await signedOn(2)
  await until('both connections take requests', async () => {
    await link.exchange(request(), TIMEOUT_MS)
    return new Set(overs(issuer)).size === 2
  })
  issuer.received.length = 0
}

const send = ({ link }: Scene, message = request(), timeout = TIMEOUT_MS) =>
  link.exchange(message, timeout)
const all = (scene: Scene, count: number) =>
  Array.from({ length: count }, () => send(scene).then(({ kind }) => kind))

describe('two connections to an issuer', { concurrency: true }, () => {
  test('signs both on, and spreads what is under way evenly', async () => {
    await using scene = await openScene()
    await warm(scene)
    assert.deepEqual(new Set(await Promise.all(all(scene, 10))), new Set(['answered']))
    const counts = [0, 1].map((line) => overs(scene.issuer).filter((over) => over === line).length)
    assert.deepEqual(counts, [5, 5])
  })

  test('loses what is under way on one that is cut, and nothing else', async () => {
    await using scene = await openScene(() => '00')
    await warm(scene)
    const { issuer } = scene
    issuer.script = () => null
    const sent = all(scene, 6)
    await until('all have arrived', () => issuer.received.length === 6)
    const waiting = issuer.received.filter((message) => issuer.over(message) === 1)
    issuer.sockets[0]?.destroy()
    for (const { fields } of waiting) {
      issuer.say(1, { mti: '0110', fields: { ...fields, 39: '00' } })
    }
    const kinds = await Promise.all(sent)
    assert.deepEqual(kinds.toSorted(), [
      ...['answered', 'answered', 'answered'],
      ...['unanswered', 'unanswered', 'unanswered'],
    ])
  })

  test('sends over the other one at once where one is cut', async () => {
    await using scene = await openScene()
    await warm(scene)
    const { issuer } = scene
    issuer.sockets[0]?.destroy()
    await until('it has ended', () => issuer.sockets[0] === undefined)
    issuer.script = (message) => (issuer.over(message) === 0 ? null : '00')
    const kinds = await Promise.all(all(scene, 8))
    // The end of a connection may be noticed only after a request was written to it.
    assert.ok(kinds.filter((kind) => kind === 'answered').length >= 4)
    assert.deepEqual(new Set(await Promise.all(all(scene, 8))), new Set(['answered']))
    assert.ok(!overs(issuer).includes(0))
  })

  test('renews one that was cut without a request', async () => {
    await using scene = await openScene()
    await warm(scene)
    const { issuer, signedOn } = scene
    issuer.sockets[1]?.destroy()
    await signedOn(3)
    assert.ok(issuer.sockets[0])
  })

  test('repeats a message over any connection, and takes each answer where it was asked', async () => {
    await using scene = await openScene()
    await warm(scene)
    const { issuer } = scene
    issuer.script = () => null
    const message = request()
    const first = send(scene, message)
    await until('it has arrived', () => issuer.received.length === 1)
    const repeat = send(scene, { ...message, mti: '0101' })
    await until('its repeat has arrived', () => issuer.received.length === 2)
    const [one, other] = overs(issuer)
    assert.notEqual(one, other)
    const answer = (code: string) => ({ mti: '0110', fields: { ...message.fields, 39: code } })
    issuer.say(other ?? 0, answer('05'))
    const repeated = await repeat
    assert.equal(repeated.kind === 'answered' && repeated.message.fields[39], '05')
    issuer.say(one ?? 0, answer('00'))
    const answered = await first
    assert.equal(answered.kind === 'answered' && answered.message.fields[39], '00')
  })

  test('leaves one that the issuer signs off once it is answered, and renews it', async () => {
    await using scene = await openScene()
    await warm(scene)
    const { issuer, signedOn } = scene
    issuer.script = () => null
    const under_way = request()
    const waiting = send(scene, under_way)
    await until('it has arrived', () => issuer.received.length === 1)
    const [over = 0] = overs(issuer)
    issuer.script = () => '00'
    const heard = new Promise((resolve) => issuer.sockets[over]?.once('data', resolve))
    issuer.say(over, { mti: '0800', fields: { 7: '1126120000', 11: '900001', 33: '1', 70: '002' } })
    await heard
    await Promise.all(all(scene, 4))
    assert.deepEqual(new Set(overs(issuer).slice(1)), new Set([1 - over]))
    issuer.say(over, { mti: '0110', fields: { ...under_way.fields, 39: '00' } })
    assert.equal((await waiting).kind, 'answered')
    await until('it has ended', () => issuer.sockets[over] === undefined)
    await signedOn(3)
  })

  test('signs both off as it ends, and sends nothing more', async () => {
    await using scene = await openScene()
    await warm(scene)
    const { issuer, link } = scene
    await link.close()
    assert.deepEqual(codes(issuer).toSorted().slice(-2), ['002', '002'])
    assert.deepEqual(await send(scene), { kind: 'unsent' })
  })

  test('works over one while the other is never signed on', async () => {
    await using scene = await openScene(
      () => '00',
      (_, over) => (over === 1 ? null : '00'),
    )
    assert.deepEqual(new Set(await Promise.all(all(scene, 6))), new Set(['answered']))
    assert.deepEqual(new Set(overs(scene.issuer)), new Set([0]))
  })

  test('asks a connection for an echo as soon as an answer is overdue', async () => {
    await using scene = await openScene()
    await warm(scene)
    const { issuer } = scene
    issuer.script = () => null
    assert.equal((await send(scene, request(), 20)).kind, 'unanswered')
    const [over] = overs(issuer)
    await until('an echo', () => issuer.managed.some((one) => one.code === '301'))
    assert.deepEqual(
      issuer.managed.filter(({ code }) => code === '301').map((one) => one.over),
      [over],
    )
  })
})

test('where the issuer refuses connections or the sign-on nothing is sent', async () => {
  const scenes = [() => '05', (code: string | undefined) => (code === '001' ? null : '00')]
  for (const manage of scenes) {
    await using scene = await openScene(() => '00', manage)
    assert.deepEqual(await send(scene, request(), 200), { kind: 'unsent' })
    assert.equal(scene.issuer.received.length, 0)
    await scene.issuer.close()
    assert.deepEqual(await send(scene, request(), 200), { kind: 'unsent' })
  }
})
