/**
 * The database is away for longer than a process may seal under the data keys that it has read
 * (KEYS_STALE_MS). Cards and payments that are asked for meanwhile, and as soon as it is back, are
 * answered truly: each card has its number, and no payment stays under way (D-945).
 */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { sql } from 'kysely'
import { KEYS_STALE_MS } from '#kit/keys/keyring.ts'
import type { Crowd } from '#test/support/crowd/crowd.ts'
import { gatherCrowd } from '#test/support/crowd/stock.ts'
import { assertSound, untilQuiet } from '#test/support/inspection/oracle.ts'
import { keeper } from '#test/support/keeper.ts'
import { FORM, newCheckout } from '#test/support/network/purchases.ts'
import { openKillable } from '#test/support/processes/killable.ts'
import { openStoppable } from '#test/support/processes/stoppable.ts'
import { until } from '#test/support/services/receiver.ts'

const deep = process.env['TEST_DEEP'] === '1'
const AWAY_MS = deep ? 8_000 : KEYS_STALE_MS + 1_000
const FREEZES = deep ? 4 : 1
/** Requests of each time that it is away. */
const [CARDS, PAYMENTS] = deep ? [300, 40] : [100, 20]
/** Requests are begun before it is back, so that some arrive in the moment in which it is. */
const AHEAD_MS = 500

const keep = keeper()
const server = await openStoppable()
keep({ close: server.drop })
const platform = keep(await openKillable({ url: server.url, drop: async () => {} }))
const crowd = await gatherCrowd(platform, { cards: 1, own_cards: 0, orders: 0 })
const { tenant } = platform.sandbox
const user = await crowd.made('POST', '/v1/users', { body: { first_name: 'Layla' } })
const card = await crowd.made('GET', `/v1/cards/${crowd.stock.cards[0]?.id}:reveal`)

const absences: Record<string, () => Promise<void>> = {
  'is stopped': async () => {
    await server.end('SIGINT')
    await pass(AWAY_MS - AHEAD_MS)
  },
  'is killed': async () => {
    await server.end('SIGKILL')
    await pass(AWAY_MS - AHEAD_MS)
  },
  'stands still': async () => {
    for (let time = 1; time <= FREEZES; time += 1) {
      server.freeze()
      await pass(AWAY_MS - AHEAD_MS)
      if (time < FREEZES) server.thaw()
    }
  },
}
const comeBack = (name: string) =>
  name === 'stands still' ? Promise.resolve(server.thaw()) : server.start()

for (const [name, leave] of Object.entries(absences)) {
  test(`the database ${name}: cards have numbers, and payments end`, async () => {
    const pages = await Promise.all(Array.from({ length: PAYMENTS }, () => openPage(crowd)))
    await leave()
    const cards = Array.from({ length: CARDS }, (_, at) => issue(`${name} ${at}`))
    const payments = pages.map((page) => submit(page.url, page.form_token))
    await pass(AHEAD_MS)
    await comeBack(name)
    const issued = await Promise.all(cards)
    await Promise.all(payments)

    await until('no payment is under way', async () => (await underWay()) === 0)
    await untilQuiet(platform.db)
    const { rows } = await sql<{ without: bigint }>`
      select count(*) as without from cards c where not exists (
        select from vault.pans p where p.tenant_id = c.tenant_id and p.card_id = c.id)`.execute(
      platform.db,
    )
    assert.equal(rows[0]?.without, 0n, 'cards without a number')
    for (const { status, id } of issued) {
      assert.equal(status, 200)
      const { card_number } = await crowd.made('GET', `/v1/cards/${id}:reveal`)
      assert.match(card_number, /^\d{16}$/)
    }
    await assertSound(platform.db)
    // A reference that was not paid can be, and one that was has its order.
    for (const { reference } of pages) {
      const order = await crowd.ask('GET', `/api/v1.0/orders/${reference}/`, { as: 'merchant' })
      if (order.status === 200) continue
      assert.equal(order.status, 404, order.text)
      const again = await openPage(crowd, reference)
      const paid = await submit(again.url, again.form_token)
      assert.equal(paid?.status, 303, paid?.text)
    }
  })
}

async function issue(key: string): Promise<{ status: number; id: string }> {
  const { status, text } = await platform.insist({
    method: 'POST',
    url: '/v1/cards',
    headers: { apikey: tenant.api_key, 'x-bezant-idempotency-key': key },
    body: JSON.stringify({
      user_id: user.id,
      card_product_id: tenant.card_product_id,
      card_type: 'VIRTUAL',
    }),
  })
  return { status, id: JSON.parse(text).id }
}

async function openPage(crowd: Crowd, reference?: string) {
  const body = { ...newCheckout(), ...(reference !== undefined && { reference }) }
  const opened = await crowd.made('POST', '/api/v1.0/checkouts', { as: 'merchant', body })
  const { pathname, search } = new URL(opened.checkout_url)
  const url = pathname + search
  const page = await platform.clients.ask({ method: 'GET', url, headers: {}, body: undefined })
  const form_token = /name="form_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  return { reference: body.reference, url, form_token }
}

/** Once; undefined if no answer came. */
async function submit(url: string, form_token: string) {
  const [year = '', month = ''] = card.expiry_date.slice(2).split('-')
  const { card_number, cvv2 } = card
  const fields = { form_token, card_number, expiry: `${month}/${year}`, cvv2 }
  const body = new URLSearchParams(fields).toString()
  return platform.clients.ask({ method: 'POST', url, headers: FORM, body }).catch(() => undefined)
}

async function underWay(): Promise<number> {
  const { rows } = await sql<{ count: bigint }>`
    select count(*) as count from checkouts where status = 'PAYING'`.execute(platform.db)
  return Number(rows[0]?.count)
}
