/** The due jobs of cards, on the tenant's clock. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { FIRST_ID } from '#kit/jobs/due_tenants.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import { addDays, addMonths, endOfMonth, formatDate, monthOf } from '#lib/time.ts'
import { type Cardholder, cardholder } from '#test/support/cardholder.ts'
import { closeGate } from '#test/support/gate.ts'
import { openWorld } from '#test/support/world.ts'
import {
  blockCardProvisioning,
  countProvisioningFailure,
  embossingDue,
  lockCardRow,
} from './cards.ts'
import { endedBy } from './rules/status.ts'
import { cardSweeps } from './sweeps.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const tenantWith = async (settings: object = {}) =>
  cardholder(world, await world.otherTenant(settings))

const physical = { card_type: 'PHYSICAL' }
const sweepOf = (name: string) => {
  const sweep = cardSweeps.find((each) => each.name === name)
  assert.ok(sweep)
  return sweep
}
const isDue = async (they: Cardholder, { dueTenants }: Pick<Sweep, 'dueTenants'>) =>
  (await dueTenants(world.db, FIRST_ID, 1000)).includes(they.tenant.id)

/** Copies of a card, more than one portion. */
const MANY = 1_100
async function copy(they: Cardholder, id: string): Promise<void> {
  await sql`
    insert into cards (tenant_id, id, user_id, card_product_id, card_type, status,
      status_reason_code, bin, last_four, expiry_date, auth_settings, chain_id, valid_until,
      fulfillment_status, emboss_due, created, modified)
    select tenant_id, gen_random_uuid(), user_id, card_product_id, card_type, status,
      status_reason_code, bin, last_four, expiry_date, auth_settings, gen_random_uuid(),
      valid_until, fulfillment_status, emboss_due, created, modified
    from cards, generate_series(2, ${MANY}) where tenant_id = ${they.tenant.id} and id = ${id}`.execute(
    world.db,
  )
}

/** How many events of a kind each of the tenant's cards has. */
async function eventCountOfEach(they: Cardholder, event: string): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    select count(e.id)::int as count from cards c
    left join events e on e.tenant_id = c.tenant_id and e.object_id = c.id and e.event = ${event}
    where c.tenant_id = ${they.tenant.id} group by c.id`.execute(world.db)
  return rows.map(({ count }) => count)
}

describe('embossing', () => {
  test('a card goes to the embosser when the next day of the tenant begins, not before', async () => {
    const they = await tenantWith({ time_zone: 'Asia/Dubai' })
    const noon = `${formatDate(addDays(new Date(), 1))}T12:00:00Z`
    await they.ask('PUT', 'simulate/clock', { now: noon })
    const { id } = await they.issue(physical)
    const { id: migrating } = await they.issue()
    await they.put(migrating, { change_to_physical: true })
    const { emboss_due } = await they.row(id)
    assert.equal(emboss_due?.toISOString().slice(11), '20:00:00.000Z')
    await they.runDueJobs()
    assert.equal((await they.read(id)).fulfillment_status, 'CREATED')
    assert.equal(await isDue(they, embossingDue), false)

    const last = new Date((emboss_due?.getTime() ?? 0) - 60_000).toISOString()
    await they.ask('PUT', 'simulate/clock', { now: last })
    assert.equal((await they.read(id)).fulfillment_status, 'CREATED')
    await they.ask('PUT', 'simulate/clock', { now: emboss_due?.toISOString() })
    for (const each of [id, migrating]) {
      assert.equal((await they.read(each)).fulfillment_status, 'ORDERED')
      assert.deepEqual(await they.eventsAbout(each, 'CARD_DELIVERY_STATUS_CHANGED'), [
        { card_id: each, old_status: 'CREATED', new_status: 'ORDERED' },
      ])
    }
    assert.equal(await they.state(migrating), 'ACTIVE/AT')
    assert.equal((await they.change(migrating, 'ACTIVE', 'A0')).status, 200)
  })

  test('not for cards that are terminated or ordered already', async () => {
    const they = await tenantWith()
    const { id } = await they.issue(physical)
    await they.change(id, 'TERMINATED', 'T0')
    const { id: ordered } = await they.issue(physical)
    await they.simulate(ordered, 'emboss')
    await they.advance('P2D')
    assert.equal((await they.read(id)).fulfillment_status, 'CREATED')
    assert.equal((await they.eventsAbout(ordered, 'CARD_DELIVERY_STATUS_CHANGED')).length, 1)
  })

  test('more cards than one portion are ordered, and each is reported once', async () => {
    const they = await tenantWith()
    const order = { card_product_id: they.product.id, number_of_cards: MANY, name_on_card: 'GIFT' }
    assert.equal(
      (await they.ask('POST', 'bulkissuances', { ...order, status: 'SUBMITTED' })).status,
      200,
    )
    await they.runDueJobs()
    await they.advance('P2D')
    const reported = await eventCountOfEach(they, 'CARD_DELIVERY_STATUS_CHANGED')
    assert.deepEqual([reported.length, new Set(reported)], [MANY, new Set([1])])
  })
})

describe('card expiry', () => {
  test('a card is valid until the last millisecond of its month, then TERMINATED (T4)', async () => {
    const they = await tenantWith()
    const month = addMonths(monthOf(new Date()), 2)
    const { id } = await they.issue({ expiry_date: month })
    const { id: later } = await they.issue({ expiry_date: addMonths(month, 1) })
    const end = endOfMonth(month)
    await they.ask('PUT', 'simulate/clock', { now: new Date(end.getTime() - 60_000).toISOString() })
    assert.equal(await they.state(id), 'ACTIVE/A0')
    assert.equal(await isDue(they, sweepOf('card expiry')), false)
    await they.ask('PUT', 'simulate/clock', { now: new Date(end.getTime() + 1).toISOString() })
    assert.equal(await they.state(id), 'TERMINATED/T4')
    assert.equal(await they.state(later), 'ACTIVE/A0')
    const [event] = await they.eventsAbout(id, 'CARD_STATUS_CHANGE')
    assert.deepEqual(event.card_status_change, {
      card_id: id,
      old_status: 'ACTIVE',
      new_status: 'TERMINATED',
      old_status_reason_code: 'A0',
      status_reason_code: 'T4',
    })
  })

  test('an expired card can be replaced', async () => {
    const they = await tenantWith()
    const old = await they.issue({ expiry_date: monthOf(new Date()) })
    await they.advance('P40D')
    const next = await they.issue({ reference_card_id: old.id })
    assert.deepEqual([next.reference_card_id, next.account_id], [old.id, old.account_id])
    assert.ok(next.expiry_date > old.expiry_date)
    assert.equal((await they.read(old.id)).replaced_by_card_id, next.id)
  })

  test('a card in any state is cleared and reported once', async () => {
    const they = await tenantWith()
    const expiry_date = monthOf(new Date())
    const { id: fresh } = await they.issue({ expiry_date, ...physical })
    const { id: suspended } = await they.issue({ expiry_date })
    await they.change(suspended, 'SUSPENDED', 'S0')
    const { id: migrating } = await they.issue({ expiry_date })
    await they.put(migrating, { change_to_physical: true })
    const { id: blocked } = await they.issue({ expiry_date })
    await block(they, blocked, addDays(new Date(), 1000))
    const { id: over } = await they.issue({ expiry_date })
    await they.change(over, 'TERMINATED', 'T1')
    await they.advance('P40D')
    await they.runDueJobs()
    for (const id of [fresh, suspended, migrating, blocked]) {
      const row = await they.row(id)
      assert.equal(they.stateOf(row), 'TERMINATED/T4')
      const end = { status: 'TERMINATED', status_reason_code: 'T4' }
      for (const reason of ['ST', 'P0']) {
        const ended = endedBy({ status: 'SUSPENDED', status_reason_code: reason }, end)
        assert.partialDeepStrictEqual(row, ended)
      }
      assert.equal(
        (await they.eventsAbout(id, 'CARD_STATUS_CHANGE')).at(-1).card_status_change
          .status_reason_code,
        'T4',
      )
    }
    assert.equal(await they.state(over), 'TERMINATED/T1')
  })

  test('more cards than one portion expire, each with one report', async () => {
    const they = await tenantWith()
    await copy(they, (await they.issue({ expiry_date: monthOf(new Date()) })).id)
    await they.advance('P40D')
    const reported = await eventCountOfEach(they, 'CARD_STATUS_CHANGE')
    assert.deepEqual([reported.length, new Set(reported)], [MANY, new Set([1])])
  })

  test('a locked card is skipped until the next run, without waiting', async () => {
    const they = await tenantWith()
    const expiry_date = monthOf(new Date())
    const { id } = await they.issue({ expiry_date })
    const { id: other } = await they.issue({ expiry_date })
    await transact(await they.ctx(), async (tx) => {
      await lockCardRow(tx, id)
      await they.advance('P40D')
      assert.equal(await they.state(other), 'TERMINATED/T4')
      assert.equal(await they.state(id), 'ACTIVE/A0')
    })
    await they.runDueJobs()
    assert.equal(await they.state(id), 'TERMINATED/T4')
  })
})

test('a locked account delays what is due of its own cards, and of no other', async () => {
  const they = await tenantWith()
  const cards = [
    await they.issue({ expiry_date: monthOf(new Date()) }),
    await they.issue({ expiry_date: monthOf(new Date()) }),
    await they.issue({ expiry_date: monthOf(new Date()) }),
  ]
  const ctx = await they.ctx()
  const later = { ...ctx, now: addDays(ctx.now, 40) }
  const states = () => Promise.all(cards.map(({ id }) => they.state(id)))
  const gate = await closeGate(world.url, { tenant_id: they.tenant.id, id: cards[1].account_id })
  while ((await sweepOf('card expiry').run(later)).more);
  assert.deepEqual(await states(), ['TERMINATED/T4', 'ACTIVE/A0', 'TERMINATED/T4'])
  await gate.open()
  await sweepOf('card expiry').run(later)
  assert.equal(await they.state(cards[1].id), 'TERMINATED/T4')
})

describe('the block after wrong provisioning', () => {
  const tomorrow = async (they: Cardholder) => addDays((await they.ctx()).now, 1)

  test('suspends a card for 24 hours, then ends; both are reported', async () => {
    const they = await tenantWith()
    const { id } = await they.issue()
    const { id: physicalId } = await they.issue(physical)
    await they.change(physicalId, 'ACTIVE', 'a0')
    for (const each of [id, physicalId]) {
      await block(they, each, await tomorrow(they))
      assert.equal(await they.state(each), 'SUSPENDED/P0')
      assert.equal((await they.change(each, 'ACTIVE', 'A0')).status, 409)
    }
    await they.advance('PT23H59M')
    assert.equal(await they.state(id), 'SUSPENDED/P0')
    await they.advance('PT1M')
    assert.equal(await they.state(id), 'ACTIVE/A0')
    assert.equal(await they.state(physicalId), 'ACTIVE/a0')
    const { provisioning_failures, provisioning_blocked_until } = await they.row(id)
    assert.deepEqual([provisioning_failures, provisioning_blocked_until], [0, null])
    const reported = await they.eventsAbout(id, 'CARD_STATUS_CHANGE')
    assert.deepEqual(
      reported.map(({ card_status_change }) => card_status_change.status_reason_code),
      ['P0', 'A0'],
    )
  })

  test('the operator lifts it earlier, and a client ends the card meanwhile', async () => {
    const they = await tenantWith()
    const { id } = await they.issue()
    await block(they, id, await tomorrow(they))
    const lift = { status: 'ACTIVE', status_reason_code: 'A0' }
    assert.equal((await they.operate('PUT', `cards/${id}:statuschange`, lift)).status, 200)
    assert.equal((await they.row(id)).provisioning_blocked_until, null)
    await block(they, id, await tomorrow(they))
    assert.equal((await they.change(id, 'TERMINATED', 'T2')).status, 200)
    await they.advance('P2D')
    assert.equal(await they.state(id), 'TERMINATED/T2')
  })

  test('the status of a card that is suspended or in migration does not change', async () => {
    const they = await tenantWith()
    const { id } = await they.issue()
    await they.put(id, { change_to_physical: true })
    const { id: suspended } = await they.issue()
    await they.change(suspended, 'SUSPENDED', 'S0')
    const until = await tomorrow(they)
    for (const [each, state] of [
      [id, 'ACTIVE/AT'],
      [suspended, 'SUSPENDED/S0'],
    ] as const) {
      await block(they, each, until)
      assert.equal(await they.state(each), state)
      assert.deepEqual((await they.row(each)).provisioning_blocked_until, until)
    }
  })

  test('failures are counted, and the block resets the count', async () => {
    const they = await tenantWith()
    const { id } = await they.issue()
    await transact(await they.ctx(), async (tx) => {
      const card = await lockCardRow(tx, id)
      assert.ok(card)
      await countProvisioningFailure(tx, card, 4)
    })
    assert.equal((await they.row(id)).provisioning_failures, 4)
    await block(they, id, await tomorrow(they))
    assert.equal((await they.row(id)).provisioning_failures, 0)
    assert.equal(await transact(await they.ctx(), (tx) => lockCardRow(tx, randomUUID())), undefined)
  })
})

async function block(they: Cardholder, id: string, until: Date): Promise<void> {
  await transact(await they.ctx(), async (tx) => {
    const card = await lockCardRow(tx, id)
    assert.ok(card)
    await blockCardProvisioning(tx, card, until)
  })
}
