import { route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import {
  InstalledKeys,
  KeyBlock,
  ProductKeys,
  ProductKeysPath,
  ProtectionKey,
  SetProtectionKey,
  TestKeys,
} from './schema.ts'
import { holdKeys, importKey, installTestKeys, readKeys, setProtectionKey } from './vault.ts'

export const vaultRoutes = [
  route({
    id: 'installTestKeys',
    tag: 'Simulation',
    description:
      'Replaces keys of a card product with known test keys and answers their check values. Keys ' +
      'that are left out are unchanged. Existing cards use the new keys at once; after a change ' +
      'of `pvk` or `pvki` a PIN that was set before does not verify. Sandbox only.',
    method: 'PUT',
    path: '/simulate/cardproducts/{id}/keys',
    permission: 'write',
    sandbox: true,
    summary: 'Install test keys for a card product',
    params: IdPath,
    body: TestKeys,
    answer: InstalledKeys,
    errors: ['not_found'],
    object: {
      schema: ProductKeys,
      read: (tx, { params }) => holdKeys(tx, tx.tenant_id, params.id),
    },
    run: (ctx, { params, body }) => installTestKeys(ctx, params.id, body),
  }),
  route({
    id: 'setKeyBlockProtectionKeyAsOperator',
    tag: 'Operator',
    description:
      'Sets the key that protects the key blocks of a card product, in place of an earlier one, ' +
      'and answers its check values. The key cannot be read.',
    method: 'PUT',
    path: '/operator/tenants/{id}/cardproducts/{card_product_id}/keyblockprotectionkey',
    permission: 'operator',
    summary: 'Set the key block protection key',
    params: ProductKeysPath,
    body: SetProtectionKey,
    answer: ProtectionKey,
    errors: ['not_found', 'key_by_module_only'],
    object: {
      schema: ProductKeys,
      read: (tx, { params }) => holdKeys(tx, params.id, params.card_product_id),
    },
    run: (ctx, { params, body }) => setProtectionKey(ctx, params.id, params.card_product_id, body),
  }),
  route({
    id: 'getKeysAsOperator',
    tag: 'Operator',
    description:
      'Returns the check values of the keys of a card product, and whether its key block ' +
      'protection key is set. No operation returns a key.',
    method: 'GET',
    path: '/operator/tenants/{id}/cardproducts/{card_product_id}/keys',
    permission: 'operator',
    summary: 'Get the check values of keys',
    params: ProductKeysPath,
    answer: ProductKeys,
    errors: ['not_found'],
    lock: (tx, { id, card_product_id }) => holdKeys(tx, id, card_product_id),
    run: (ctx, { params }) => readKeys(ctx, params.id, params.card_product_id),
  }),
  route({
    id: 'importKeyAsOperator',
    tag: 'Operator',
    description:
      'Replaces one key of a card product by that of a key block (TR-31) and answers the check ' +
      'values of its keys. The usage in the block has to be that of the key: imk_ac E0, imk_smc ' +
      'E1, imk_smi E2, cvk C0, pvk V2, zpk and zpk_aes P0.',
    method: 'POST',
    path: '/operator/tenants/{id}/cardproducts/{card_product_id}/keys',
    permission: 'operator',
    summary: 'Import a key of a card product',
    params: ProductKeysPath,
    body: KeyBlock,
    answer: InstalledKeys,
    errors: ['not_found', 'key_block_protection_key_missing'],
    run: (ctx, { params, body }) => importKey(ctx, params.id, params.card_product_id, body),
  }),
]
