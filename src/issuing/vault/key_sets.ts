/** The keys of products: random, sealed in the database, prepared once in a process. */

import { randomBytes } from 'node:crypto'
import type { DateOrder } from '#cvv/cvv.ts'
import { raiseProductVersion } from '#issuing/versions/versions.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { AesKey, checkValueOf, TdesKey, withOddParity } from '#lib/ciphers.ts'
import { ApiError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import { bindingOfKeySet } from './rules/bindings.ts'
import type { InstalledKeys, KeySet, ProductKeys, TestKeys } from './schema.ts'
import { insertKeySet, listKeySets, lockKeySet, type SealedKeySet, updateKeySet } from './store.ts'

/** The content that is sealed: keys in hex. */
export type ClearKeys = {
  /** Key block protection key; null if the operator has set none. */
  kbpk: string | null
  cvk: string
  pvk: string
  pvki: string
  /** Null if cards of the product have no chip. */
  imk_ac: string | null
  imk_smi: string
  imk_smc: string
  zpk: string
  zpk_aes: string
  cvv2_date_order: DateOrder
}

const TDES_BYTES = 16
const AES_BYTES = 32
/** Products whose prepared keys a process caches; each needs a few kilobytes. */
const PREPARED_MAX = 1_000

type Prepared = { sealed: Buffer; keySet: KeySet }

/** Key sets by tenant and product. An entry is used only while the stored bytes are the same. */
const prepared = new Map<string, Prepared>()

/** Creates the keys of a new product. */
export async function createKeySet(tx: Tx, card_product_id: string): Promise<void> {
  const tdes = () => withOddParity(randomBytes(TDES_BYTES)).toString('hex')
  const clear: ClearKeys = {
    kbpk: null,
    cvk: tdes(),
    pvk: tdes(),
    pvki: '1',
    imk_ac: tdes(),
    imk_smi: tdes(),
    imk_smc: tdes(),
    zpk: tdes(),
    zpk_aes: randomBytes(AES_BYTES).toString('hex'),
    cvv2_date_order: 'YYMM',
  }
  await insertKeySet(tx, seal(tx, card_product_id, 1, clear))
}

/**
 * The keys of these products, by product; one that does not exist is missing. One statement, and
 * keys are opened and prepared only when they have changed since this process last read them.
 */
export async function keySets(
  ctx: Context,
  card_product_ids: readonly string[],
): Promise<Map<string, KeySet>> {
  const rows = await listKeySets(ctx, card_product_ids)
  return new Map(rows.map((row) => [row.card_product_id, preparedOf(ctx, row)]))
}

/** The check values of a product's keys. Throws `not_found` if there is no such product. */
export async function describeKeys(ctx: Context, card_product_id: string): Promise<ProductKeys> {
  const [row] = await listKeySets(ctx, [card_product_id])
  if (!row) throw new ApiError('not_found')
  const { kbpk } = open(ctx, row)
  const installed = installedKeys(row.card_product_id, preparedOf(ctx, row))
  return { ...installed, protection_key_set: kbpk !== null }
}

/**
 * Installs known test keys for a product (D-71); keys not sent are unchanged.
 */
export function installTestKeys(
  ctx: Context | Tx,
  card_product_id: string,
  input: TestKeys,
): Promise<InstalledKeys> {
  const keys = keysIn(input)
  return transact(ctx, (tx) => changeKeySet(tx, card_product_id, () => keys))
}

/**
 * Changes keys of a product; `change` gets those of now. 404 for no such product. Decisions that
 * were made on the earlier keys are not written any more.
 */
export async function changeKeySet(
  tx: Tx,
  card_product_id: string,
  change: (before: ClearKeys) => Partial<ClearKeys>,
): Promise<InstalledKeys> {
  const before = await lockKeySet(tx, card_product_id)
  if (!before) throw new ApiError('not_found')
  const opened = open(tx, before)
  const clear: ClearKeys = { ...opened, ...change(opened) }
  const after = seal(tx, before.card_product_id, before.version + 1, clear)
  await raiseProductVersion(tx, before.card_product_id)
  await updateKeySet(tx, after)
  return installedKeys(before.card_product_id, prepare(after.version, clear))
}

/** The keys by their names; a CVK that was sent in halves is joined. */
function keysIn({ cvk_a, cvk_b, ...named }: TestKeys): Partial<ClearKeys> {
  if (cvk_a === undefined && cvk_b === undefined) return named
  if (named.cvk !== undefined) throw invalid('cvk', 'must be sent whole or as cvk_a and cvk_b')
  if (cvk_a === undefined) throw invalid('cvk_a', 'is required with cvk_b')
  if (cvk_b === undefined) throw invalid('cvk_b', 'is required with cvk_a')
  return { ...named, cvk: cvk_a + cvk_b }
}

function installedKeys(card_product_id: string, keySet: KeySet): InstalledKeys {
  const { version, pvki, cvv2_date_order, cvk, pvk, imk_ac, zpk, zpk_aes } = keySet
  const { imk_smi, imk_smc } = keySet
  const check_values = {
    cvk: checkValueOf(cvk),
    pvk: checkValueOf(pvk),
    ...(imk_ac && { imk_ac: checkValueOf(imk_ac) }),
    imk_smi: checkValueOf(imk_smi),
    imk_smc: checkValueOf(imk_smc),
    zpk: checkValueOf(zpk),
    zpk_aes: checkValueOf(zpk_aes),
  }
  return { card_product_id, version, pvki, cvv2_date_order, check_values }
}

function preparedOf(ctx: Context, row: SealedKeySet): KeySet {
  const name = `${ctx.tenant_id}:${row.card_product_id}`
  const known = prepared.get(name)
  if (known?.sealed.equals(row.sealed)) return known.keySet
  const keySet = prepare(row.version, open(ctx, row))
  prepared.delete(name)
  const [oldest] = prepared.keys()
  if (oldest !== undefined && prepared.size >= PREPARED_MAX) prepared.delete(oldest)
  prepared.set(name, { sealed: row.sealed, keySet })
  return keySet
}

function prepare(version: number, clear: ClearKeys): KeySet {
  const tdes = (hex: string) => new TdesKey(new Secret(Buffer.from(hex, 'hex')))
  return {
    version,
    cvk: tdes(clear.cvk),
    pvk: tdes(clear.pvk),
    pvki: clear.pvki,
    imk_ac: clear.imk_ac === null ? undefined : tdes(clear.imk_ac),
    imk_smi: tdes(clear.imk_smi),
    imk_smc: tdes(clear.imk_smc),
    zpk: tdes(clear.zpk),
    zpk_aes: new AesKey(new Secret(Buffer.from(clear.zpk_aes, 'hex'))),
    cvv2_date_order: clear.cvv2_date_order,
  }
}

function seal(
  { keys, tenant_id }: Context,
  card_product_id: string,
  version: number,
  clear: ClearKeys,
): SealedKeySet {
  const bind = bindingOfKeySet({ tenant_id, card_product_id, version })
  const sealed = keys.seal('keysets', Buffer.from(JSON.stringify(clear)), bind)
  return { card_product_id, version, sealed }
}

/** The authentication tag proves that `seal` wrote the bytes. */
function open({ keys, tenant_id }: Context, { sealed, ...row }: SealedKeySet): ClearKeys {
  const bind = bindingOfKeySet({ tenant_id, ...row })
  return JSON.parse(keys.open('keysets', sealed, bind).toString())
}
