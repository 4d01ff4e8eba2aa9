import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#lib/id.ts'
import { createPlaces, type Most, type Places, type Subscription } from './places.ts'
import { sharesOf } from './worker.ts'

const QUICKEST = 10
const QUICK = 100
const SLOW = 3_000

const made = (id: string, more: Partial<Subscription> = {}): Subscription => ({
  id,
  merchant_id: null,
  failing_since: null,
  ...more,
})
const webhook = made('webhook')
const failing = made('failing', { failing_since: new Date() })

const sum = ({ calls, ahead }: Most) => calls + ahead

/** Takes all that a subscription may have; how many. */
function fill(places: Places, tenant: string, of: Subscription): number {
  const room = of.merchant_id === null ? places.roomOf(tenant) : places.roomOfMerchants(tenant)
  const most = sum(places.mostOf(of, room, places.roomAheadOf(tenant)))
  for (let count = 0; count < most; count += 1) void places.take(tenant, of)
  return most
}

/** A call and its result have ended; whether it is time to ask for more. */
function end(places: Places, call_ms: number): boolean {
  places.endCall('webhook', call_ms)
  return places.leave('tenant', webhook)
}

test('a subscription has 32 calls, a failing one 4, and a tenant 512 places', () => {
  const places = createPlaces()
  assert.equal(fill(places, 'tenant', webhook), 32)
  assert.equal(fill(places, 'tenant', webhook), 0)
  assert.equal(fill(places, 'tenant', failing), 4)
  let all = 36
  for (let count = 0; count < 50; count += 1) all += fill(places, 'tenant', made(newId()))
  assert.equal(all, 512)
  assert.equal(places.roomOf('tenant'), 0)
})

test('however many tenants have endpoints that hang, the next one finds a place', () => {
  const places = createPlaces()
  for (let tenant = 0; tenant < 6; tenant += 1) {
    for (let webhook = 0; webhook < 50; webhook += 1) fill(places, `t${tenant}`, made(newId()))
  }
  assert.ok(places.roomOf('next') > 0)
  assert.equal(fill(places, 'next', made('its own')) > 0, true)
})

/** A subscription with one delivery under way, whose last call took so long. */
function called(call_ms: number): Places {
  const places = createPlaces()
  void places.take('tenant', webhook)
  void places.take('tenant', webhook)
  end(places, call_ms)
  return places
}
const ROOM = 10_000

test('an endpoint is given ahead what it can be sent in 300 ms by its last call, up to 2,048', () => {
  const most = [1, QUICKEST, 20, 40, QUICK, QUICK + 1, SLOW].map((call_ms) =>
    sum(called(call_ms).mostOf(webhook, ROOM, ROOM)),
  )
  assert.deepEqual(most, [2_079, 1_951, 991, 271, 127, 31, 31])
})

test('what an endpoint is given ahead waits for a call, and counts until its result', async () => {
  const places = called(QUICK)
  const begun: number[] = []
  for (let at = 0; at < 127; at += 1) {
    void places.take('tenant', webhook).then(() => begun.push(at))
  }
  await Promise.resolve()
  assert.equal(begun.length, 31)
  places.endCall('webhook', QUICK)
  await Promise.resolve()
  assert.deepEqual(begun.at(-1), 31)
  const most = () => places.mostOf(webhook, ROOM, ROOM)
  assert.deepEqual(most(), { calls: 0, ahead: 0 }, 'until the result is written')
  places.leave('tenant', webhook)
  assert.deepEqual(most(), { calls: 0, ahead: 1 })
  end(places, SLOW)
  assert.deepEqual(most(), { calls: 0, ahead: 0 })
})

test('an endpoint that answers within 20 ms has 64 calls, and 32 again once it is slower', async () => {
  const places = called(QUICKEST)
  let begun = 0
  for (let at = 0; at < 127; at += 1) {
    void places.take('tenant', webhook).then(() => {
      begun += 1
    })
  }
  await Promise.resolve()
  assert.equal(begun, 63)
  for (let at = 0; at < 32; at += 1) places.endCall('webhook', QUICK)
  await Promise.resolve()
  assert.equal(begun, 63, 'those above 32 end first')
  places.endCall('webhook', QUICK)
  await Promise.resolve()
  assert.equal(begun, 64)
  places.endCall('webhook', QUICKEST)
  await Promise.resolve()
  assert.equal(begun, 64 + 33, 'all that it may have by its last call')
})

test('what is held ahead takes no place of others, and gives back what it took', () => {
  const places = called(QUICKEST)
  const room = places.roomOf('tenant')
  const held = fill(places, 'tenant', webhook)
  assert.equal(places.roomOf('tenant'), room - 31)
  assert.equal(places.roomAheadOf('tenant'), 2_048 - (held - 31))
  for (let count = 0; count < held; count += 1) end(places, QUICKEST)
  assert.deepEqual([places.roomOf('tenant'), places.roomAheadOf('tenant')], [room, 2_048])
})

test('tenants that are sent much at once leave some of what is held ahead to the next', () => {
  const places = createPlaces()
  for (let tenant = 0; tenant < 12; tenant += 1) {
    for (let at = 0; at < places.roomAheadOf(`t${tenant}`); at += 1) {
      void places.take(`t${tenant}`, { ...webhook, id: `w${tenant}` })
    }
  }
  assert.ok(places.roomAheadOf('next') > 0)
})

test('the quickest endpoint of a tenant leaves half of the places to the others', () => {
  const places = createPlaces()
  const quickest = made('quickest')
  const shares = () => sharesOf({ tenant_id: 'tenant' }, [quickest, webhook], places)
  void places.take('tenant', quickest)
  void places.take('tenant', quickest)
  places.endCall('quickest', QUICKEST)
  places.leave('tenant', quickest)
  assert.deepEqual(shares(), [
    { webhook_id: 'webhook', most: 32 },
    { webhook_id: 'quickest', most: 31 + 1_024 },
  ])
})

test('more is asked for once half is done, and only where more is due', () => {
  const places = createPlaces()
  fill(places, 'tenant', webhook)
  places.await('tenant', webhook, true)
  const asked = Array.from({ length: 32 }, () => end(places, SLOW))
  assert.deepEqual([asked.indexOf(true), asked.lastIndexOf(true)], [15, 15])
  fill(places, 'tenant', webhook)
  places.await('tenant', webhook, false)
  assert.equal(end(places, SLOW), false)
})

test('each subscription of a tenant gets its part, those that have the fewest first', () => {
  const places = createPlaces()
  const webhooks = Array.from({ length: 20 }, () => made(newId()))
  const shares = () => sharesOf({ tenant_id: 'tenant' }, webhooks, places)
  const given = shares().map(({ most }) => most)
  assert.deepEqual([given.length, Math.min(...given), Math.max(...given)], [20, 24, 25])
  const [busy = webhook] = webhooks
  for (let at = 0; at < 30; at += 1) void places.take('tenant', busy)
  assert.equal(shares().at(-1)?.webhook_id, busy.id)
})

const ofMerchant = (more: Partial<Subscription> = {}) =>
  made(newId(), { merchant_id: newId(), ...more })

test('an endpoint of a merchant has 8 calls, a failing one 1, and all of them half of a tenant', () => {
  const places = createPlaces()
  assert.equal(fill(places, 'tenant', ofMerchant()), 8)
  assert.equal(fill(places, 'tenant', ofMerchant({ failing_since: new Date() })), 1)
  for (let count = 0; count < 300; count += 1) fill(places, 'tenant', ofMerchant())
  assert.equal(places.roomOfMerchants('tenant'), 0)
  assert.equal(places.roomOf('tenant'), 256)
  assert.equal(fill(places, 'tenant', webhook), 32)
})

test('a merchant that found no place is asked for again once another one leaves', () => {
  const places = createPlaces()
  const hanging = Array.from({ length: 32 }, () => ofMerchant())
  for (const one of hanging) fill(places, 'tenant', one)
  const next = ofMerchant()
  const sharesOfNext = () => sharesOf({ tenant_id: 'tenant' }, [next], places)
  assert.deepEqual(sharesOfNext(), [])
  places.await('tenant', next, true)
  const [first = next] = hanging
  places.endCall(first.id, SLOW)
  assert.equal(places.leave('tenant', first), true)
  assert.deepEqual(sharesOfNext(), [{ webhook_id: next.id, most: 1 }])
})
