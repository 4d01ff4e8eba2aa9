/** `bezant doctor` on the sealed card numbers of shops. */

import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import { auditShopVault } from '#merchant/acquirer/acquirer.ts'
import { foundBy, type Statement } from '#test/support/inspection/planted.ts'
import { keep } from '../e2e/kept.ts'
import { openShop } from '../e2e/shop.ts'

const shop = await openShop({ settings: { kept_cards: true } })
after(() => shop[Symbol.asyncDispose]())
const kept = await keep(shop, await shop.customer(1_000_000n), 'omar')
const { id: tenant_id } = shop.tenant

test('a kept card and its payment leave nothing to find', async () => {
  assert.deepEqual(await foundBy(shop, auditShopVault), [])
})

const faults: [name: string, subject: RegExp, detail: string, plant: Statement][] = [
  [
    'a kept card without its number',
    /^kept card /,
    'has no number',
    () => sql`delete from merchant_vault.cards
      where tenant_id = ${tenant_id} and owner_id = ${kept.id}`,
  ],
  [
    'a number whose kept card is gone',
    /^number of /,
    'is of no payment and no kept card',
    () => sql`delete from merchant_kept_cards
      where tenant_id = ${tenant_id} and id = ${kept.id}`,
  ],
  [
    'a number of nothing',
    /^number of /,
    'is of no payment and no kept card',
    () => sql`insert into merchant_vault.cards (tenant_id, owner_id, sealed)
      values (${tenant_id}, ${newId()}, ${Buffer.from('00', 'hex')})`,
  ],
]
for (const [name, subject, detail, plant] of faults) {
  test(`${name} is found`, async () => {
    const [found, ...others] = await foundBy(shop, auditShopVault, plant)
    assert.deepEqual(others, [])
    assert.match(found?.subject ?? '', subject)
    assert.deepEqual([found?.invariant, found?.tenant_id, found?.detail], ['I4', tenant_id, detail])
  })
}
