/** A request for every operation of chips and of the keys of products. */

import { KEY_BLOCK, PROTECTION_KEY } from '../network/key_blocks.ts'
import type { SampleOf, Samples } from './sample.ts'

const OF_TENANT = '/v1/operator/tenants/{id}'
const KEYS_OF_PRODUCT = `${OF_TENANT}/cardproducts/{card_product_id}`
const ofKeys =
  (body?: Record<string, unknown>): SampleOf =>
  ({ ids }) => ({
    params: { id: ids.tenant, card_product_id: ids.card_product },
    ...(body && { body }),
  })
const ofChip =
  (body?: Record<string, unknown>): SampleOf =>
  ({ ids }) => ({ params: { id: ids.tenant, card_id: ids.card }, ...(body && { body }) })

export const ofChips: Samples = {
  [`PUT ${KEYS_OF_PRODUCT}/keyblockprotectionkey`]: ofKeys({ components: [PROTECTION_KEY] }),
  [`GET ${KEYS_OF_PRODUCT}/keys`]: ofKeys(),
  [`POST ${KEYS_OF_PRODUCT}/keys`]: ofKeys({ name: 'zpk', key_block: KEY_BLOCK }),
  [`POST ${OF_TENANT}/cards/{card_id}:script`]: ofChip({ script: 'UNBLOCK_PIN' }),
  [`GET ${OF_TENANT}/cards/{card_id}/chip`]: ofChip(),
}
