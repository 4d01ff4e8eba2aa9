/** Keys that the operator brings in by key blocks (TR-31, D-450). */

import { withinTenant } from '#issuing/tenants/tenants.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { AesKey, checkValueOf, TdesKey } from '#lib/ciphers.ts'
import { ApiError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import { changeKeySet, describeKeys } from './key_sets.ts'
import type { KeptKey } from './provider.ts'
import { joinedComponents, keyUses } from './rules/key_blocks.ts'
import type {
  InstalledKeys,
  KeyBlock,
  ProductKeys,
  ProtectionKey,
  SetProtectionKey,
} from './schema.ts'
import { lockKeySet } from './store.ts'

const AES_BYTES = 32

/**
 * Sets the key block protection key of a product, in place of an earlier one. Answers its check
 * values; the key itself stays in the vault.
 */
export function setProtectionKey(
  ctx: Context | Tx,
  tenant_id: string,
  card_product_id: string,
  { components, key: own }: SetProtectionKey,
): Promise<ProtectionKey> {
  return transact(ctx, async (tx) => {
    const within = await withinTenant(tx, tenant_id)
    const { key, check_values } = own
      ? await keyOfModule(within, new Secret(own))
      : await joinedKey(within, components ?? [])
    const change = async () => ({ kbpk: key })
    const { card_product_id: id } = await changeKeySet(within, card_product_id, change)
    return { card_product_id: id, check_values }
  })
}

type FoundKey = { key: KeptKey; check_values: ProtectionKey['check_values'] }

/** A key that only a module has in the clear. */
async function keyOfModule({ custody }: Tx, text: Secret): Promise<FoundKey> {
  const brought = await custody.bringOwn('TRANSPORT', text)
  if (!brought.ok) throw invalid('key', brought.fault)
  const { check_value } = custody.open('TRANSPORT', brought.key)
  const isAes = /^S.{7}A/.test(text.reveal())
  return { key: brought.key, check_values: isAes ? { aes: check_value } : { tdes: check_value } }
}

async function joinedKey({ custody }: Tx, components: readonly string[]): Promise<FoundKey> {
  const parts = components.map((component) => Buffer.from(component, 'hex'))
  if (parts.some(({ length }) => length !== parts[0]?.length)) {
    throw invalid('components', 'must have one length')
  }
  const joined = joinedComponents(parts)
  const brought = await custody.bringClear('TRANSPORT', new Secret(joined.toString('hex')))
  if (!brought.ok) throw invalid('components', brought.fault)
  const { key } = brought
  const aes = checkValueOf(new AesKey(new Secret(joined)))
  if (joined.length === AES_BYTES) return { key, check_values: { aes } }
  return { key, check_values: { tdes: checkValueOf(new TdesKey(new Secret(joined))), aes } }
}

/** The check values of a product's keys, and whether keys can be imported. */
export async function readKeys(
  ctx: Context,
  tenant_id: string,
  card_product_id: string,
): Promise<ProductKeys> {
  return describeKeys(await withinTenant(ctx, tenant_id), card_product_id)
}

/** The same, and no other request changes them until the transaction ends. */
export async function holdKeys(
  tx: Tx,
  tenant_id: string,
  card_product_id: string,
): Promise<ProductKeys> {
  await lockKeySet(await withinTenant(tx, tenant_id), card_product_id)
  return readKeys(tx, tenant_id, card_product_id)
}

/** Replaces one key of a product by that of a key block. 400 for one that is not for this key. */
export function importKey(
  ctx: Context | Tx,
  tenant_id: string,
  card_product_id: string,
  { name: key, key_block }: KeyBlock,
): Promise<InstalledKeys> {
  return transact(ctx, async (tx) => {
    const within = await withinTenant(tx, tenant_id)
    return changeKeySet(within, card_product_id, async ({ kbpk }) => {
      if (kbpk === null) throw new ApiError('key_block_protection_key_missing')
      const { custody } = within
      const transport = custody.open('TRANSPORT', kbpk)
      const brought = await custody.bringBlock(keyUses[key], key_block, transport)
      if (!brought.ok) throw invalid('key_block', brought.fault)
      return { [key]: brought.key }
    })
  })
}
