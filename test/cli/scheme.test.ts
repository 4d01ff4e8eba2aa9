/** `bezant scheme` against the program with NETWORKS_FILE, over TCP (D-1030 to D-1032). */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { freePort } from '#test/support/processes/killable.ts'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { until } from '#test/support/services/receiver.ts'
import { openCommand } from './running.ts'

const keep = keeper()
const DATA_DIR = dataFolder()
const command = keep(openCommand())
const { folder } = command
const [ports, names] = [
  await Promise.all([1, 2, 3, 4].map(freePort)),
  join(folder, 'networks.json'),
]
const mac = (algorithm: string, padding: number) => ({ required: true, algorithm, padding })
const at = (index: number) => ({ addresses: [`127.0.0.1:${ports[index]}`] })
const keysIn = (file: string) => ({ keys: { zmk_file: join(folder, file) } })
const [TDES, AES] = ['tdes.hex', 'aes.hex']
const NETWORKS = [
  { name: 'plain', role: 'listen', ...at(0) },
  { name: 'sealed', role: 'listen', ...at(1), mac: mac('iso9797_3', 2), ...keysIn(TDES) },
  {
    ...{ name: 'framed', role: 'listen', ...at(2), dialect: 'ebcdic', header: 'binary2_00' },
    ...{ envelope: 'base1', mac: mac('iso9797_1', 1), ...keysIn(TDES) },
  },
  {
    ...{ name: 'dialled', role: 'connect', ...at(3), dialect: 'bcd', header: 'ascii4' },
    ...{ envelope: 'tpdu', mac: mac('cmac', 2), ...keysIn(AES) },
  },
]

/** The key of the runs before, under which the next one speaks. */
const FRAMED_ZAK = ['--zak', join(folder, 'framed.zak')]

let database: TestDatabase
let program: Launched
let dialled: ReturnType<typeof command.start>
let said = ''
const PAN = { number: '' }

before(async () => {
  writeFileSync(names, JSON.stringify(NETWORKS))
  writeFileSync(join(folder, TDES), randomBytes(16).toString('hex'))
  writeFileSync(join(folder, AES), randomBytes(32).toString('hex'))
  database = await createTestDatabase()
  // The program dials at its start.
  dialled = command.start([
    ...words('dialled'),
    '--aes',
    '--zak',
    join(folder, 'dialled.zak'),
    '--wait',
    '60',
  ])
  dialled.stdout.on('data', (chunk) => {
    said += chunk
  })
  await startProgram()
  PAN.number = await cardOf()
})
const MASTER_KEY = randomBytes(32).toString('hex')
async function startProgram(): Promise<void> {
  program = launch({ DATABASE_URL: database.url, DATA_DIR, MASTER_KEY, NETWORKS_FILE: names })
  await program.ready
}

after(async () => {
  dialled.kill('SIGKILL')
  program.kill('SIGTERM')
  await program.ended
  await database.drop()
})

const words = (network: string) => ['scheme', '--networks', names, '--network', network]

async function ask(method: string, path: string, body?: object) {
  const { base_url, tenant, operator_key } = sandboxIn(DATA_DIR)
  const apikey = path.startsWith('/operator') ? operator_key : tenant.api_key
  const headers = { apikey, 'content-type': 'application/json' }
  const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
  const answer = await fetch(`${base_url}/v1${path}`, sent)
  const answered = await answer.text()
  assert.ok(answer.ok, `${path}: ${answered}`)
  return JSON.parse(answered)
}
/** The number of an active card with funds. */
async function cardOf(): Promise<string> {
  const made = await command.run(['trigger', 'purchase', '--json'], { env: { DATA_DIR } })
  assert.equal(made.code, 0, made.err)
  const steps: { what: string; id: string }[] = JSON.parse(made.out).steps
  const card = steps.find(({ what }) => what.startsWith('a card is created'))
  return (await ask('GET', `/cards/${card?.id}:reveal`)).card_number
}

async function run(network: string, ...more: string[]) {
  const ran = await command.run([...words(network), '--card', PAN.number, ...more])
  assert.ok(!`${ran.out}${ran.err}`.includes(PAN.number), 'no output has a card number')
  return ran
}
const verdictsIn = (out: string) => out.split('\n').filter((line) => /^ {2}(ok|NOT OK) /.test(line))
const shown = ({ out, err }: { out: string; err: string }) => `${out}${err}${program.output()}`

test('a purchase, its presentment and a reversal come about over a plain line', async () => {
  const steps = ['sign-on', 'echo', 'purchase', '25.00', 'present', '25', 'advice', '3', 'reversal']
  const ran = await run('plain', ...steps, 'sign-off', 'purchase', '1')
  assert.equal(ran.code, 1, 'the last one is not decided')
  assert.deepEqual(verdictsIn(ran.out), [
    '  ok 00: signed on, payments are decided from now on',
    '  ok 00: the line works',
    '  ok 00: approved, and held',
    '  ok 00: acknowledged, and posted',
    '  ok 00: acknowledged, and held',
    '  ok 00: acknowledged, what was held is free',
    '  ok 00: signed off',
    '  NOT OK 91: the line is not signed on, or the platform cannot decide now',
  ])
})

test('a decline is an answer, and says what it means', async () => {
  const ran = await run('plain', 'sign-on', 'purchase', '900000')
  assert.equal(ran.code, 0, shown(ran))
  assert.equal(verdictsIn(ran.out).at(-1), '  ok 51: there are not enough funds')
})

test('keys come, codes are right under them, and a wrong one is refused', async () => {
  const zak = ['--zak', join(folder, 'sealed.zak')]
  const first = await run('sealed', ...zak, 'sign-on', 'wrong-key', 'zak', 'purchase', '2')
  assert.equal(first.code, 0, shown(first))
  const [, wrong, taken] = verdictsIn(first.out)
  assert.equal(wrong, '  ok 81: refused, as it has to be')
  const [, value] = /taken, the ZAK is that of check value ([0-9A-F]{6})$/.exec(taken ?? '') ?? []
  const { data } = await ask('GET', '/operator/networks')
  const network = data.find(({ name }: { name: string }) => name === 'sealed')
  assert.equal(network.keys[0].check_value, value)
  const key = readFileSync(join(folder, 'sealed.zak'), 'latin1').trim()
  const next = await run(
    'sealed',
    ...zak,
    '--key-block',
    'sign-on',
    'wrong-key',
    'zpk',
    'zak',
    'wrong-mac',
    '3',
  )
  assert.equal(next.code, 0, shown(next))
  assert.equal(verdictsIn(next.out).at(-1), '  ok 30: refused for its wrong code, as it has to be')
  for (const { out, err } of [first, next]) assert.ok(!`${out}${err}`.includes(key))
})

test('another envelope, header, dialect, algorithm and padding are those of the file', async () => {
  const steps = ['sign-on', 'zak', 'zpk', 'purchase', '1', 'reversal', 'echo']
  const ran = await run('framed', ...FRAMED_ZAK, ...steps)
  assert.equal(ran.code, 0, shown(ran))
})

test('cash is given for the PIN under the key that was sent, and for no other', async () => {
  const made = await command.run(['trigger', 'pin.changed', '--json'], { env: { DATA_DIR } })
  assert.equal(made.code, 0, made.err)
  const steps: { what: string; id: string }[] = JSON.parse(made.out).steps
  const card = steps.find(({ what }) => what.startsWith('a card is created'))
  const { card_number } = await ask('GET', `/cards/${card?.id}:reveal`)
  const of = [...FRAMED_ZAK, '--card', card_number, '--pin', '4831']
  const words = ['sign-on', 'zak', 'zpk', 'withdrawal', '100', 'wrong-pin', '1', 'reversal']
  const ran = await run('framed', ...of, ...words)
  assert.equal(ran.code, 0, shown(ran))
  const [, , , paid, wrong] = verdictsIn(ran.out)
  assert.equal(paid, '  ok 00: approved, and posted')
  assert.equal(wrong, '  ok 55: the PIN is wrong')
  const blocks = await run(
    'framed',
    ...of,
    '--key-block',
    'sign-on',
    'zak',
    'zpk',
    'withdrawal',
    '5',
  )
  assert.equal(verdictsIn(blocks.out).at(-1), '  ok 00: approved, and posted', shown(blocks))
  for (const { out, err } of [ran, blocks]) {
    assert.ok(!`${out}${err}`.includes(card_number))
    assert.doesNotMatch(out, / 52=[0-9A-F]{16}/)
  }
})

test('it is dialled, signed on to, and asked for a key, under CMAC and AES', async () => {
  const type = (line: string) => dialled.stdin.write(`${line}\n`)
  const comes = (part: string) => until(part, () => said.includes(part))
  type('await-sign-on')
  await comes('the platform has signed on')
  type('zak')
  await comes('taken, the ZAK is that')
  type('await-key-request')
  await ask('POST', '/operator/networks/dialled:exchangekeys', { use: 'ZPK' })
  await comes('the platform has asked for a ZPK, and got that of check value')
  type('await-key-request')
  await ask('POST', '/operator/networks/dialled:exchangekeys', { use: 'ZAK' })
  await comes('the platform has asked for a ZAK, and got that of check value')
  type('echo')
  await comes('the line works')
  // The process reports its connections every five seconds.
  const connected = await until('the connection is shown', async () => {
    const { data } = await ask('GET', '/operator/networks')
    return data.find(({ name }: { name: string }) => name === 'dialled').connections[0]
  })
  assert.partialDeepStrictEqual(connected, { address: `127.0.0.1:${ports[3]}`, signed_on: true })
  dialled.stdin.end()
  const code = dialled.exitCode ?? (await new Promise((resolve) => dialled.once('exit', resolve)))
  assert.equal(code, 0, said)
})

test('a program that was killed knows its keys when it starts again, and dials again', async () => {
  program.kill('SIGKILL')
  await program.ended
  // The program dials at its start.
  const again = run(
    'dialled',
    '--zak',
    join(folder, 'dialled.zak'),
    '--wait',
    '60',
    'await-sign-on',
  )
  await startProgram()
  const signedOn = await again
  assert.equal(signedOn.code, 0, shown(signedOn))
  assert.match(signedOn.out, /^came 0800 .* 70=001.*, MAC right$/m)
  const ran = await run('sealed', '--zak', join(folder, 'sealed.zak'), 'sign-on', 'purchase', '1')
  assert.equal(ran.code, 0, shown(ran))
})

test('what the platform does not understand is in its log, as the command says', async () => {
  for (const [more, part] of [
    [['--envelope', 'tpdu'], '"expected":"no envelope, then the MTI in ascii"'],
    [['--header', 'ascii4'], '"expected":"2 bytes of length, no envelope, then the MTI in ascii"'],
  ] as const) {
    const ran = await run('plain', '--wait', '1', ...more, 'sign-on')
    assert.equal(ran.code, 1)
    assert.match(ran.out, /NOT OK .* look for "a network sent no message" in its log/)
    await until(part, () => program.output().includes(part))
  }
})

test('--json has an object a message and a step', async () => {
  const ran = await run('plain', '--json', 'sign-on', 'purchase', '1')
  const lines = ran.out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  const [sent, came, step] = lines
  const { 7: time, 11: number } = sent.fields
  const one = { format: 'scheme 1', mac: 'none' }
  const fields = { 7: time, 11: number, 33: '400123', 70: '001' }
  assert.deepEqual(sent, { ...one, way: 'sent', mti: '0800', fields })
  assert.deepEqual(came, { ...one, way: 'came', mti: '0810', fields: { ...fields, 39: '00' } })
  const says = '00: signed on, payments are decided from now on'
  assert.deepEqual(step, { format: 'scheme 1', step: 'sign-on', ok: true, de39: '00', says })
  assert.match(lines[3].fields[2], /^\d{6}\*{6}\d{4}$/)
})

test('it does not run in live, and says what a wrong command lacks', async () => {
  const live = await command.run([...words('plain'), 'echo'], { env: { MODE: 'live' } })
  assert.equal(live.code, 1)
  assert.match(live.err, /MODE is live/)
  const taken = await command.run(['scheme', '--connect', '127.0.0.1:1', 'echo'])
  assert.equal(taken.code, 1)
  assert.match(taken.err, /cannot be reached \(ECONNREFUSED\)/)
  for (const [line, reason] of [
    [['scheme', 'echo'], /needs --networks FILE, --connect HOST:PORT or --listen PORT/],
    [['scheme', '--networks', names, 'echo'], /plain, sealed, framed, dialled/],
    [[...words('plain'), 'dance'], /dance is no word/],
    [[...words('plain'), 'purchase', '1'], /needs --card/],
    [[...words('plain'), '--card', '4000005621471607', 'purchase', 'x'], /an amount such as/],
    [[...words('plain'), 'zak'], /zak needs --zmk/],
    [[...words('plain'), 'reversal'], /needs a purchase or an advice before it/],
    [[...words('sealed'), '--aes', 'echo'], /--aes needs --mac cmac/],
    [[...words('plain'), '--pin', '12', 'echo'], /--pin has 4 to 12 digits/],
    [[...words('sealed'), 'zpk', 'withdrawal', '1'], /withdrawal needs --pin/],
    [[...words('sealed'), '--pin', '4831', 'withdrawal', '1'], /withdrawal needs zpk before it/],
  ] as const) {
    const ran = await command.run([...line])
    assert.equal(ran.code, 2, line.join(' '))
    assert.match(ran.err, reason)
  }
})
