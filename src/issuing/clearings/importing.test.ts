import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { openClearer } from '#test/support/clearing/clearer.ts'
import {
  clearingFile,
  type Members,
  nextFileId,
  presentment,
} from '#test/support/clearing/clearing_file.ts'
import { openInjector } from '#test/support/faults/injector.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'
import { importClearing } from './importing.ts'
import { clearSilent } from './sweeps.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const clearer = openClearer(world)
const { card_id, account_id } = await issuer.card(100)
const { body: revealed } = await issuer.call('GET', `/v1/cards/${card_id}:reveal`)
const pan = String(revealed.card_number)

const one = () => presentment(pan, 100n)

describe('a file with a fault', () => {
  const cases: [string, () => Promise<Buffer>, RegExp][] = [
    [
      'a wrong sum',
      () => clearingFile([one()], { trailer: { PDS0301: '0000000000000101' } }),
      /PDS0301/,
    ],
    ['a wrong count', () => clearingFile([one()], { trailer: { PDS0306: '10000000' } }), /PDS0306/],
    ['a doubled number', () => clearingFile([{ ...one(), DE71: '00000001' }]), /DE71 is 00000001/],
    ['a missing number', () => clearingFile([{ ...one(), DE71: '00000009' }]), /DE71 is 00000009/],
    [
      'another trailer',
      () => clearingFile([one()], { trailer: { PDS0105: nextFileId() } }),
      /PDS0105/,
    ],
    ['a currency of nobody', () => clearingFile([{ ...one(), DE49: '000' }]), /no currency/],
    ['no amount', () => clearingFile([without(one(), 'DE4')]), /DE4 or DE49 is missing/],
    [
      'a part of a unit',
      () => clearingFile([{ ...one(), DE4: '000000000101', PDS0148: '7844' }]),
      /more decimals/,
    ],
    ['a second header', () => clearingFile([{ MTI: '1644', DE24: '697' }]), /a second header/],
    ['no end', async () => (await clearingFile([one()])).subarray(0, -4), /without the length 0/],
    ['other bytes', async () => Buffer.from('%PDF-1.7 is something else'), /./],
    ['nothing', async () => Buffer.alloc(4), /does not end with a trailer/],
  ]
  for (const [name, make, fault] of cases) {
    test(`is rejected whole: ${name}`, async () => {
      const { status, body, text } = await clearer.upload(await make())
      assert.equal(status, 200, text)
      assert.equal(body.state, 'REJECTED')
      assert.ok(body.faults_count > 0)
      assert.match(body.faults.join('\n'), fault)
      await world.sweeper.runDueJobs(world.tenant.id)
      const records = await clearer.ask('GET', `/${body.id}/records`)
      assert.deepEqual(records.body.data, [])
    })
  }

  test('moves nothing', async () => {
    assert.equal((await issuer.account(account_id)).balance, 100)
  })

  test('names every fault, and the same file is known', async () => {
    const file = await clearingFile([{ ...one(), DE71: '00000007' }, without(one(), 'DE4')])
    const { body } = await clearer.upload(file)
    assert.equal(body.faults_count, 2)
    const again = await clearer.upload(file)
    assert.deepEqual([again.body.id, again.body.known], [body.id, true])
  })
})

function without(members: Members, name: string): Members {
  const { [name]: _, ...others } = members
  return others
}

test('a file with the id of another one and other bytes is refused', async () => {
  const id = nextFileId()
  const first = await clearer.clear(await clearingFile([one()], { id }))
  const other = await clearer.upload(await clearingFile([one(), one()], { id }))
  assert.deepEqual([other.status, other.body.code], [409, 'clearing_file_differs'])
  const { body } = await clearer.ask('GET', '')
  assert.equal(body.data[0].id, first.id)
})

test('a file that was rejected may come again with its faults mended', async () => {
  const id = nextFileId()
  const wrong = await clearer.upload(
    await clearingFile([one()], { id, trailer: { PDS0306: '00000009' } }),
  )
  assert.equal(wrong.body.state, 'REJECTED')
  const { file } = await clearer.clear(await clearingFile([one()], { id }))
  assert.equal(file.state, 'POSTED')
})

test('the samples have no card of the platform, which no tenant answers for', async () => {
  for (const name of ['ipm_ascii', 'ipm_ebcdic_1014']) {
    const { body } = await clearer.upload(readFileSync(`test/vectors/clearing/${name}.bin`))
    assert.deepEqual([body.state, body.records], ['REJECTED', 42])
    assert.match(body.faults.join(), /name the tenant/)
  }
})

test('records of two tenants are of theirs, in EBCDIC and blocks', async () => {
  const other = await world.otherTenant({ pci_compliant: true })
  const their = await openIssuer(world, other)
  const card = await their.card(100)
  const { body } = await their.call('GET', `/v1/cards/${card.card_id}:reveal`)
  const options = { set: 'cp500', blocked: true } as const
  const theirs = presentment(String(body.card_number), 1_000n)
  const file = await clearingFile([one(), theirs, one()], { options })
  const { records } = await clearer.clear(file, [world.tenant.id, other.id])
  const tenants = records.map((record: { tenant_id: string }) => record.tenant_id)
  const { id } = world.tenant
  assert.deepEqual(tenants, [id, id, other.id, id, id])
  assert.equal((await their.account(card.account_id)).balance, 90)
})

test('a file whose import fails at any step is imported whole when it comes again', async () => {
  const injector = keep(openInjector(world.services.keys, { own: true }))
  let faults = 0
  for (let at = 0; ; at += 1) {
    const file = await clearingFile([one()])
    const { kind } = await injector.during(at, () => clearer.upload(file))
    if (kind === undefined) break
    faults += 1
    const again = await clearer.upload(file)
    assert.equal(again.status, 200, again.text)
    const records = await clearer.ask('GET', `/${again.body.id}/records`)
    assert.equal(records.body.data.length, 3, `${kind} ${at}`)
  }
  assert.ok(faults > 5, `${faults} steps have failed`)
})

describe('an import that nobody goes on with', () => {
  const counted = async () => {
    const { rows } = await sql<{ files: number; records: number }>`
      select (select count(*)::int from clearing_files) as files,
        (select count(*)::int from clearing_records) as records`.execute(world.db)
    return rows[0]
  }
  const hourAgo = () =>
    sql`update clearing_files set checked = checked - interval '1 hour'
      where state = 'CHECKING'`.execute(world.db)
  /** Stores a portion of the file, then does `between`, then comes to its end. */
  async function* interrupted(file: Buffer, between: () => Promise<unknown>) {
    yield file.subarray(0, -1_000)
    await between()
    yield file.subarray(-1_000)
  }
  const large = () => clearingFile(Array.from({ length: 1_100 }, one))

  test('is cleared away with its records, also where it comes back', async () => {
    const before = await counted()
    const ctx = await world.ctx()
    const entry = { ...ctx, db: ctx.db.atEntry() }
    const file = await large()
    const between = async () => {
      assert.equal((await counted())?.records, (before?.records ?? 0) + 1_000)
      await hourAgo()
      await clearSilent(entry)
      assert.deepEqual(await counted(), before)
    }
    await assert.rejects(importClearing(ctx, interrupted(file, between)), {
      code: 'request_timeout',
    })
    assert.deepEqual(await counted(), before)
  })

  test('does not go on after its time, although nobody has cleared it away', async () => {
    const before = await counted()
    const bytes = interrupted(await large(), hourAgo)
    await assert.rejects(importClearing(await world.ctx(), bytes), { code: 'request_timeout' })
    assert.deepEqual(await counted(), before)
  })

  test('leaves one alone that is at work', async () => {
    const ctx = await world.ctx()
    const file = await clearingFile([one()])
    const bytes = interrupted(file, () => clearSilent({ ...ctx, db: ctx.db.atEntry() }))
    const { row } = await importClearing(ctx, bytes)
    assert.equal(row.state, 'ACCEPTED')
  })

  test('of the version before, which names no tenants, is cleared away after an hour', async () => {
    const before = await counted()
    const ctx = await world.ctx()
    const between = async () => {
      await sql`update clearing_files set checked = null, tenant_ids = '{}',
        created = created - interval '2 hours' where state = 'CHECKING'`.execute(world.db)
      await clearSilent({ ...ctx, db: ctx.db.atEntry() })
      assert.deepEqual(await counted(), before)
    }
    const bytes = interrupted(await large(), between)
    await assert.rejects(importClearing(ctx, bytes), { code: 'request_timeout' })
  })
})
