/**
 * The way of a batch to the bureau and back, where the process ends at each of its steps: each card
 * is in one file, and each answer has its effect once.
 */

import assert from 'node:assert/strict'
import { createHash, randomInt } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { readAdapters } from '#adapters/adapter.ts'
import { registry } from '#adapters/registry.ts'
import type { Context } from '#kit/context.ts'
import { NO_TENANT } from '#kit/http/callers/callers.ts'
import { type Cardholder, cardholder } from '#test/support/cardholder.ts'
import { lockWaitsIn } from '#test/support/cluster/nodes.ts'
import { keeper } from '#test/support/keeper.ts'
import { namesIn, openBureau, ordersOfCard } from '#test/support/services/bureau.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { applyLine } from './answers/apply.ts'
import { fetchAnswers } from './answers/fetching.ts'
import { linesOf } from './answers/lines.ts'
import { collecting } from './collect.ts'
import type { Bureau, Transport } from './provider.ts'
import { handingOver } from './send.ts'

const keep = keeper()
const place = keep(openBureau())
const world = keep(await openWorld())
const { log } = world
const [configured] = readAdapters(registry, place.env, { live: true, faults: [] })
const real = configured?.open().bureau
assert.ok(real)

const DAY = 24 * 3600_000
const LEASE_MS = 16 * 60_000
const BATCHES = process.env['TEST_DEEP'] ? 200 : 20

/** A process ends before or after a step of the transport, or in the middle of the file. */
const steps = [
  ...['open', 'write', 'written half', 'written', 'seen', 'found', 'rename', 'renamed', 'sent'],
  ...['read', 'put away'],
] as const
type Step = (typeof steps)[number]

/** The bureau, at which the process ends as it comes to the step: nothing of it goes on. */
function dying(step: Step): { bureau: Bureau; died: Promise<void> } {
  const { promise: died, resolve } = Promise.withResolvers<void>()
  const never = () => {
    resolve()
    return new Promise<never>(() => {})
  }
  const at = (name: Step) => (name === step ? never() : undefined)
  async function* half(content: AsyncIterable<Uint8Array>) {
    for await (const bytes of content) {
      yield bytes.subarray(0, bytes.length / 2)
      await at('written half')
      yield bytes.subarray(bytes.length / 2)
    }
  }
  const wrapped = (transport: Transport): Transport => ({
    ...transport,
    async write(name, content) {
      await at('write')
      await transport.write(name, half(content))
      await at('written')
    },
    async size(name) {
      const size = await transport.size(name)
      await at(name.startsWith('.') ? 'seen' : 'found')
      return size
    },
    async rename(from, to) {
      await at('rename')
      await transport.rename(from, to)
      await at('renamed')
    },
    async read(name, most) {
      await at('read')
      return transport.read(name, most)
    },
    async putAway(from, to) {
      await at('put away')
      await transport.putAway(from, to)
    },
    // Called once the batch is noted as SENT, before its cards are ORDERED.
    [Symbol.asyncDispose]: async () => at('sent'),
  })
  const open = async () => {
    await at('open')
    return wrapped(await (real as Bureau).open())
  }
  return { bureau: { ...(real as Bureau), open }, died }
}

const later = (ctx: Context, ms: number): Context => ({
  ...ctx,
  now: new Date(ctx.now.getTime() + ms),
})

async function collected(they: Cardholder, count: number): Promise<string[]> {
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) ids.push((await they.issue({ card_type: 'PHYSICAL' })).id)
  const ctx = later(await they.ctx(), 2 * DAY)
  while ((await collecting(real as Bureau).run(ctx)).more);
  return ids
}

/** One turn of a process that ends at the step, then one that finds what is left. */
async function handedOver(they: Cardholder, ...endings: Step[]): Promise<void> {
  let ms = 2 * DAY
  for (const step of endings) {
    const { bureau, died } = dying(step)
    const turn = handingOver({ bureau, log }).run(later(await they.ctx(), ms))
    await Promise.race([turn, died])
    ms += LEASE_MS
  }
  const ctx = later(await they.ctx(), ms)
  while ((await handingOver({ bureau: real as Bureau, log }).run(ctx)).more);
}

async function assertOrderedOnce(they: Cardholder, ids: readonly string[]): Promise<void> {
  const { body } = await they.ask('GET', 'cardorders?limit=200')
  const states = body.data.map(({ state }: { state: string }) => state)
  assert.deepEqual(new Set(states), new Set(['SENT']))
  const records = filesOfTenant(body.data)
  for (const id of ids) {
    const { fulfillment_status } = await they.read(id)
    assert.equal(fulfillment_status, 'ORDERED')
    assert.equal((await they.eventsAbout(id, 'CARD_DELIVERY_STATUS_CHANGED')).length, 1)
    const orders = await ordersOfCard(world, id)
    const ofCard = records.filter(({ order_id = '' }) => orders.includes(order_id))
    assert.equal(ofCard.length, 1, `card ${id} is in ${ofCard.length} files`)
  }
}

type Batch = { id: string; file_name: string; digest: string }

/** The records of the tenant's files, each of which has the digest of its batch. */
function filesOfTenant(batches: readonly Batch[]): Record<string, string>[] {
  return batches.flatMap(({ file_name, digest }) => {
    const text = place.decrypt(join(place.folder, file_name))
    assert.equal(createHash('sha256').update(text).digest('hex'), digest)
    return place.recordsIn(text)
  })
}

const newTenant = async () =>
  cardholder(world, await world.otherTenant(), { production: { pin_mailer: true } })

describe('a process that ends', () => {
  const names = {
    open: 'before it connects',
    write: 'before the file',
    'written half': 'in the middle of the file',
    written: 'behind the file',
    seen: 'before it notes that the file is whole',
    found: 'before it looks for the name',
    rename: 'before it renames',
    renamed: 'between rename and row',
    sent: 'before the cards are ORDERED',
  }
  for (const [step, name] of Object.entries(names)) {
    test(`${name} leaves a batch that is sent once`, async () => {
      const they = await newTenant()
      const ids = await collected(they, 2)
      await handedOver(they, step as Step)
      await assertOrderedOnce(they, ids)
      assert.deepEqual(
        namesIn(place.folder).filter((file) => file.startsWith('.')),
        [],
      )
    })
  }

  test('keeps its connection until the batch is noted as SENT', async () => {
    const they = await newTenant()
    const ids = await collected(they, 1)
    let isClosed = false
    const closedEarly = Promise.withResolvers<boolean>()
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    // The note waits for the row: a connection that is closed meanwhile is closed before it.
    const lock = async () =>
      world.db.runTransaction(async (db) => {
        await sql`select from card_orders where tenant_id = ${they.tenant.id} for update`.execute(
          db,
        )
        locked()
        await until('the note waits', async () => (await lockWaitsIn(world.url)) > 0)
        closedEarly.resolve(isClosed)
      })
    const open = async () => {
      const transport = await (real as Bureau).open()
      const rename: Transport['rename'] = async (from, to) => {
        await transport.rename(from, to)
        lock().catch(closedEarly.reject)
        await isLocked
      }
      const close = async () => {
        isClosed = true
      }
      return { ...transport, rename, [Symbol.asyncDispose]: close }
    }
    const bureau = { ...(real as Bureau), open }
    await handingOver({ bureau, log }).run(later(await they.ctx(), 2 * DAY))
    assert.equal(await closedEarly.promise, false)
    await assertOrderedOnce(they, ids)
  })

  test('after the bureau has taken the file leaves it taken', async () => {
    const they = await newTenant()
    const ids = await collected(they, 1)
    await handedOver(they, 'renamed', 'open')
    const before = place.files().length
    const other = await newTenant()
    const [taken = ''] = await collected(other, 1)
    const { bureau, died } = dying('renamed')
    await Promise.race([handingOver({ bureau, log }).run(later(await other.ctx(), 2 * DAY)), died])
    const [name = ''] = place.files().slice(before)
    const elsewhere = join(place.folder, 'taken')
    renameSync(join(place.folder, name), elsewhere)
    await handingOver({ bureau: real as Bureau, log }).run(
      later(await other.ctx(), 2 * DAY + LEASE_MS),
    )
    assert.equal(place.files().length, before)
    assert.equal((await other.read(taken)).fulfillment_status, 'ORDERED')
    renameSync(elsewhere, join(place.folder, name))
    await assertOrderedOnce(they, ids)
  })
})

test('of batches whose processes end anywhere, some twice, none is lost or doubled', async () => {
  const they = await newTenant()
  const ids: string[] = []
  const some = () => steps[randomInt(9)] ?? 'write'
  for (let at = 0; at < BATCHES; at += 1) {
    ids.push(...(await collected(they, 1)))
    await handedOver(they, some(), some())
  }
  await assertOrderedOnce(they, ids)
})

describe('answers', () => {
  const ctx = async (): Promise<Context> => {
    const of = await world.ctx()
    return { ...of, tenant_id: NO_TENANT, db: world.services.db.forTenant(NO_TENANT) }
  }
  const fetch = async (bureau: Bureau = real as Bureau) =>
    fetchAnswers(await ctx(), { bureau, log })
  const write = (name: string, lines: readonly string[]) =>
    writeFileSync(join(place.folder, name), lines.map((line) => `${line}\n`).join(''))
  const ordersOf = async (they: Cardholder) => {
    const { body } = await they.ask('GET', 'cardorders?limit=200')
    return filesOfTenant(body.data).map(({ order_id = '' }) => order_id)
  }
  const stateOf = async (they: Cardholder) => (await they.ask('GET', 'cardorders')).body.data[0]
  const answers = async () =>
    (
      await world.request('GET', '/v1/operator/bureauanswers', undefined, {
        key: world.operator_key,
      })
    ).body.data

  test('move cards to SHIPPED and DELIVERED, and the batch to CONFIRMED', async () => {
    const they = await newTenant()
    const [id = ''] = await collected(they, 1)
    await handedOver(they)
    const [order = ''] = await ordersOf(they)
    write('one.rsp', ['order_id,status,reason,tracking,date,carrier', `${order},PRODUCED`])
    await fetch()
    assert.equal((await they.read(id)).fulfillment_status, 'ORDERED')
    assert.partialDeepStrictEqual(await stateOf(they), { state: 'CONFIRMED', answered: 1 })
    write('two.rsp', [`${order},SHIPPED,,"F-17, air",2026-11-28,Falcon`, `${order},DELIVERED`])
    await fetch()
    assert.partialDeepStrictEqual(await they.read(id), {
      fulfillment_status: 'DELIVERED',
      delivery_partner: 'Falcon',
      tracking_number: 'F-17, air',
    })
    assert.ok(namesIn(place.folder).includes('two.rsp.done'))
    const moves = await they.eventsAbout(id, 'CARD_DELIVERY_STATUS_CHANGED')
    assert.deepEqual(
      moves.map(({ new_status }) => new_status),
      ['ORDERED', 'SHIPPED', 'DELIVERED'],
    )
  })

  test('that are wrong are reported by their lines and stop nothing else', async () => {
    const they = await newTenant()
    const ids = await collected(they, 3)
    await handedOver(they)
    const [first = '', second = '', third = ''] = await ordersOf(they)
    write('wrong.rsp', [
      `${first},REJECTED,no chip`,
      'nonsense',
      `${second},LOST`,
      `${crypto.randomUUID()},SHIPPED`,
      `${second},SHIPPED,,,2026-13-77`,
      `${first},SHIPPED`,
      `${second},PRODUCED`,
      `${third},SHIPPED`,
    ])
    await fetch()
    const [file] = await answers()
    assert.partialDeepStrictEqual(file, { file_name: 'wrong.rsp', lines: 8, applied: 3 })
    assert.deepEqual(
      file.faults.map(({ line }: { line: number }) => line),
      [2, 3, 4, 5, 6],
    )
    const states = await Promise.all(
      ids.map(async (id) => (await they.read(id)).fulfillment_status),
    )
    assert.deepEqual(states.sort(), ['FAILED', 'ORDERED', 'SHIPPED'])
    assert.partialDeepStrictEqual(await stateOf(they), { state: 'PARTLY_REJECTED', rejected: 1 })
    const failed = ids[states.indexOf('FAILED')]
    assert.ok(failed)
  })

  test('of two tenants in one file move the cards of each, a line twice has one effect', async () => {
    const both = [await newTenant(), await newTenant()]
    const cards: string[] = []
    const lines: string[] = []
    for (const they of both) {
      cards.push(...(await collected(they, 1)))
      await handedOver(they)
      lines.push(...(await ordersOf(they)).map((order) => `${order},SHIPPED`))
    }
    write('large.rsp', ['x'.repeat(10_000_000), ...lines, ...lines])
    await fetch()
    const [file] = await answers()
    assert.partialDeepStrictEqual(file, { file_name: 'large.rsp', lines: 5, applied: 4 })
    for (const [at, they] of both.entries()) {
      const id = cards[at] ?? ''
      assert.equal((await they.read(id)).fulfillment_status, 'SHIPPED')
      assert.equal((await they.eventsAbout(id, 'CARD_DELIVERY_STATUS_CHANGED')).length, 2)
    }
  })

  test('in a file that is too large, or that cannot be read, keep no other file back', async () => {
    const they = await newTenant()
    const [id = ''] = await collected(they, 1)
    await handedOver(they)
    const [order = ''] = await ordersOf(they)
    write('a-large.rsp', ['x'.repeat(17 * 1024 * 1024)])
    mkdirSync(join(place.folder, 'b-folder.rsp'))
    write('c-right.rsp', [`${order},SHIPPED`])
    await fetch()
    assert.equal((await they.read(id)).fulfillment_status, 'SHIPPED')
    assert.ok(namesIn(place.folder).includes('a-large.rsp'))
    for (const name of ['a-large.rsp', 'b-folder.rsp']) {
      rmSync(join(place.folder, name), { recursive: true })
    }
  })

  for (const step of ['read', 'put away'] as const) {
    test(`have their effect once where the process ends before it can ${step}`, async () => {
      const they = await newTenant()
      const [id = ''] = await collected(they, 1)
      await handedOver(they)
      const [order = ''] = await ordersOf(they)
      write(`${step}.rsp`, [`${order},PRODUCED`, `${order},SHIPPED`])
      const { bureau, died } = dying(step)
      await Promise.race([fetch(bureau), died])
      await fetch()
      await fetch()
      assert.equal((await they.read(id)).fulfillment_status, 'SHIPPED')
      assert.equal((await they.eventsAbout(id, 'CARD_DELIVERY_STATUS_CHANGED')).length, 2)
      const [file] = await answers()
      assert.deepEqual([file.file_name, file.faults], [`${step}.rsp`, []])
    })
  }

  test('of which some lines were applied go on behind them, without a fault', async () => {
    const they = await newTenant()
    const ids = await collected(they, 2)
    await handedOver(they)
    const [first = '', second = ''] = await ordersOf(they)
    const lines = [`${first},PRODUCED`, `${first},SHIPPED`, `${second},SHIPPED`]
    write('half.rsp', lines)
    const bytes = readFileSync(join(place.folder, 'half.rsp'))
    const digest = createHash('sha256').update(bytes).digest('hex')
    for (const line of [...linesOf(bytes)].slice(0, 2)) {
      assert.ok('order_id' in line)
      await applyLine(await they.ctx(), line, digest)
    }
    await fetch()
    for (const id of ids) {
      assert.equal((await they.read(id)).fulfillment_status, 'SHIPPED')
      assert.equal((await they.eventsAbout(id, 'CARD_DELIVERY_STATUS_CHANGED')).length, 2)
    }
    assert.deepEqual((await answers())[0].faults, [])
    rmSync(join(place.folder, 'half.rsp.done'))
    write('again.rsp', lines)
    await fetch()
    assert.equal((await answers())[0].file_name, 'half.rsp')
  })

  test('of a card that was made again are of its new order', async () => {
    const they = await newTenant()
    const [id = ''] = await collected(they, 1)
    await handedOver(they)
    const [order = ''] = await ordersOf(they)
    write('rejected.rsp', [`${order},REJECTED,misprint`])
    await fetch()
    assert.equal((await stateOf(they)).state, 'FAILED')
    const again = { fulfillment_status: 'CREATED' }
    assert.equal((await they.operate('PUT', `cards/${id}/fulfillment`, again)).status, 200)
    await collected(they, 0)
    await handedOver(they)
    const [next = ''] = (await ordersOf(they)).filter((one) => one !== order)
    assert.notEqual(next, '')
    write('next.rsp', [`${next},SHIPPED`])
    await fetch()
    assert.equal((await they.read(id)).fulfillment_status, 'SHIPPED')
  })
})
