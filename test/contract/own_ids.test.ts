/**
 * A client-chosen `id` for every lasting object (D-124): stored, 409 when it exists, and in order.
 */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { createBelongings, freshBin } from '#test/support/contract/belongings.ts'
import { openWorld, type TestTenant } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const [one, other] = [await createBelongings(world), await createBelongings(world)]

type Made = {
  /** Members that are sent beside the id. */
  body: (of: typeof one) => object | Promise<object>
  path: (of: typeof one) => string | Promise<string>
  /** Its list, where it has one. */
  list?: (of: typeof one) => string
}

const ask = async (tenant: TestTenant, method: string, path: string, body?: object) =>
  world.request(method, path, body, { key: tenant.api_key })

/** Somebody who waits for KYC. */
async function applicant({ tenant }: typeof one): Promise<string> {
  await ask(tenant, 'PUT', '/v1/tenantsettings', { require_kyc: true })
  const { body } = await ask(tenant, 'POST', '/v1/users', { first_name: 'Noor' })
  await ask(tenant, 'PUT', '/v1/tenantsettings', { require_kyc: null })
  return body.id
}

let gyms = 0
const documents = ({ ids }: typeof one) => `/v1/users/${ids.user}/identifications`
const objects: Readonly<Record<string, Made>> = {
  user: { path: () => '/v1/users', body: () => ({ first_name: 'Aisha' }) },
  identification: { path: documents, body: () => ({ type: 'PASSPORT' }), list: documents },
  'KYC request': {
    path: async (of) => `/v1/users/${await applicant(of)}/kyc`,
    body: () => ({ kyc_policy: 'UAE_INDIVIDUAL_PRIMARY' }),
  },
  'card product': {
    path: () => '/v1/cardproducts',
    body: () => ({ name: 'Travel', currency: 'AED', bin: freshBin() }),
  },
  card: {
    path: () => '/v1/cards',
    body: ({ ids }) => ({
      user_id: ids.user,
      card_product_id: ids.card_product,
      account_id: ids.account,
      card_type: 'VIRTUAL',
    }),
  },
  'list of countries': {
    path: () => '/v1/allowedcountries',
    body: () => ({ name: 'Gulf', country_codes: ['AE'] }),
  },
  'list of MCCs': {
    path: () => '/v1/allowedmccs',
    body: () => ({ name: 'Food', mccs: ['5411'] }),
  },
  'list of merchants': {
    path: () => '/v1/allowedmerchants',
    body: () => ({ name: 'Shops', merchants: [{ merchant_id: 'SHOP1', allow: true }] }),
  },
  charge: {
    path: ({ ids }) => `/v1/accounts/${ids.account}:charge`,
    list: ({ ids }) => `/v1/accounts/${ids.account}/charges`,
    body: () => ({ currency: 'AED', amount: 1, description: 'Letter' }),
  },
  'stop order': {
    path: ({ ids }) => `/v1/cards/${ids.card}/stoporders`,
    body: () => ({ merchant_id: `GYM${gyms++}` }),
  },
  'bulk issuance': {
    path: () => '/v1/bulkissuances',
    body: ({ ids }) => ({
      card_product_id: ids.card_product,
      number_of_cards: 1,
      status: 'DRAFT',
    }),
  },
  'balance limit': {
    path: () => '/v1/balancelimits',
    body: () => ({ type: 'PER_ACCOUNT', currency: 'AED', max_amount: 1 }),
  },
  'velocity limit': {
    path: () => '/v1/velocitylimits',
    body: () => ({ type: 'PER_TRANSACTION', currency: 'AED', max_amount: 1 }),
  },
  webhook: {
    path: () => '/v1/webhooks',
    body: () => ({ endpoint: 'http://127.0.0.1:9/unused', events: ['TRANSACTION'] }),
  },
}

for (const [name, { body, path, list }] of Object.entries(objects)) {
  describe(`a ${name}`, () => {
    const make = async (of: typeof one, id: string) =>
      ask(of.tenant, 'POST', await path(of), { ...(await body(of)), id })

    test('has the id that its client chose, in small letters', async () => {
      const id = randomUUID()
      const { status, body: made, text } = await make(one, id.toUpperCase())
      assert.deepEqual([status, made.id], [200, id], text)
    })

    test('is 409 with an id that exists, and nothing else changes', async () => {
      const id = randomUUID()
      assert.equal((await make(one, id)).status, 200)
      const again = await make(one, id)
      assert.deepEqual([again.status, again.body.code], [409, 'id_taken'], again.text)
    })

    test('may have an id that another tenant has', async () => {
      const id = randomUUID()
      assert.equal((await make(one, id)).status, 200)
      assert.equal((await make(other, id)).status, 200)
    })

    test('is 400 with an id that is no UUID', async () => {
      const { status, body: problem } = await make(one, 'mine')
      assert.deepEqual([status, problem.errors[0].path], [400, 'id'])
    })

    test('has its place in lists by its creation time (D-102)', async () => {
      const tenant = one
      const ids = ['f', '0', '8'].map((start) => start + randomUUID().slice(1))
      for (const id of ids) assert.equal((await make(tenant, id)).status, 200)
      const found = await inPages(tenant, ids)
      assert.deepEqual(found, ids.toReversed())
    })

    async function inPages(of: typeof one, ids: readonly string[]): Promise<string[]> {
      const found: string[] = []
      let after: string | undefined
      for (let pages = 0; pages < 200; pages++) {
        const page = await read(of, after)
        found.push(...page.data.map(({ id }: { id: string }) => id))
        after = page.after
        if (!page.has_more) break
      }
      return found.filter((id) => ids.includes(id))
    }

    async function read(of: typeof one, after: string | undefined) {
      if (name === 'KYC request') {
        const cursors = after === undefined ? {} : { after }
        const search = { limit: 1, cursors }
        const { body: page } = await ask(of.tenant, 'POST', '/v1/users/kyc:search', search)
        return page
      }
      const place = after === undefined ? '' : `&after=${encodeURIComponent(after)}`
      const of_list = list?.(of) ?? (await path(of))
      return (await ask(of.tenant, 'GET', `${of_list}?limit=1${place}`)).body
    }
  })
}
