/** Fulfillment of physical cards: simulated in the sandbox, and changed by the operator. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { cardholder } from '#test/support/cardholder.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const they = await cardholder(world, world.tenant)

const physicalCard = async () => (await they.issue({ card_type: 'PHYSICAL' })).id
const shipment = { delivery_partner: 'Falcon', tracking_number: 'F-17' }
const advance = (id: string, body: object, query = '') =>
  they.operate('PUT', `cards/${id}/fulfillment${query}`, body)
const codeOf = ({ status, body }: Awaited<ReturnType<typeof advance>>) => [status, body.code]

test('a physical card begins as CREATED, a virtual one has no fulfillment', async () => {
  const physical = await they.issue({ card_type: 'PHYSICAL' })
  assert.equal(physical.fulfillment_status, 'CREATED')
  assert.ok((await they.row(physical.id)).emboss_due)
  const virtual = await they.issue()
  assert.equal('fulfillment_status' in virtual, false)
  assert.equal((await they.row(virtual.id)).emboss_due, null)
})

test('a replacement has its own fulfillment and the delivery method of the old card', async () => {
  const address = { shipping_details: { address: { city: 'Dubai' } }, delivery_method: 'COURIER' }
  const { id } = await they.issue({ card_type: 'PHYSICAL', ...address })
  await they.simulate(id, 'emboss')
  await they.simulate(id, 'ship', shipment)
  await they.change(id, 'TERMINATED', 'T3')
  const next = await they.issue({ card_type: 'PHYSICAL', reference_card_id: id })
  assert.partialDeepStrictEqual(next, { fulfillment_status: 'CREATED', ...address })
  assert.equal('delivery_partner' in next || 'tracking_number' in next, false)
})

describe('POST /simulate/cards/{id}:emboss, :ship, :deliver, :failDelivery', () => {
  test('200 each step is answered and reported, with carrier and tracking number', async () => {
    const id = await physicalCard()
    assert.equal((await they.simulate(id, 'emboss')).body.fulfillment_status, 'ORDERED')
    assert.equal((await they.row(id)).emboss_due, null)
    const shipped = await they.simulate(id, 'ship', shipment)
    assert.partialDeepStrictEqual(shipped.body, { fulfillment_status: 'SHIPPED', ...shipment })
    const { status, body } = await they.simulate(id, 'deliver')
    assert.deepEqual([status, body.fulfillment_status], [200, 'DELIVERED'])
    assert.deepEqual(await they.read(id), body)
    const step = (old_status: string, new_status: string) => ({
      card_id: id,
      old_status,
      new_status,
    })
    assert.deepEqual(await they.eventsAbout(id, 'CARD_DELIVERY_STATUS_CHANGED'), [
      step('CREATED', 'ORDERED'),
      { ...step('ORDERED', 'SHIPPED'), ...shipment },
      { ...step('SHIPPED', 'DELIVERED'), ...shipment },
    ])
    assert.deepEqual(await they.eventsAbout(id, 'CARD_DELIVERY_PARTNER_ASSIGNED'), [
      { card_id: id, ...shipment },
    ])
    assert.deepEqual(await they.kinds(id), [
      'SUCCESSFULLY_CREATED',
      'CARD_DELIVERY_STATUS_CHANGED',
      'CARD_DELIVERY_PARTNER_ASSIGNED',
      'CARD_DELIVERY_STATUS_CHANGED',
      'CARD_DELIVERY_STATUS_CHANGED',
    ])
  })

  test('200 production fails, delivery fails, and the tracking number is optional', async () => {
    const id = await physicalCard()
    await they.simulate(id, 'emboss')
    assert.equal((await they.simulate(id, 'failDelivery')).body.fulfillment_status, 'FAILED')
    const other = await physicalCard()
    await they.simulate(other, 'emboss')
    const { body } = await they.simulate(other, 'ship', { delivery_partner: 'Falcon' })
    assert.equal('tracking_number' in body, false)
    assert.equal((await they.simulate(other, 'failDelivery')).body.fulfillment_status, 'FAILED')
  })

  test('400 without a carrier, or with an unknown member', async () => {
    const id = await physicalCard()
    await they.simulate(id, 'emboss')
    for (const body of [{}, { delivery_partner: '' }, { ...shipment, speed: 'high' }]) {
      assert.equal((await they.simulate(id, 'ship', body)).status, 400)
    }
  })

  test('409 fulfillment_move_refused names the present step', async () => {
    const id = await physicalCard()
    const early = await they.simulate(id, 'deliver')
    assert.deepEqual(codeOf(early), [409, 'fulfillment_move_refused'])
    assert.match(early.body.detail, /CREATED/)
    await they.simulate(id, 'emboss')
    assert.equal((await they.simulate(id, 'emboss')).status, 409)
    const virtual = await they.simulate((await they.issue()).id, 'emboss')
    assert.deepEqual(codeOf(virtual), [409, 'fulfillment_move_refused'])
  })

  test('409 the fulfillment of a terminated card does not change', async () => {
    const id = await physicalCard()
    await they.change(id, 'TERMINATED', 'T0')
    assert.equal((await they.row(id)).emboss_due, null)
    assert.deepEqual(codeOf(await they.simulate(id, 'emboss')), [409, 'card_terminated'])
  })

  test('404 for a card of another tenant as for none', async () => {
    const other = await cardholder(world, await world.otherTenant())
    const { id } = await other.issue({ card_type: 'PHYSICAL' })
    assert.equal((await they.simulate(id, 'emboss')).status, 404)
    assert.equal((await they.simulate(randomUUID(), 'emboss')).status, 404)
  })

  test('of 16 concurrent orders one succeeds', async () => {
    const id = await physicalCard()
    const answers = await Promise.all(Array.from({ length: 16 }, () => they.simulate(id, 'emboss')))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    assert.equal((await they.eventsAbout(id, 'CARD_DELIVERY_STATUS_CHANGED')).length, 1)
  })
})

describe('PUT /operator/cards/{id}/fulfillment', () => {
  test('200 moves a card to DELIVERED, and back to CREATED after FAILED', async () => {
    const id = await physicalCard()
    await advance(id, { fulfillment_status: 'ORDERED', delivery_partner: 'Camel' })
    const shipped = await advance(id, { fulfillment_status: 'SHIPPED', ...shipment })
    assert.partialDeepStrictEqual(shipped.body, { id, fulfillment_status: 'SHIPPED', ...shipment })
    assert.equal((await advance(id, { fulfillment_status: 'FAILED' })).status, 200)
    const again = await advance(id, { fulfillment_status: 'CREATED' })
    assert.equal(again.body.fulfillment_status, 'CREATED')
    assert.equal('delivery_partner' in again.body || 'tracking_number' in again.body, false)
    assert.ok((await they.row(id)).emboss_due)
    const partners = await they.eventsAbout(id, 'CARD_DELIVERY_PARTNER_ASSIGNED')
    assert.deepEqual(
      partners.map(({ delivery_partner }) => delivery_partner),
      ['Camel', 'Falcon'],
    )
  })

  test('400 for a status that does not exist, and without one', async () => {
    const id = await physicalCard()
    for (const body of [{ fulfillment_status: 'LOST' }, shipment]) {
      assert.equal((await advance(id, body)).status, 400)
    }
  })

  test('403 for a client, 404 for a card that does not exist or is of another tenant', async () => {
    const id = await physicalCard()
    const ordered = { fulfillment_status: 'ORDERED' }
    assert.equal((await they.ask('PUT', `operator/cards/${id}/fulfillment`, ordered)).status, 403)
    assert.equal((await advance(randomUUID(), ordered)).status, 404)
    const other = await world.otherTenant()
    assert.equal((await advance(id, ordered, `?tenant_id=${other.id}`)).status, 404)
    assert.equal((await advance(id, ordered, `?tenant_id=${they.tenant.id}`)).status, 200)
  })

  test('409 for a step that does not follow, and for a terminated card', async () => {
    const id = await physicalCard()
    const rejected = await advance(id, { fulfillment_status: 'DELIVERED' })
    assert.deepEqual(codeOf(rejected), [409, 'fulfillment_move_refused'])
    await they.change(id, 'TERMINATED', 'T1')
    assert.deepEqual(codeOf(await advance(id, { fulfillment_status: 'ORDERED' })), [
      409,
      'card_terminated',
    ])
  })

  test('409 tenant_ambiguous when two tenants use one id, until the tenant is named', async () => {
    const id = randomUUID()
    const twin = await cardholder(world, await world.otherTenant())
    for (const each of [they, twin]) await each.issue({ id, card_type: 'PHYSICAL' })
    const ordered = { fulfillment_status: 'ORDERED' }
    assert.deepEqual(codeOf(await advance(id, ordered)), [409, 'tenant_ambiguous'])
    assert.equal((await advance(id, ordered, `?tenant_id=${twin.tenant.id}`)).status, 200)
    assert.equal((await they.read(id)).fulfillment_status, 'CREATED')
    assert.equal((await twin.read(id)).fulfillment_status, 'ORDERED')
  })
})

describe('PUT /operator/cards/{id}:statuschange', () => {
  const change = (id: string, status: string, status_reason_code: string) =>
    they.operate('PUT', `cards/${id}:statuschange`, { status, status_reason_code })

  test('200 suspends and resumes as a client cannot', async () => {
    const { id } = await they.issue()
    const { status, body } = await change(id, 'SUSPENDED', 'S1')
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { id, status: 'SUSPENDED', status_reason_code: 'S1' })
    assert.equal((await they.change(id, 'ACTIVE', 'A0')).status, 409)
    assert.equal((await change(id, 'ACTIVE', 'A0')).status, 200)
    assert.equal((await they.eventsAbout(id, 'CARD_STATUS_CHANGE')).length, 2)
  })

  test('400, 403, 404 and 409 as for others', async () => {
    const { id } = await they.issue()
    assert.equal((await change(id, 'ASLEEP', 'S1')).status, 400)
    const input = { status: 'SUSPENDED', status_reason_code: 'S1' }
    assert.equal((await they.ask('PUT', `operator/cards/${id}:statuschange`, input)).status, 403)
    assert.equal((await change(randomUUID(), 'SUSPENDED', 'S1')).status, 404)
    assert.equal((await change(id, 'SUSPENDED', 'P0')).body.code, 'card_status_move_refused')
    await change(id, 'TERMINATED', 'T0')
    assert.equal((await change(id, 'ACTIVE', 'A0')).body.code, 'card_terminated')
    const same = randomUUID()
    const twin = await cardholder(world, await world.otherTenant())
    for (const each of [they, twin]) await each.issue({ id: same })
    assert.equal((await change(same, 'SUSPENDED', 'S1')).body.code, 'tenant_ambiguous')
  })
})
