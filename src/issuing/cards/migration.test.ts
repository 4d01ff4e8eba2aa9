/** Migration from virtual to physical (D-32), and concurrent changes of a card. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { cardholder } from '#test/support/cardholder.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const they = await cardholder(world, world.tenant)

const DAY = 86_400_000
const begin = (id: string) => they.put(id, { change_to_physical: true })
const begun = async () => {
  const { id } = await they.issue()
  assert.equal((await begin(id)).status, 200)
  return id
}
const codeOf = ({ status, body }: Awaited<ReturnType<typeof begin>>) => [status, body.code]

describe('change_to_physical', () => {
  test('200 begins the migration and reports it; the row has the time of its end', async () => {
    const id = await begun()
    const [event] = await they.eventsAbout(id, 'CARD_STATUS_CHANGE')
    assert.deepEqual(event.card_status_change, {
      card_id: id,
      old_status: 'ACTIVE',
      new_status: 'ACTIVE',
      old_status_reason_code: 'A0',
      status_reason_code: 'AT',
    })
    const { migration_started, migration_ends, emboss_due } = await they.row(id)
    assert.ok(migration_started && migration_ends && emboss_due)
    assert.equal(migration_ends.getTime() - migration_started.getTime(), 30 * DAY)
    const midnight = new Date(migration_started)
    midnight.setUTCHours(24, 0, 0, 0)
    assert.equal(emboss_due.toISOString(), midnight.toISOString())
  })

  test('200 the days are those of the product, on the clock of the tenant', async () => {
    const later = await cardholder(world, await world.otherTenant(), {
      virtual_to_physical_expiry_duration: 7,
    })
    await later.advance('P100D')
    const { id } = await later.issue()
    await later.put(id, { change_to_physical: true })
    const { migration_ends } = await later.row(id)
    const days = ((migration_ends?.getTime() ?? 0) - Date.now()) / DAY
    assert.ok(days > 106.9 && days < 107.1, String(days))
  })

  test('200 for a card that was activated by a0, with other changes in the same call', async () => {
    const terms = { initial_status_of_virtual_card: 'INACTIVE' }
    const new_ones = await cardholder(world, world.tenant, terms)
    const { id } = await new_ones.issue()
    assert.deepEqual(codeOf(await begin(id)), [409, 'card_migration_refused'])
    await they.change(id, 'ACTIVE', 'a0')
    const address = { address: { city: 'Dubai', country: 'AE' } }
    const both = { change_to_physical: true, name_on_card: 'A KHAN', shipping_details: address }
    const { status, body } = await they.put(id, both)
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { status_reason_code: 'AT', name_on_card: 'A KHAN' })
    assert.equal(body.shipping_details.address.city, 'Dubai')
  })

  test('200 false is accepted and changes nothing, also during the migration', async () => {
    const card = await they.issue()
    const { status, body } = await they.put(card.id, { change_to_physical: false })
    assert.equal(status, 200)
    assert.deepEqual({ ...body, modified: '' }, { ...card, modified: '' })
    const id = await begun()
    const again = await they.put(id, { change_to_physical: false })
    assert.deepEqual([again.status, again.body.status_reason_code], [200, 'AT'])
    assert.equal((await they.eventsAbout(id, 'CARD_STATUS_CHANGE')).length, 1)
  })

  test('400 when it is no boolean, and nothing begins', async () => {
    const { id } = await they.issue()
    assert.equal((await they.put(id, { change_to_physical: 'yes' })).status, 400)
    const fault = { change_to_physical: true, allowed_mccs_id: randomUUID() }
    assert.equal((await they.put(id, fault)).status, 400)
    assert.equal(await they.state(id), 'ACTIVE/A0')
  })

  test('409 for a card that is physical, not active, in migration already, or terminated', async () => {
    const { id: physical } = await they.issue({ card_type: 'PHYSICAL' })
    await they.change(physical, 'ACTIVE', 'a0')
    assert.deepEqual(codeOf(await begin(physical)), [409, 'card_migration_refused'])
    const { id: suspended } = await they.issue()
    await they.change(suspended, 'SUSPENDED', 'S0')
    const rejected = await begin(suspended)
    assert.deepEqual(codeOf(rejected), [409, 'card_migration_refused'])
    assert.match(rejected.body.detail, /virtual card is SUSPENDED \(S0\)/)
    const id = await begun()
    assert.deepEqual(codeOf(await begin(id)), [409, 'card_migrating'])
    await they.change(id, 'SUSPENDED', 'ST')
    assert.deepEqual(codeOf(await begin(id)), [409, 'card_migrating'])
    await they.change(id, 'TERMINATED', 'T0')
    assert.deepEqual(codeOf(await begin(id)), [409, 'card_terminated'])
  })

  test('409 when the migration was completed: the card is physical', async () => {
    const id = await begun()
    await they.simulate(id, 'emboss')
    assert.equal((await they.change(id, 'ACTIVE', 'A0')).status, 200)
    assert.deepEqual(codeOf(await begin(id)), [409, 'card_migration_refused'])
  })
})

describe('during the migration', () => {
  test('the settings of card and product at the start are frozen', async () => {
    const terms = { auth_settings: { atm: false } }
    const holder = await cardholder(world, world.tenant, terms)
    const { id } = await holder.issue({ auth_settings: { pos: false, max_amount: 12.5 } })
    await holder.put(id, { change_to_physical: true })
    const changed = { auth_settings: { atm: true, chip: false } }
    await holder.ask('PUT', `cardproducts/${holder.product.id}`, changed)
    const none = { allowed_countries_id: null, allowed_mccs_id: null, allowed_merchants_id: null }
    assert.deepEqual((await holder.row(id)).frozen_settings, {
      product: { auth_settings: { atm: false }, ...none },
      card: { auth_settings: { pos: false, max_amount: '1250' }, ...none },
    })
    const shown = await holder.ask('GET', `cards/${id}/authsettings`)
    assert.deepEqual(shown.body, { pos: false, max_amount: 12.5 })
  })

  test('409 card_migrating for settings and lists, 200 for name and shipping', async () => {
    const id = await begun()
    const assertRejected = async () => {
      for (const [path, change] of [
        [`${id}/authsettings`, { atm: false }],
        [`${id}/authsettings`, {}],
        [id, { allowed_countries_id: null }],
        [id, { allowed_mccs_id: randomUUID() }],
        [id, { allowed_merchants_id: null, name_on_card: 'X' }],
      ] as const) {
        assert.deepEqual(codeOf(await they.put(path, change)), [409, 'card_migrating'])
      }
    }
    await assertRejected()
    await they.change(id, 'SUSPENDED', 'ST')
    await assertRejected()
    const free = { name_on_card: 'A KHAN', delivery_method: 'MAIL' }
    const { status, body } = await they.put(id, free)
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, free)
  })

  const ends: [name: string, end: (id: string) => Promise<unknown>][] = [
    ['completion', (id) => they.change(id, 'ACTIVE', 'A0')],
    ['termination', (id) => they.change(id, 'TERMINATED', 'T1')],
  ]
  for (const [name, end] of ends) {
    test(`with its ${name} nothing of it is left`, async () => {
      const id = await begun()
      await they.simulate(id, 'emboss')
      await end(id)
      const { migration_started, migration_ends, frozen_settings, emboss_due } = await they.row(id)
      const left = [migration_started, migration_ends, frozen_settings, emboss_due]
      assert.deepEqual(left, [null, null, null, null])
    })
  }

  test('a failed delivery prevents completion until the card is made again', async () => {
    const id = await begun()
    await they.simulate(id, 'emboss')
    await they.simulate(id, 'failDelivery')
    assert.equal((await they.change(id, 'ACTIVE', 'A0')).status, 409)
    await they.operate('PUT', `cards/${id}/fulfillment`, { fulfillment_status: 'CREATED' })
    assert.equal((await they.change(id, 'ACTIVE', 'A0')).status, 409)
    await they.simulate(id, 'emboss')
    assert.equal((await they.change(id, 'ACTIVE', 'A0')).status, 200)
  })

  test('a card suspended during the migration can be completed and used', async () => {
    const id = await begun()
    await they.simulate(id, 'emboss')
    await they.change(id, 'SUSPENDED', 'ST')
    const { body } = await they.change(id, 'ACTIVE', 'A0')
    assert.deepEqual([body.status, body.card_type], ['ACTIVE', 'PHYSICAL'])
  })
})

describe('64 concurrent requests', () => {
  type Action = () => ReturnType<typeof begin>
  const race = (...actions: readonly Action[]) =>
    Promise.all(
      Array.from({ length: 64 / actions.length }, () => actions.map((action) => action())).flat(),
    )

  test('one begins the migration', async () => {
    const { id } = await they.issue()
    const answers = await race(() => begin(id))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const rejected = answers.filter(({ status }) => status !== 200)
    assert.ok(rejected.every(({ body }) => body.code === 'card_migrating'))
    assert.equal((await they.eventsAbout(id, 'CARD_STATUS_CHANGE')).length, 1)
  })

  test('one activates', async () => {
    const { id } = await they.issue({ card_type: 'PHYSICAL' })
    const answers = await race(() => they.change(id, 'ACTIVE', 'a0'))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })

  test('migration, suspension and termination: the reports form one path that ends TERMINATED', async () => {
    const { id } = await they.issue()
    const answers = await race(
      () => begin(id),
      () => they.change(id, 'SUSPENDED', 'S0'),
      () => they.change(id, 'TERMINATED', 'T0'),
      () => they.change(id, 'TERMINATED', 'T2'),
    )
    const reported = (await they.eventsAbout(id, 'CARD_STATUS_CHANGE')).map(
      (each) => each.card_status_change,
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, reported.length)
    assert.equal(reported.filter(({ new_status }) => new_status === 'TERMINATED').length, 1)
    for (const [at, each] of reported.entries()) {
      const before = reported[at - 1]?.status_reason_code ?? 'A0'
      assert.equal(each.old_status_reason_code, before)
    }
    assert.match(await they.state(id), /^TERMINATED/)
  })

  test('one completes the migration', async () => {
    const id = await begun()
    await they.simulate(id, 'emboss')
    const answers = await race(() => they.change(id, 'ACTIVE', 'A0'))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })
})
