/** The demo tenant: funded, with an active product, a cardholder and a card (D-12). */

import { createCard } from '#issuing/cards/cards.ts'
import { move, openProgramAccounts, programAccountId } from '#issuing/ledger/ledger.ts'
import { createProduct } from '#issuing/products/products.ts'
import { createTenant } from '#issuing/tenants/tenants.ts'
import { createUser } from '#issuing/users/users.ts'
import type { Tx } from '#kit/context.ts'

const NAME = 'Demo'
const CURRENCY = 'AED'
/** Minor units: 1,000,000.00 AED. */
const FUNDING = 100_000_000n
/** Begins with 9, which ISO/IEC 7812 leaves to national use: no issuer of the world has it. */
const BIN = '999000'

/** Known beforehand, so that the demo is made once and found again. */
const idOf = (number: number) => `00000000-0000-7000-8000-00000000000${number}`
export const DEMO_TENANT = idOf(1)
const PRODUCT = idOf(2)
const USER = idOf(3)
const CARD = idOf(4)

/** What sandbox.json tells of the demo tenant beside its key. */
export const demoTenant = {
  id: DEMO_TENANT,
  name: NAME,
  currency: CURRENCY,
  card_product_id: PRODUCT,
}

/** Makes all of it in the caller's transaction and answers the tenant's API key. */
export async function makeDemoTenant(tx: Tx): Promise<{ api_key: string }> {
  const { api_key } = await createTenant(tx, {
    id: DEMO_TENANT,
    name: NAME,
    settings: { pci_compliant: true },
  })
  await fund(tx)
  await createProduct(tx, { id: PRODUCT, name: 'Demo card', currency: CURRENCY, bin: BIN })
  await createUser(tx, {
    id: USER,
    user_type: 'INDIVIDUAL',
    first_name: 'Layla',
    last_name: 'Haddad',
    email: 'layla.haddad@example.com',
  })
  // The product becomes ACTIVE with its first card (D-29).
  await createCard(tx, {
    id: CARD,
    user_id: USER,
    card_type: 'VIRTUAL',
    card_product_id: PRODUCT,
  })
  return { api_key }
}

async function fund(tx: Tx): Promise<void> {
  await openProgramAccounts(tx, CURRENCY)
  await move(tx, [
    {
      kind: 'FUNDING',
      debit_account_id: programAccountId(DEMO_TENANT, 'EXTERNAL', CURRENCY),
      credit_account_id: programAccountId(DEMO_TENANT, 'FUNDING', CURRENCY),
      currency: CURRENCY,
      amount: FUNDING,
    },
  ])
}
