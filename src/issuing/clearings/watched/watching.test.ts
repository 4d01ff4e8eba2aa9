/** Files that appear in a watched folder: each is imported once it is whole, and put away. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Context } from '#kit/context.ts'
import { PlaceFault } from '#kit/files/place_fault.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { registry } from '#kit/metrics.ts'
import { newId } from '#lib/id.ts'
import { clearingPlaces } from '#src/program/apis/clearing_places.ts'
import { openClearer } from '#test/support/clearing/clearer.ts'
import { clearingFile, nextFileId, presentment } from '#test/support/clearing/clearing_file.ts'
import { joined } from '#test/support/clearing/files.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { NETWORK } from '#test/support/network/networks.ts'
import { openWorld } from '#test/support/world.ts'
import type { WatchedPlace } from '../provider.ts'
import { lookAt } from './watching.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const clearer = openClearer(world)
const { card_id, account_id } = await issuer.card(1_000)
const { body: revealed } = await issuer.call('GET', `/v1/cards/${card_id}:reveal`)
const pan = String(revealed.card_number)
const folder = mkdtempSync(join(tmpdir(), 'bezant-watched-'))
after(() => rmSync(folder, { recursive: true, force: true }))

let networks = 0
/** A place of its own, which is due again at once. */
function placeOf(given: { folder?: string; tenant_id?: string | null } = {}): WatchedPlace {
  networks += 1
  const { folder: path = folder, tenant_id = null } = given
  const clearing = { place: { folder: path }, tenant_id, look_s: 0 }
  const [place] = clearingPlaces([{ ...NETWORK, name: `scheme-${networks}`, clearing }])
  assert.ok(place)
  return place
}
const place = placeOf()

async function context(): Promise<Context> {
  const ctx = await world.ctx()
  return { ...ctx, tenant_id: NO_TENANT, db: world.services.db.forTenant(NO_TENANT) }
}
async function look(at: WatchedPlace = place): Promise<void> {
  await lookAt(await context(), at, world.log)
}
async function lookTwice(at: WatchedPlace = place): Promise<void> {
  await look(at)
  await look(at)
}

const one = (amount = 100n) => presentment(pan, amount)
const put = (name: string, bytes: Buffer) => writeFileSync(join(folder, name), bytes)
const has = (name: string) => readdirSync(folder).includes(name)
const newest = async () => (await clearer.ask('GET', '?limit=1')).body.data[0]
const rowOf = (network: string) =>
  world.db
    .selectFrom('clearing_places')
    .selectAll()
    .where('network', '=', network)
    .executeTakeFirstOrThrow()

async function counted(network: string, result: string): Promise<number> {
  const found = await registry.getSingleMetric('bezant_clearing_files_total')?.get()
  const values = found?.values ?? []
  return (
    values.find(({ labels }) => labels['network'] === network && labels['result'] === result)
      ?.value ?? 0
  )
}

test('a file is imported at the second look, posted, and marked as done', async () => {
  const id = nextFileId()
  put('T112.001', await clearingFile([one(2_500n)], { id }))
  await look()
  assert.ok(has('T112.001'))
  await look()
  assert.deepEqual([has('T112.001'), has('T112.001.done')], [false, true])
  assert.equal((await newest()).file, id)
  await world.sweeper.runDueJobs(world.tenant.id)
  assert.equal((await issuer.account(account_id)).balance, 975)
  assert.equal(await counted(place.network, 'accepted'), 1)
})

test('a file that comes again under any name changes nothing, and is done', async () => {
  const file = await clearingFile([one()])
  put('a.bin', file)
  await lookTwice()
  const first = await newest()
  put('b.bin', file)
  await lookTwice()
  assert.deepEqual([has('b.bin.done'), (await newest()).id], [true, first.id])
  assert.equal(await counted(place.network, 'known'), 1)
})

test('another file with the id of an accepted one is failed, and posts nothing', async () => {
  const id = nextFileId()
  put('a.bin', await clearingFile([one()], { id }))
  await lookTwice()
  const first = await newest()
  put('a2.bin', await clearingFile([one(), one()], { id }))
  await lookTwice()
  assert.deepEqual([has('a2.bin.failed'), (await newest()).id], [true, first.id])
})

test('a file with a fault is REJECTED whole, and failed', async () => {
  put('cut.bin', (await clearingFile([one()])).subarray(0, -4))
  put('empty.bin', Buffer.alloc(0))
  await lookTwice()
  assert.deepEqual([has('cut.bin.failed'), has('empty.bin.failed')], [true, true])
  assert.equal((await newest()).state, 'REJECTED')
})

test('a file that is still written is left until it has not changed between two looks', async () => {
  const file = await clearingFile([one()])
  const id = (await newest()).id
  put('slow.bin', file.subarray(0, 50))
  await look()
  appendFileSync(join(folder, 'slow.bin'), file.subarray(50, 90))
  await look()
  assert.equal((await newest()).id, id)
  appendFileSync(join(folder, 'slow.bin'), file.subarray(90))
  await lookTwice()
  assert.deepEqual([has('slow.bin.done'), (await newest()).state], [true, 'POSTING'])
})

test('a file that is written on while it is read is not put away', async () => {
  const file = await clearingFile([one()])
  put('torn.bin', file.subarray(0, 60))
  const open = async () => {
    const inner = await place.open()
    const read = async function* read(name: string) {
      yield* inner.read(name)
      appendFileSync(join(folder, name), file.subarray(60))
    }
    return { ...inner, read, [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose]() }
  }
  await lookTwice({ ...place, open })
  assert.deepEqual([has('torn.bin'), (await newest()).state], [true, 'REJECTED'])
  await lookTwice()
  assert.deepEqual([has('torn.bin.done'), (await newest()).state], [true, 'POSTING'])
})

describe('names', () => {
  const left = [
    ...['.hidden', 'x.part', 'x.TMP', 'x.filepart', 'x.writing', 'x.bin.done', 'x.bin.failed'],
    ...['-rf', '~x', 'a;rm -rf', '$(id)', 'line\nbreak', '\u202egnp.bin', 'é.bin', 'x'.repeat(210)],
  ]
  test('of files that are written, were taken or are hostile are left, and named once', async () => {
    const file = await clearingFile([one()])
    for (const name of left) put(name, file)
    const before = await newest()
    const begin = world.logged.length
    await lookTwice()
    assert.equal((await newest()).id, before.id)
    for (const name of left) assert.ok(has(name), name)
    const lines = world.logged.slice(begin).filter((line) => line.includes('such a name'))
    assert.equal(lines.length, 8)
    assert.ok(lines.every((line) => !line.includes('\u202e')))
    for (const name of left) rmSync(join(folder, name))
  })

  test('of links, pipes and folders are left', async () => {
    const elsewhere = mkdtempSync(join(tmpdir(), 'bezant-elsewhere-'))
    after(() => rmSync(elsewhere, { recursive: true }))
    writeFileSync(join(elsewhere, 'file'), await clearingFile([one()]))
    symlinkSync(join(elsewhere, 'file'), join(folder, 'link.bin'))
    spawnSync('mkfifo', [join(folder, 'pipe.bin')])
    mkdirSync(join(folder, 'folder.bin'))
    const before = await newest()
    await lookTwice()
    assert.equal((await newest()).id, before.id)
    for (const name of ['link.bin', 'pipe.bin', 'folder.bin']) assert.ok(has(name), name)
    await using opened = await place.open()
    const read = (name: string) => joined(opened.read(name))
    await assert.rejects(read('link.bin'), PlaceFault)
    await assert.rejects(read('pipe.bin'), PlaceFault)
  })
})

test('a file beyond the limit of an upload is failed without being read', async () => {
  put('huge.bin', Buffer.alloc(0))
  truncateSync(join(folder, 'huge.bin'), 2 * 1024 ** 3 + 1)
  await lookTwice()
  assert.ok(has('huge.bin.failed'))
  assert.equal(await counted(place.network, 'too_large'), 1)
})

test('a place that cannot be read has its fault in its row, until it can', async () => {
  const path = join(folder, 'later')
  const missing = placeOf({ folder: path })
  await look(missing)
  const row = await rowOf(missing.network)
  assert.match(row.fault ?? '', /^cannot list .*later \(ENOENT\)$/)
  await look(missing)
  assert.deepEqual((await rowOf(missing.network)).failing_since, row.failing_since)
  mkdirSync(path)
  await look(missing)
  assert.deepEqual((await rowOf(missing.network)).fault, null)
})

test('a file that cannot be read keeps no other from it', async () => {
  put('1.bin', await clearingFile([one()]))
  put('2.bin', await clearingFile([one()]))
  const open = async () => {
    const inner = await place.open()
    const read = (name: string) => inner.read(name === '1.bin' ? 'nowhere' : name)
    return { ...inner, read, [Symbol.asyncDispose]: () => inner[Symbol.asyncDispose]() }
  }
  await lookTwice({ ...place, open })
  assert.deepEqual([has('1.bin'), has('2.bin.done')], [true, true])
  assert.match((await rowOf(place.network)).fault ?? '', /cannot read .*nowhere/)
  await look()
  assert.ok(has('1.bin.done'))
})

test('a place whose tenant is not there is a fault; records without a card are its tenant’s', async () => {
  const lost = placeOf({ tenant_id: newId() })
  await look(lost)
  assert.match((await rowOf(lost.network)).fault ?? '', /names a tenant that is not there/)
  const unknown = presentment('4999990000000000', 100n)
  put('u.bin', await clearingFile([unknown]))
  await lookTwice(placeOf({ tenant_id: world.tenant.id }))
  assert.equal((await newest()).state, 'POSTING')
  await world.sweeper.runDueJobs(world.tenant.id)
  const records = await clearer.ask('GET', `/${(await newest()).id}/records`)
  assert.equal(records.body.data[1].reason, 'UNKNOWN_CARD')
})

test('a place is looked at by one process at a time, and again after its time', async () => {
  put('p.bin', await clearingFile([one()]))
  const slow = { ...place, look_s: 3_600 }
  await look()
  await Promise.all([look(slow), look(slow), look(slow)])
  assert.ok(has('p.bin.done'))
  assert.equal((await newest()).records, 3)
  put('q.bin', await clearingFile([one()]))
  await lookTwice(slow)
  assert.deepEqual((await rowOf(place.network)).waiting, {})
  await assertSound(world.db)
})
