/** Orders of cards in a sandbox, whose bureau is simulated, and in live without one. */

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { addDays, formatDate } from '#lib/time.ts'
import { cardholder } from '#test/support/cardholder.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const they = await cardholder(world, world.tenant, { production: { pin_mailer: true } })
const physical = { card_type: 'PHYSICAL' }

describe('in a sandbox', () => {
  test('the simulated bureau takes the file of a card at once and answers it', async () => {
    const { id } = await they.issue(physical)
    const { body: card } = await they.simulate(id, 'emboss')
    assert.equal(card.fulfillment_status, 'ORDERED')
    const { body } = await they.ask('GET', `cardorders/${card.card_order_id}`)
    const { card_product_id } = card
    const expected = { state: 'CONFIRMED', count: 1, answered: 1, rejected: 0, bureau: 'sandbox' }
    assert.partialDeepStrictEqual(body, { ...expected, card_product_id })
    assert.match(body.digest, /^[0-9a-f]{64}$/)
  })

  test('a clock that passes the hour of the tenant orders what waits, in one batch', async () => {
    const settings = { time_zone: 'Asia/Dubai', card_order_hour: 9 }
    const of = await cardholder(world, await world.otherTenant(settings))
    const day = formatDate(addDays(new Date(), 2))
    await of.ask('PUT', 'simulate/clock', { now: `${day}T04:00:00Z` })
    const cards = [await of.issue(physical), await of.issue(physical)]
    await of.ask('PUT', 'simulate/clock', { now: `${day}T04:30:00Z` })
    assert.equal((await of.read(cards[0].id)).fulfillment_status, 'CREATED')
    await of.ask('PUT', 'simulate/clock', { now: `${day}T05:00:00Z` })
    for (const { id } of cards) assert.equal((await of.read(id)).fulfillment_status, 'ORDERED')
    const { body } = await of.ask('GET', 'cardorders')
    assert.equal(body.bureau, 'sandbox')
    const [batch, ...others] = body.data
    assert.deepEqual([batch.count, batch.state, others], [2, 'CONFIRMED', []])
    const late = await of.issue(physical)
    assert.equal((await of.row(late.id)).emboss_due?.toISOString().slice(11, 16), '05:00')
  })

  test('a card that is rejected is FAILED, and so is its batch', async () => {
    const { id } = await they.issue(physical)
    const { card_order_id } = (await they.simulate(id, 'emboss')).body
    assert.equal((await they.simulate(id, 'failDelivery')).body.fulfillment_status, 'FAILED')
    const { body } = await they.ask('GET', `cardorders/${card_order_id}`)
    assert.partialDeepStrictEqual(body, { state: 'FAILED', rejected: 1 })
  })

  test('the block of a mailer is kept until its card is shipped', async () => {
    const pins = async (id: string) => {
      const rows = await world.db.selectFrom('vault.mailed_pins').selectAll().execute()
      return rows.filter(({ card_id }) => card_id === id).length
    }
    const { id } = await they.issue(physical)
    await they.simulate(id, 'emboss')
    assert.equal(await pins(id), 1)
    await they.simulate(id, 'ship', { delivery_partner: 'Falcon' })
    assert.equal(await pins(id), 0)
  })

  test('lists filter by state and product, and another tenant sees none of them', async () => {
    const list = async (query: string) => (await they.ask('GET', `cardorders?${query}`)).body.data
    const failed = await list('state=FAILED')
    assert.deepEqual(
      new Set(failed.map(({ state }: { state: string }) => state)),
      new Set(['FAILED']),
    )
    assert.deepEqual(await list(`card_product_id=${randomUUID()}`), [])
    const other = await cardholder(world, await world.otherTenant())
    assert.deepEqual((await other.ask('GET', 'cardorders')).body.data, [])
    assert.equal((await other.ask('GET', `cardorders/${failed[0].id}`)).status, 404)
  })

  test('the cards of a batch are listed in pages that meet, and are no others', async () => {
    const of = await cardholder(world, await world.otherTenant())
    const ids: string[] = []
    for (let count = 0; count < 3; count += 1) ids.push((await of.issue(physical)).id)
    await of.operate('POST', 'cardorders:send', { tenant_id: of.tenant.id })
    await of.runDueJobs()
    const waiting = await of.issue(physical)
    const { card_order_id } = await of.read(ids[0] ?? '')
    const list = async (query: string) => (await of.ask('GET', `cards?${query}`)).body
    const idsOf = ({ data }: { data: { id: string }[] }) => data.map(({ id }) => id)
    const page = await list(`card_order_id=${card_order_id}&limit=2`)
    const rest = await list(`card_order_id=${card_order_id}&limit=2&after=${page.after}`)
    assert.deepEqual([page.has_more, rest.has_more], [true, false])
    assert.deepEqual([...idsOf(page), ...idsOf(rest)], ids.toReversed())
    assert.equal(waiting.card_order_id, undefined)
    assert.deepEqual(idsOf(await list(`card_order_id=${randomUUID()}`)), [])
  })

  test('only the operator sends orders and reads the files of answers', async () => {
    const body = { tenant_id: they.tenant.id }
    assert.equal((await they.ask('POST', 'operator/cardorders:send', body)).status, 403)
    assert.equal((await they.ask('GET', 'operator/bureauanswers')).status, 403)
    const { id } = await they.issue(physical)
    const sent = await they.operate('POST', 'cardorders:send', body)
    assert.deepEqual(sent.body, { cards: 1, batches: 0 })
    await they.runDueJobs()
    assert.equal((await they.read(id)).fulfillment_status, 'ORDERED')
    for (const unknown of [{ tenant_id: randomUUID() }, { card_product_id: randomUUID() }]) {
      const refused = await they.operate('POST', 'cardorders:send', { ...body, ...unknown })
      assert.equal(refused.body.errors[0].path, Object.keys(unknown)[0])
    }
  })
})

test('in live without a bureau a card stays CREATED, and says so', async () => {
  const MASTER_KEY = randomBytes(32).toString('hex')
  const live = keep(await openWorld({ env: { MODE: 'live', MASTER_KEY } }))
  const of = await cardholder(live, live.tenant)
  const { id } = await of.issue(physical)
  const sent = await of.operate('POST', 'cardorders:send', { tenant_id: of.tenant.id })
  assert.deepEqual([sent.status, sent.body.code], [501, 'not_configured'])
  assert.match(sent.body.detail, /BUREAU_SFTP or BUREAU_FOLDER/)
  await of.runDueJobs()
  assert.equal((await of.read(id)).fulfillment_status, 'CREATED')
  const { body } = await of.ask('GET', 'cardorders')
  assert.deepEqual([body.data, 'bureau' in body], [[], false])
})
