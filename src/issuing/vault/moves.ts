/** Moves key sets from software to a security module, one transaction each (D-1010). */

import { raiseProductVersion } from '#issuing/versions/versions.ts'
import { type Context, transact } from '#kit/context.ts'
import { StartError } from '#kit/start_error.ts'
import { Secret } from '#lib/secret.ts'
import { openKeySet, sealKeySet, withAavBesideOthers } from './key_sets.ts'
import type { CardCryptography, ModuleCarrier } from './provider.ts'
import { blockKeys, isInSoftware, keyUses } from './rules/key_blocks.ts'
import { lockKeySet, updateKeySet } from './store.ts'

/**
 * Moves the keys of a product; those that are in the module stay as they are. False if all were.
 * Throws a StartError if the module does not take a key, or shows another check value.
 */
export function moveKeySet(
  ctx: Context,
  card_product_id: string,
  software: CardCryptography,
  carrier: ModuleCarrier,
): Promise<boolean> {
  return transact(ctx, async (tx) => {
    const row = await lockKeySet(tx, card_product_id)
    if (!row) return false
    const kept = openKeySet(tx, row)
    const moved = { ...kept }
    for (const name of [...blockKeys, 'kbpk'] as const) {
      const key = kept[name]
      if (key === null || !isInSoftware(key)) continue
      const use = name === 'kbpk' ? 'TRANSPORT' : keyUses[name]
      const brought = await carrier.carry(use, new Secret(key))
      if (brought === undefined && name === 'zpk_aes') {
        moved.zpk_aes = null
        continue
      }
      const { check_value } = software.open(use, key)
      if (!brought?.ok || !brought.key.startsWith(`${check_value}:`)) {
        const reason = brought?.ok ? 'shows another check value for' : 'does not take'
        const fault = brought?.ok === false ? ` (it ${brought.fault})` : ''
        throw new StartError(
          `the security module ${reason} the key ${name} of card product ` +
            `${card_product_id}${fault}`,
        )
      }
      moved[name] = brought.key
    }
    const after = await withAavBesideOthers(tx, moved)
    const names = [...blockKeys, 'kbpk', 'aav', 'aav_mac'] as const
    if (names.every((name) => after[name] === kept[name])) return false
    await raiseProductVersion(tx, card_product_id)
    await updateKeySet(tx, sealKeySet(tx, card_product_id, row.version + 1, after))
    return true
  })
}
