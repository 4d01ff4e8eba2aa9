/**
 * The contents of the demo: a funded tenant with an active product and a card, and a merchant
 * (D-12).
 */

import { createCard } from '#issuing/cards/cards.ts'
import { openProgram } from '#issuing/programs/programs.ts'
import { createUser } from '#issuing/users/users.ts'
import type { Tx } from '#kit/context.ts'
import { createMerchant, createMerchantKey, listMerchants } from '#merchant/merchants/merchants.ts'
import { DEMO_CARD, DEMO_PRODUCT, DEMO_TENANT, DEMO_USER, demoTenant } from '../known.ts'

const SHOP = 'Demo shop'
/** Among more than these, a second demo merchant is made. */
const MERCHANTS_SEEN = 200
const FUNDING = 1_000_000
/** Begins with 9, which ISO/IEC 7812 leaves to national use: no issuer of the world has it. */
const BIN = '999000'

/** Makes all of it in the caller's transaction and returns the tenant's API key. */
export async function makeDemoTenant(tx: Tx): Promise<{ api_key: string }> {
  const { api_key } = await openProgram(tx, {
    tenant: { id: DEMO_TENANT, name: demoTenant.name, settings: { pci_compliant: true } },
    funding: FUNDING,
    product: { id: DEMO_PRODUCT, name: 'Demo card', bin: BIN },
  })
  await createUser(tx, {
    id: DEMO_USER,
    user_type: 'INDIVIDUAL',
    first_name: 'Layla',
    last_name: 'Haddad',
    email: 'layla.haddad@example.com',
  })
  await createCard(tx, {
    id: DEMO_CARD,
    user_id: DEMO_USER,
    card_type: 'VIRTUAL',
    card_product_id: DEMO_PRODUCT,
  })
  return { api_key }
}

/** A key pair of the demo merchant, which is made if it is missing. */
export async function makeMerchantKeys(tx: Tx) {
  const { data } = await listMerchants(tx, { tenant_id: DEMO_TENANT, limit: MERCHANTS_SEEN })
  const merchant =
    data.findLast(({ name }) => name === SHOP) ??
    (await createMerchant(tx, { tenant_id: DEMO_TENANT, name: SHOP }))
  const { public_key, private_key } = await createMerchantKey(tx, merchant.id)
  return { name: merchant.name, public_key, private_key }
}
