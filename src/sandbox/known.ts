/**
 * Names of the sandbox that are known beforehand, so that its rows and its file are made once and
 * found again. The one file of the sandbox that a live deployment loads: it recognizes them.
 */

import { join } from 'node:path'

const demoId = (number: number) => `00000000-0000-7000-8000-00000000000${number}`
export const DEMO_TENANT = demoId(1)
export const DEMO_PRODUCT = demoId(2)
export const DEMO_USER = demoId(3)
export const DEMO_CARD = demoId(4)

/** The data of the demo tenant in sandbox.json, besides its key. */
export const demoTenant = {
  id: DEMO_TENANT,
  name: 'Demo',
  currency: 'AED',
  card_product_id: DEMO_PRODUCT,
}

/** Ids of the rows of test cards. */
export const testCardId = (number: number) => `00000000-0000-7000-8000-0000000000c${number}`
export const TEST_PRODUCT = testCardId(0)
/** Its issuer asks for a one-time code (D-740). */
export const ASKING_PRODUCT = testCardId(6)
export const TEST_PRODUCTS: readonly string[] = [TEST_PRODUCT, ASKING_PRODUCT]

/** The file with addresses and keys of the sandbox. */
export const sandboxPath = (data_dir: string): string => join(data_dir, 'sandbox.json')
