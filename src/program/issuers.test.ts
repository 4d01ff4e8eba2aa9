/** ISSUERS_FILE that changes while the program runs (D-790), with issuers on loopback. */

import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createLog } from '#kit/log.ts'
import { openOwnSockets } from '#kit/net/own_sockets.ts'
import { readConfig } from '#src/config/config.ts'
import { type Issuer, openIssuer } from '#test/e2e/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { certificate, certificatePath } from '#test/support/services/certificates.ts'
import { until } from '#test/support/services/receiver.ts'
import { openIssuers } from './issuers.ts'

const keep = keeper()
const folder = mkdtempSync(join(tmpdir(), 'issuers-'))
after(() => rmSync(folder, { recursive: true }))
const addressOf = ({ port }: Issuer) => `127.0.0.1:${port}`
const TIMEOUT_MS = 5_000

let files = 0
let stan = 0

/** A program's issuers from a file that the test writes. */
async function openScene(entries: readonly object[]) {
  files += 1
  const file = join(folder, `${files}.json`)
  // Writes the file at once, so that no look finds half of it.
  const write = (content: unknown) => {
    writeFileSync(`${file}.new`, typeof content === 'string' ? content : JSON.stringify(content))
    renameSync(`${file}.new`, file)
  }
  write(entries)
  const config = readConfig({ ISSUERS_FILE: file, ISSUER_ADDRESS: '127.0.0.1:9' })
  const lines: string[] = []
  const log = createLog('info', {
    write(line: string) {
      const { msg, reason, added, changed, removed } = JSON.parse(line)
      if (!/^ISSUERS_FILE was/.test(msg)) return
      lines.push(reason ?? JSON.stringify({ added, changed, removed }))
    },
  })
  const parts = { config: () => config, own: openOwnSockets(), log, time: () => new Date() }
  const { link, look, names } = openIssuers(parts)
  keep(link)
  const send = async (issuer: string) => {
    stan += 1
    const number = String(stan).padStart(6, '0')
    const fields = { 7: '1126120000', 11: number, 32: '60400000001', 37: `REF000${number}` }
    return (await link.exchange(issuer, { mti: '0100', fields }, TIMEOUT_MS)).kind
  }
  /** Writes the file and looks at it. */
  const change = async (content: unknown) => {
    write(content)
    await look()
  }
  return { send, change, look, names, lines }
}

const falcon = keep(await openIssuer())
const eagle = keep(await openIssuer())
const entry = (name: string, issuer: Issuer) => ({
  name,
  address: addressOf(issuer),
  connections: 1,
})

test('an issuer that is added gets requests, and one that stays keeps its connection', async () => {
  const { send, change, names, lines } = await openScene([entry('falcon', falcon)])
  assert.equal(await send('falcon'), 'answered')
  const connections = falcon.sockets.length
  await change([entry('falcon', falcon), entry('eagle', eagle)])
  assert.deepEqual(names(), ['falcon', 'eagle'])
  assert.deepEqual([await send('eagle'), await send('falcon')], ['answered', 'answered'])
  assert.equal(falcon.sockets.length, connections)
  assert.deepEqual(lines, ['{"added":["eagle"],"changed":[],"removed":[]}'])
})

test('a request under way to an issuer that moves is answered, and the next goes there', async () => {
  const [before, next] = [keep(await openIssuer(() => null)), keep(await openIssuer())]
  const { send, change, lines } = await openScene([entry('falcon', before)])
  const first = send('falcon')
  await until('it has come', () => before.received.length === 1)
  await change([entry('falcon', next)])
  assert.equal(await send('falcon'), 'answered')
  assert.equal(next.received.length, 1)
  const [request] = before.received
  assert.ok(request)
  before.say(0, { mti: '0110', fields: { ...request.fields, 39: '00' } })
  assert.equal(await first, 'answered')
  await until('it was signed off', () => before.managed.at(-1)?.code === '002')
  await until('its connection has ended', () => before.sockets[0] === undefined)
  assert.deepEqual(lines, ['{"added":[],"changed":["falcon"],"removed":[]}'])
})

test('nothing is sent to an issuer that was removed, until it is back', async () => {
  const { send, change, names } = await openScene([entry('falcon', falcon)])
  await change([])
  assert.deepEqual([names(), await send('falcon')], [[], 'unsent'])
  await change([entry('falcon', falcon)])
  assert.equal(await send('falcon'), 'answered')
})

test('a file with a fault is reported once, and the issuers before stay in use', async () => {
  const { send, change, look, lines } = await openScene([entry('falcon', falcon)])
  await change('[{')
  await look()
  assert.match(lines.join('\n'), /^ISSUERS_FILE is no JSON[^\n]*$/)
  await change([{ name: 'falcon' }, { name: 'Eagle', address: addressOf(eagle) }])
  assert.match(
    String(lines[1]),
    /issuer 1 must have name and address.*; .*issuer 2 has a wrong name/,
  )
  const tls = { ca: join(folder, 'none.pem') }
  await change([entry('falcon', falcon), { ...entry('eagle', eagle), tls }])
  assert.match(String(lines[2]), /^ISSUERS_FILE eagle TLS_CA .* cannot be read \(ENOENT\)/)
  assert.deepEqual([await send('falcon'), await send('eagle')], ['answered', 'unsent'])
  await change([entry('eagle', eagle)])
  assert.deepEqual([await send('falcon'), await send('eagle')], ['unsent', 'answered'])
})

test('a certificate that is renewed is used for connections to come', async () => {
  const tls = { cert: certificate('server.pem'), key: certificate('server.key') }
  const secure = keep(await openIssuer(() => '00', { tls }))
  const ca = join(folder, 'ca.pem')
  copyFileSync(certificatePath('other.pem'), ca)
  const { send, look, lines } = await openScene([{ ...entry('falcon', secure), tls: { ca } }])
  assert.equal(await send('falcon'), 'unsent')
  await look()
  copyFileSync(certificatePath('ca.pem'), ca)
  await look()
  assert.equal(await send('falcon'), 'answered')
  assert.deepEqual(lines, ['{"added":[],"changed":["falcon"],"removed":[]}'])
})
