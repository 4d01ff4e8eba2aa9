/** API keys that members manage, by status code, on a real database (D-138). */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { memberWith } from '#test/support/portal/browser.ts'
import { openSecondProcess } from '#test/support/portal/second_process.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const second = await openSecondProcess(world)
after(() => second[Symbol.asyncDispose]())

const KEYS = '/portal/v1/keys'
const tenant = await world.otherTenant()
const { browser: owner } = await memberWith(world, 'owner', tenant.id)
const create = (permissions: string[], name = 'Shop') =>
  owner.ask('POST', KEYS, { name, permissions })
const use = (key: string, at: Pick<typeof world, 'request'> = world) =>
  at.request('GET', '/v1/cards', undefined, { key })
/** Counts from now on how often the last use of a key is written. */
function countWrites(): { count: () => number } & Disposable {
  let count = 0
  const noted = (message: unknown) => {
    if (/update "?api_keys"? set last_used/.test((message as { text: string }).text)) count += 1
  }
  subscribe('bezant:statement', noted)
  return {
    count: () => count,
    [Symbol.dispose]: () => void unsubscribe('bezant:statement', noted),
  }
}

type Listed = { id: string; name?: string; prefix: string; last_used?: string }
const listed = async (): Promise<Listed[]> => (await owner.ask('GET', KEYS)).body.data

describe('POST /portal/v1/keys', () => {
  test('201 answers the key this once, and it works with its permissions', async () => {
    const { status, body } = await create(['read'])
    assert.equal(status, 201)
    assert.deepEqual(Object.keys(body).sort(), [
      'api_key',
      'created',
      'created_by',
      'created_by_email',
      'id',
      'name',
      'permissions',
      'prefix',
    ])
    assert.ok(body.api_key.startsWith(body.prefix))
    assert.deepEqual([body.name, body.permissions], ['Shop', ['read']])
    assert.equal((await use(body.api_key)).status, 200)
    const user = { first_name: 'Omar', last_name: 'Aziz' }
    const write = await world.request('POST', '/v1/users', user, { key: body.api_key })
    assert.equal(write.status, 403)
    assert.ok(!(await owner.ask('GET', KEYS)).text.includes(body.api_key))
  })

  test('403 for a permission beyond the role', async () => {
    const { browser } = await memberWith(world, 'developer', tenant.id)
    const ask = (permissions: string[]) => browser.ask('POST', KEYS, { name: 'Shop', permissions })
    const { status, body } = await ask(['read', 'cards:reveal'])
    assert.deepEqual([status, body.code], [403, 'permission_missing'])
    assert.equal((await ask(['read', 'write'])).status, 201)
    const viewer = await memberWith(world, 'viewer', tenant.id)
    const one = { name: 'Shop', permissions: ['read'] }
    assert.equal((await viewer.browser.ask('POST', KEYS, one)).status, 403)
  })

  test('a key of a developer gets no widget with card data, as the developer does not', async () => {
    const { browser } = await memberWith(world, 'developer', tenant.id)
    const origin = 'https://shop.example'
    const path = `/v1/cards/${randomUUID()}:widgettoken`
    const made = async (by: typeof browser) =>
      (await by.ask('POST', KEYS, { name: 'Shop', permissions: ['cards:widget'] })).body.api_key
    const ask = (key: string, widget: string, at: Pick<typeof world, 'request'> = world) =>
      at.request('POST', path, { widget, origin }, { key })
    const [bounded, whole] = [await made(browser), await made(owner)]
    for (const at of [world, second]) {
      const { status, body } = await ask(bounded, 'CARD_DETAILS', at)
      assert.deepEqual([status, body.code, body.role], [403, 'permission_missing', 'developer'])
      // There is no such card.
      assert.equal((await ask(bounded, 'SET_PIN', at)).status, 404)
      assert.equal((await ask(whole, 'CARD_DETAILS', at)).status, 404)
      assert.equal((await ask(tenant.api_key, 'CARD_DETAILS', at)).status, 404)
    }
  })

  test('who was removed or lost the role at another process makes no key', async () => {
    const ask = (by: typeof owner) =>
      by.ask('POST', KEYS, { name: 'Shop', permissions: ['read', 'cards:reveal'] })
    const [demoted, removed] = await Promise.all([
      memberWith(world, 'owner', tenant.id),
      memberWith(world, 'owner', tenant.id),
    ])
    for (const { browser } of [demoted, removed]) {
      assert.equal((await browser.ask('GET', KEYS)).status, 200)
    }
    // As another process does it, whose notification is still on its way.
    await world.db
      .updateTable('memberships')
      .set({ role: 'developer' })
      .where('id', '=', demoted.membership_id)
      .execute()
    await world.db.deleteFrom('people').where('id', '=', removed.id).execute()
    assert.equal((await ask(demoted.browser)).status, 403)
    assert.equal((await ask(removed.browser)).status, 401)
  })

  test('400 names every member at fault', async () => {
    const { status, body } = await owner.ask('POST', KEYS, { name: '', permissions: ['operator'] })
    assert.equal(status, 400)
    const paths = body.errors.map(({ path }: { path: string }) => path)
    assert.deepEqual(paths.sort(), ['name', 'permissions.0'])
  })

  test('repeated under an idempotency key is one key; for another member it is another', async () => {
    const headers = { 'x-bezant-idempotency-key': randomUUID() }
    const sent = { name: 'Once', permissions: ['read'] }
    const first = await owner.ask('POST', KEYS, sent, headers)
    const again = await owner.ask('POST', KEYS, sent, headers)
    assert.equal(again.text, first.text)
    const { browser } = await memberWith(world, 'developer', tenant.id)
    const others = await browser.ask('POST', KEYS, sent, headers)
    assert.notEqual(others.body.id, first.body.id)
  })
})

describe('GET /portal/v1/keys', () => {
  test('lists the keys of the tenant alone, newest first, also those of the operator', async () => {
    const { body } = await create(['read'], 'Newest')
    const [first, ...rest] = await listed()
    assert.deepEqual([first?.id, first?.name], [body.id, 'Newest'])
    assert.ok(rest.some(({ name }) => name === undefined))
    const elsewhere = await memberWith(world, 'owner', world.tenant.id)
    const { data } = (await elsewhere.browser.ask('GET', KEYS)).body
    assert.ok(!data.some(({ id }: Listed) => id === body.id))
  })

  test('has the last use of a key, without a write for each request', async () => {
    const { body } = await create(['read'])
    const before = new Date()
    using writes = countWrites()
    for (let used = 0; used < 20; used++) await use(body.api_key)
    const lastUse = async () => (await listed()).find(({ id }) => id === body.id)?.last_used
    await until('the use is written', async () => (await lastUse()) !== undefined)
    assert.ok(new Date(String(await lastUse())).getTime() > before.getTime() - 1_000)
    // That of a key before it may be written meanwhile.
    assert.ok(writes.count() > 0 && writes.count() <= 2, `${writes.count()} writes`)
  })
})

describe('DELETE /portal/v1/keys/{id}', () => {
  test('204, and no process accepts the key a second later', async () => {
    const { body } = await create(['read'])
    const processes = [world, second]
    for (const one of processes) assert.equal((await use(body.api_key, one)).status, 200)
    const { status, text } = await owner.ask('DELETE', `${KEYS}/${body.id}`)
    assert.deepEqual([status, text], [204, ''])
    await pause(1_000)
    for (const one of processes) assert.equal((await use(body.api_key, one)).status, 401)
    assert.ok(!(await listed()).some(({ id }) => id === body.id))
  })

  test('404 for the key of another tenant, and for one that was revoked before', async () => {
    const { body } = await create(['read'])
    const elsewhere = await memberWith(world, 'owner', world.tenant.id)
    const path = `${KEYS}/${body.id}`
    assert.equal((await elsewhere.browser.ask('DELETE', path)).status, 404)
    assert.equal((await use(body.api_key)).status, 200)
    assert.equal((await owner.ask('DELETE', path)).status, 204)
    assert.equal((await owner.ask('DELETE', path)).status, 404)
  })
})
