/**
 * The contents of the demo: a funded tenant with an active product and a card, and a merchant
 * (D-12).
 */

import { createCard } from '#issuing/cards/cards.ts'
import { openProgram } from '#issuing/programs/programs.ts'
import { createUser } from '#issuing/users/users.ts'
import type { Tx } from '#kit/context.ts'
import { createMerchant, createMerchantKey, listMerchants } from '#merchant/merchants/merchants.ts'

const NAME = 'Demo'
const SHOP = 'Demo shop'
/** Among more than these, a second demo merchant is made. */
const MERCHANTS_SEEN = 200
const CURRENCY = 'AED'
const FUNDING = 1_000_000
/** Begins with 9, which ISO/IEC 7812 leaves to national use: no issuer of the world has it. */
const BIN = '999000'

/** Known beforehand, so that the demo is made once and found again. */
const idOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`
export const DEMO_TENANT = idOf(1)
const PRODUCT = idOf(2)
export const DEMO_USER = idOf(3)
export const DEMO_CARD = idOf(4)

/** The data of the demo tenant in sandbox.json, besides its key. */
export const demoTenant = {
  id: DEMO_TENANT,
  name: NAME,
  currency: CURRENCY,
  card_product_id: PRODUCT,
}

/** Makes all of it in the caller's transaction and returns the tenant's API key. */
export async function makeDemoTenant(tx: Tx): Promise<{ api_key: string }> {
  const { api_key } = await openProgram(tx, {
    tenant: { id: DEMO_TENANT, name: NAME, settings: { pci_compliant: true } },
    funding: FUNDING,
    product: { id: PRODUCT, name: 'Demo card', bin: BIN },
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
    card_product_id: PRODUCT,
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
