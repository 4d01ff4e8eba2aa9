/**
 * The story of a key that may write and no more (D-1003): its holder reads no card number, sets
 * no PIN and activates no card, and gets no key or setting that would allow it.
 */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { makeRevealedCard } from '#test/support/issuer.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld({ settings: { pci_compliant: false } })
after(() => world[Symbol.asyncDispose]())
const tenant = world.tenant
const operator = { key: world.operator_key }

async function keyWith(...permissions: string[]): Promise<{ key: string }> {
  const path = `/v1/operator/tenants/${tenant.id}/keys`
  const { body } = await world.request('POST', path, { permissions }, operator)
  return { key: body.key }
}

const setOfOperator = (settings: object) =>
  world.request('PUT', `/v1/operator/tenants/${tenant.id}/settings`, settings, operator)

await setOfOperator({ pci_compliant: true })
const card = await makeRevealedCard(world)
await setOfOperator({ pci_compliant: false })

const ORIGIN = 'https://shop.example'
const WIDGETS = ['CARD_DETAILS', 'SET_PIN', 'ACTIVATE']
const tokenBy = (widget: string, key: { key: string }) =>
  world.request('POST', `/v1/cards/${card.id}:widgettoken`, { widget, origin: ORIGIN }, key)

const detailsBy = (token: string) =>
  world.request(
    'POST',
    '/widgets/api/details',
    { token },
    { key: null, headers: { origin: world.origin() } },
  )

describe('a stolen key with', () => {
  for (const permissions of [['write'], ['read', 'write'], ['read', 'write', 'cards:reveal']]) {
    test(`${permissions.join(', ')} gets no widget token`, async () => {
      const key = await keyWith(...permissions)
      for (const widget of WIDGETS) {
        const { status, body } = await tokenBy(widget, key)
        assert.deepEqual([status, body.code], [403, 'permission_missing'], widget)
        assert.equal(body.permission, 'cards:widget')
      }
    })
  }

  test('write cannot raise the limit of card details', async () => {
    const key = await keyWith('read', 'write')
    for (const card_details_per_hour of [null, 1_000_000]) {
      const change = { card_details_per_hour }
      const { status } = await world.request('PUT', '/v1/tenantsettings', change, key)
      assert.equal(status, 403)
    }
  })
})

describe('card details in a widget are shown', () => {
  test('by a key with cards:widget alone', async () => {
    const { body } = await tokenBy('CARD_DETAILS', await keyWith('cards:widget'))
    const shown = await detailsBy(body.token)
    assert.deepEqual([shown.status, shown.body.card_number], [200, card.card_number])
  })

  test('by the first key of a new tenant, which has every client permission', async () => {
    const created = await world.request('POST', '/v1/operator/tenants', { name: 'New' }, operator)
    const { id } = created.body
    const { body } = await world.request(
      'GET',
      `/v1/operator/tenants/${id}/keys`,
      undefined,
      operator,
    )
    const expected = ['read', 'write', 'cards:reveal', 'cards:widget']
    assert.deepEqual(body.data[0].permissions, expected)
  })

  for (const [role, expected] of [
    ['owner', [200, 200, 200]],
    ['developer', [403, 200, 200]],
    ['support', [403, 200, 200]],
    ['finance', [403, 403, 403]],
    ['compliance', [403, 403, 403]],
    ['viewer', [403, 403, 403]],
  ] as const) {
    test(`to the role ${role} as its table allows`, async () => {
      const { browser } = await memberWith(world, role, tenant.id)
      const statuses = []
      for (const widget of WIDGETS) {
        const path = `/v1/cards/${card.id}:widgettoken`
        statuses.push((await browser.ask('POST', path, { widget, origin: ORIGIN })).status)
      }
      assert.deepEqual(statuses, expected)
    })
  }
})
