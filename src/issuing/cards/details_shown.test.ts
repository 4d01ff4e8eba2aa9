/** The limit of card details shown within an hour (D-1003), over two processes. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { makeRevealedCard } from '#test/support/issuer.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const second = await openSecondProcess(world)
after(() => second[Symbol.asyncDispose]())

const HOUR_MS = 60 * 60 * 1000
const MINUTE_MS = 60 * 1000

/** The clock of the tenant is moved into the first minutes of its next hour. */
async function nextHour({ id, api_key: key }: TestTenant): Promise<void> {
  const { now } = await world.ctx(id)
  const ahead = HOUR_MS - (now.getTime() % HOUR_MS) + MINUTE_MS
  const body = { advance: `PT${Math.ceil(ahead / 1000)}S` }
  const { status } = await world.request('PUT', '/v1/simulate/clock', body, { key })
  assert.equal(status, 200)
}

/** The tenant has a card, and begins an hour in which it may be shown `most` details. */
async function tenantWith(most: number | null) {
  const tenant = await world.otherTenant({ pci_compliant: true })
  const card = await makeRevealedCard(world, { key: tenant.api_key })
  const path = `/v1/operator/tenants/${tenant.id}/settings`
  const change = { card_details_per_hour: most }
  const set = await world.request('PUT', path, change, { key: world.operator_key })
  assert.equal(set.status, 200, set.text)
  await nextHour(tenant)
  const key = tenant.api_key
  const reveal = (at: Pick<typeof world, 'request'> = world) =>
    at.request('GET', `/v1/cards/${card.id}:reveal`, undefined, { key })
  const token = async () => {
    const body = { widget: 'CARD_DETAILS', origin: 'https://shop.example' }
    const made = await world.request('POST', `/v1/cards/${card.id}:widgettoken`, body, { key })
    return String(made.body.token)
  }
  const show = (value: string, at: Pick<typeof world, 'request'> = world) => {
    const headers = { origin: world.origin() }
    return at.request('POST', '/widgets/api/details', { token: value }, { key: null, headers })
  }
  const events = async () => {
    const { body } = await world.request('GET', '/v1/events?limit=100', undefined, { key })
    return body.data.filter(({ event }: { event: string }) => event === 'CARD_DETAILS_LIMIT')
  }
  return { tenant, card, reveal, token, show, events }
}

const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

describe('card details of a tenant', () => {
  test('are shown as often as the setting allows, over two processes and both ways', async () => {
    const { reveal, token, show, events } = await tenantWith(7)
    const tokens = await Promise.all(Array.from({ length: 6 }, token))
    const answers = await Promise.all([
      ...tokens.map((one, at) => show(one, at % 2 === 0 ? world : second)),
      ...Array.from({ length: 8 }, (_, at) => reveal(at % 2 === 0 ? world : second)),
    ])
    const expected = [...Array(7).fill(200), ...Array(7).fill(429)]
    assert.deepEqual(statusesOf(answers), expected)
    assert.equal((await events()).length, 1)
  })

  test('are refused with the time to wait, and one event an hour names the limit', async () => {
    const { tenant, reveal, events } = await tenantWith(1)
    const hours = ['one', 'two']
    for (const [at] of hours.entries()) {
      assert.equal((await reveal()).status, 200)
      const { status, body, headers } = await reveal(second)
      assert.deepEqual([status, body.code], [429, 'rate_limited'])
      const wait = Number(headers['retry-after'])
      assert.ok(wait > 0 && wait <= 3_600, `${wait} seconds`)
      assert.equal((await reveal()).status, 429)
      const found = await events()
      assert.equal(found.length, at + 1)
      assert.partialDeepStrictEqual(found[0], { tenant_id: tenant.id, card_details_per_hour: 1 })
      await nextHour(tenant)
    }
  })

  test('that are refused leave the token of the widget, which counts for a later hour', async () => {
    const { tenant, reveal, token, show, card } = await tenantWith(1)
    await reveal()
    assert.equal((await show(await token())).status, 429)
    await nextHour(tenant)
    const one = await token()
    const shown = await show(one)
    assert.deepEqual([shown.status, shown.body.card_number], [200, card.card_number])
    assert.equal((await show(one)).status, 404)
  })

  test('are not counted for a token that is unknown or a card that is not found', async () => {
    const { tenant, reveal, token, show } = await tenantWith(1)
    const path = `/v1/cards/${tenant.id}:reveal`
    const missing = await world.request('GET', path, undefined, { key: tenant.api_key })
    assert.equal(missing.status, 404)
    assert.equal((await show(`${(await token()).slice(0, -2)}xx`)).status, 404)
    assert.equal((await reveal()).status, 200)
  })

  test('have no limit in a sandbox where none is set', async () => {
    const { reveal } = await tenantWith(null)
    for (let shown = 0; shown < 3; shown += 1) assert.equal((await reveal()).status, 200)
  })

  test('are 1,000 an hour in live where nothing is set', async () => {
    const live = await openWorld({
      env: { MODE: 'live', MASTER_KEY: randomBytes(32).toString('hex') },
    })
    after(() => live[Symbol.asyncDispose]())
    const { body } = await live.request('GET', '/v1/tenantsettings')
    assert.equal(body.card_details_per_hour, 1_000)
  })
})
