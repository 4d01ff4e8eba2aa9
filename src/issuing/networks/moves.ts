/** Moves the keys of networks from software to a security module (D-1010). */

import { type CardCryptography, isInSoftware, type ModuleCarrier } from '#issuing/vault/vault.ts'
import type { Db } from '#kit/db/database.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import { StartError } from '#kit/start_error.ts'
import { Secret } from '#lib/secret.ts'
import { algorithmOf, keptIn, keyUseOf } from './cryptography.ts'
import { bindingOfNetworkKey, type KeyRow, listAllKeyRows, updateSealedKey } from './store.ts'

type Parts = { db: Db; keys: Keyring; software: CardCryptography; carrier: ModuleCarrier }

/**
 * Those that are in the module stay as they are; returns how many were moved. Throws a StartError
 * if the module does not take a key, or shows another check value.
 */
export async function moveNetworkKeys(parts: Parts): Promise<number> {
  const { db, keys } = parts
  let moved = 0
  for (const row of await listAllKeyRows(db)) {
    const bind = bindingOfNetworkKey(row)
    const stored = keys.open('keysets', row.sealed, bind).toString()
    if (!isInSoftware(keptIn(stored))) continue
    const kept = await carried(parts, row, stored)
    const sealed = keys.seal('keysets', Buffer.from(`${algorithmOf(stored)}${kept}`), bind)
    await updateSealedKey(db, { id: row.id, sealed })
    moved += 1
  }
  return moved
}

async function carried(
  { software, carrier }: Parts,
  row: KeyRow & { network: string },
  stored: string,
): Promise<string> {
  const use = keyUseOf(row.use, algorithmOf(stored))
  const { check_value } = software.open(use, keptIn(stored))
  const brought = await carrier.carry(use, new Secret(keptIn(stored)))
  if (brought?.ok && brought.key.startsWith(`${check_value}:`)) return brought.key
  const reason = brought?.ok ? 'shows another check value for' : 'does not take'
  throw new StartError(`the security module ${reason} a ${row.use} of network ${row.network}`)
}
