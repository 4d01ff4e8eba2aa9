/** `bezant doctor` on keys that are outside the custody of the installation (D-1010). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { auditNetworkKeys, bindingOfNetworkKey } from '#issuing/networks/networks.ts'
import { auditVault } from '#issuing/vault/vault.ts'
import type { Finding } from '#kit/audit.ts'
import type { Db } from '#kit/db/database.ts'
import { newId } from '#lib/id.ts'
import { audits } from '#src/audit/audits.ts'
import { cardholder } from '#test/support/cardholder.ts'
import { foundBy, type Statement } from '#test/support/inspection/planted.ts'
import { keeper } from '#test/support/keeper.ts'
import { zoneKeyUnderLmk } from '#test/support/services/zone_keys.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const { product } = await cardholder(world, world.tenant)
const KEY = '11112222333344445555666677778888'
const CHECK_VALUE = '8F4EB0'

const installed =
  (custody: string): Statement =>
  () =>
    sql`insert into installation (mode, custody) values ('sandbox', ${custody})`
const productIn =
  (custody: string): Statement =>
  () =>
    sql`update vault.key_sets set custody = ${custody} where card_product_id = ${product.id}`

const inSoftware = (digits: number) => KEY.repeat(2).slice(0, digits)
const inModule = (scheme: string) => `${CHECK_VALUE}:${scheme}`
const zak = newId()
/** A key of a network as it is stored, before it is sealed. */
const networkKey =
  (stored: string): Statement =>
  () => {
    const bind = bindingOfNetworkKey({ id: zak })
    const sealed = world.services.keys.seal('keysets', Buffer.from(stored), bind)
    return sql`insert into network_keys (id, network, use, check_value, sealed, created)
      values (${zak}, 'scheme', 'ZAK', ${CHECK_VALUE}, ${sealed}, now())`
  }

async function found(
  audit: (db: Db) => Promise<Finding[]>,
  ...planted: Statement[]
): Promise<string[]> {
  const findings = await foundBy(world, audit, ...planted)
  return findings.map(({ invariant, subject, detail }) => `${invariant} ${subject}: ${detail}`)
}
const outside = (subject: string, custody: string, other: string) =>
  `I4 ${subject} in the custody ${custody}, those of the installation in ${other}`

test('doctor asks about the keys of products and those of networks', () => {
  const asked = audits.map(({ run }) => run)
  assert.ok(asked.includes(auditVault) && asked.includes(auditNetworkKeys))
})

for (const [custody, other] of [
  ['SOFTWARE', 'MODULE'],
  ['MODULE', 'SOFTWARE'],
] as const) {
  test(`a key outside custody is found: of a product, ${custody} beside ${other}`, async () => {
    const subject = `keys of product ${product.id}: are`
    assert.deepEqual(await found(auditVault, productIn(custody), installed(other)), [
      outside(subject, custody, other),
    ])
    assert.deepEqual(await found(auditVault, productIn(custody), installed(custody)), [])
    assert.deepEqual(
      await found(auditVault, productIn(custody), installed('MOVING')),
      [],
      'keys are moved',
    )
  })
}

const kept: Readonly<Record<'SOFTWARE' | 'MODULE', readonly string[]>> = {
  SOFTWARE: [
    `T${inSoftware(32)}`,
    `T${inSoftware(48)}`,
    `A${inSoftware(64)}`,
    `A${inSoftware(32)}`,
  ],
  MODULE: [
    `T${inModule(`U${inSoftware(32)}`)}`,
    `T${inModule(`T${inSoftware(48)}`)}`,
    `T${inModule(zoneKeyUnderLmk(KEY))}`,
    `A${inModule(zoneKeyUnderLmk(inSoftware(64)))}`,
  ],
}
for (const [custody, other] of [
  ['SOFTWARE', 'MODULE'],
  ['MODULE', 'SOFTWARE'],
] as const) {
  test(`a key outside custody is found: of a network, ${custody} beside ${other}`, async () => {
    for (const stored of kept[custody]) {
      assert.deepEqual(await found(auditNetworkKeys, networkKey(stored), installed(other)), [
        outside(`ZAK ${zak} of network scheme: is`, custody, other),
      ])
      assert.deepEqual(await found(auditNetworkKeys, networkKey(stored), installed('MOVING')), [])
      assert.deepEqual(await found(auditNetworkKeys, networkKey(stored), installed(custody)), [])
    }
  })
}
