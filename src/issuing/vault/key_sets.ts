/** The keys of products: random, sealed in the database, prepared once in a process. */

import { createSecretKey, randomBytes } from 'node:crypto'
import { AAV_MS } from '#cvv/aav.ts'
import type { DateOrder } from '#cvv/cvv.ts'
import { raiseProductVersion } from '#issuing/versions/versions.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { ApiError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import type { KeptKey } from './provider.ts'
import { bindingOfKeySet } from './rules/bindings.ts'
import { type BlockKeyName, blockKeys, isInSoftware, keyUses } from './rules/key_blocks.ts'
import type { InstalledKeys, KeySet, ProductKeys, TestKeys } from './schema.ts'
import {
  insertKeySet,
  listKeySets,
  lockKeySet,
  type PlacedKeySet,
  type SealedKeySet,
  updateKeySet,
} from './store.ts'

/** The content that is sealed: keys as their custody has them stored. */
export type KeptKeys = {
  /** Key block protection key; null if the operator has set none. */
  kbpk: KeptKey | null
  cvk: KeptKey
  pvk: KeptKey
  pvki: string
  /** Null if cards of the product have no chip. */
  imk_ac: KeptKey | null
  imk_smi: KeptKey
  imk_smc: KeptKey
  zpk: KeptKey
  /** Null in a module whose keys are in the variant scheme: it has none of AES. */
  zpk_aes: KeptKey | null
  cvv2_date_order: DateOrder
  /** Makes AAVs of a product whose keys are in software; in hex. */
  aav?: string
  /** The last time of AAVs that were made before the keys were moved to a module. */
  aav_until?: string
  /** Makes AAVs in a module: a ZAK, since no module makes an HMAC (D-1372). */
  aav_mac?: KeptKey
}

const AAV_KEY_BYTES = 32

/** Products whose prepared keys a process caches; each needs a few kilobytes. */
const PREPARED_MAX = 1_000

type Prepared = { sealed: Buffer; keySet: KeySet }

/** Key sets by tenant and product. An entry is used only while the stored bytes are the same. */
const prepared = new Map<string, Prepared>()

/** Creates the keys of a new product. */
export async function createKeySet(tx: Tx, card_product_id: string): Promise<void> {
  const make = async (name: BlockKeyName) => {
    const made = await tx.custody.make(keyUses[name])
    if (made === undefined) throw new Error(`the custody makes no key ${name}`)
    return made
  }
  const [cvk, pvk, imk_ac, imk_smi, imk_smc, zpk, zpk_aes] = await Promise.all([
    make('cvk'),
    make('pvk'),
    make('imk_ac'),
    make('imk_smi'),
    make('imk_smc'),
    make('zpk'),
    tx.custody.make('ZPK_AES'),
  ])
  const tdes = { cvk, pvk, imk_ac, imk_smi, imk_smc, zpk }
  const kept: KeptKeys = {
    ...{ kbpk: null, ...tdes, zpk_aes: zpk_aes ?? null },
    ...{ pvki: '1', cvv2_date_order: 'YYMM', ...(await newAavKey(tx, cvk)) },
  }
  await insertKeySet(tx, sealKeySet(tx, card_product_id, 1, kept))
}

/** In the custody of another key of the product. */
async function newAavKey({ custody }: Tx, beside: KeptKey): Promise<Partial<KeptKeys>> {
  if (isInSoftware(beside)) return { aav: randomBytes(AAV_KEY_BYTES).toString('hex') }
  const aav_mac = await custody.make('ZAK')
  if (aav_mac === undefined) throw new Error('the custody makes no key of AAVs')
  return { aav_mac }
}

/**
 * The keys with that of AAVs where the others are: one in software gives way to one of the module.
 * It has made values that payments still bring, and is deleted once these are late.
 */
export async function withAavBesideOthers(tx: Tx, kept: KeptKeys): Promise<KeptKeys> {
  const { aav, aav_until, ...others } = kept
  if (aav === undefined || isInSoftware(kept.cvk)) return kept
  const module = others.aav_mac === undefined ? await newAavKey(tx, kept.cvk) : {}
  const until = aav_until ?? new Date(tx.now.getTime() + AAV_MS).toISOString()
  const isOver = new Date(until) <= tx.now
  return { ...others, ...module, ...(!isOver && { aav, aav_until: until }) }
}

/** Gives a product of an earlier version the key of its AAVs. 404 for no such product. */
export async function keepAavKey(tx: Tx, card_product_id: string): Promise<void> {
  const keySet = (await keySets(tx, [card_product_id])).get(card_product_id)
  if (keySet?.aav ?? keySet?.aav_mac) return
  await changeKeySet(tx, card_product_id, async ({ cvk, aav, aav_mac }) =>
    aav === undefined && aav_mac === undefined ? newAavKey(tx, cvk) : {},
  )
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
  const { kbpk } = openKeySet(ctx, row)
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
  return transact(ctx, (tx) =>
    changeKeySet(tx, card_product_id, async () => ({ ...keys, ...(await broughtIn(tx, keys)) })),
  )
}

/** The keys among these as the custody keeps them. */
async function broughtIn({ custody }: Tx, keys: Partial<KeptKeys>): Promise<Partial<KeptKeys>> {
  const brought: Partial<KeptKeys> = {}
  for (const name of blockKeys) {
    const hex = keys[name]
    if (hex === undefined || hex === null) continue
    const outcome = await custody.bringClear(keyUses[name], new Secret(hex))
    if (!outcome.ok) throw invalid(name, outcome.fault)
    brought[name] = outcome.key
  }
  return brought
}

/**
 * Changes keys of a product; `change` gets those of now. 404 for no such product. Decisions that
 * were made on the earlier keys are not written any more.
 */
export async function changeKeySet(
  tx: Tx,
  card_product_id: string,
  change: (before: KeptKeys) => Promise<Partial<KeptKeys>>,
): Promise<InstalledKeys> {
  const before = await lockKeySet(tx, card_product_id)
  if (!before) throw new ApiError('not_found')
  const opened = openKeySet(tx, before)
  const kept = await withAavBesideOthers(tx, { ...opened, ...(await change(opened)) })
  const after = sealKeySet(tx, before.card_product_id, before.version + 1, kept)
  await raiseProductVersion(tx, before.card_product_id)
  await updateKeySet(tx, after)
  return installedKeys(before.card_product_id, prepare(tx, after.version, kept))
}

/** The keys by their names; a CVK that was sent in halves is joined. */
function keysIn({ cvk_a, cvk_b, ...named }: TestKeys): Partial<KeptKeys> {
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
    cvk: cvk.check_value,
    pvk: pvk.check_value,
    ...(imk_ac && { imk_ac: imk_ac.check_value }),
    imk_smi: imk_smi.check_value,
    imk_smc: imk_smc.check_value,
    zpk: zpk.check_value,
    ...(zpk_aes && { zpk_aes: zpk_aes.check_value }),
  }
  return { card_product_id, version, pvki, cvv2_date_order, check_values }
}

function preparedOf(ctx: Context, row: SealedKeySet): KeySet {
  const name = `${ctx.tenant_id}:${row.card_product_id}`
  const known = prepared.get(name)
  if (known?.sealed.equals(row.sealed)) return known.keySet
  const keySet = prepare(ctx, row.version, openKeySet(ctx, row))
  prepared.delete(name)
  const [oldest] = prepared.keys()
  if (oldest !== undefined && prepared.size >= PREPARED_MAX) prepared.delete(oldest)
  prepared.set(name, { sealed: row.sealed, keySet })
  return keySet
}

function prepare({ custody }: Context, version: number, kept: KeptKeys): KeySet {
  const { pvki, cvv2_date_order, imk_ac, zpk_aes, aav, aav_until, aav_mac } = kept
  const until = aav_until === undefined ? undefined : new Date(aav_until)
  const use = (name: Exclude<BlockKeyName, 'imk_ac' | 'zpk_aes'>) =>
    custody.open(keyUses[name], kept[name])
  return {
    version,
    cvk: use('cvk'),
    pvk: use('pvk'),
    pvki,
    imk_ac: imk_ac === null ? undefined : custody.open('IMK_AC', imk_ac),
    imk_smi: use('imk_smi'),
    imk_smc: use('imk_smc'),
    zpk: use('zpk'),
    zpk_aes: zpk_aes === null ? undefined : custody.open('ZPK_AES', zpk_aes),
    cvv2_date_order,
    ...(aav !== undefined && { aav: { key: createSecretKey(aav, 'hex'), until } }),
    ...(aav_mac !== undefined && { aav_mac: custody.open('ZAK', aav_mac) }),
  }
}

export function sealKeySet(
  { keys, tenant_id }: Context,
  card_product_id: string,
  version: number,
  kept: KeptKeys,
): PlacedKeySet {
  const bind = bindingOfKeySet({ tenant_id, card_product_id, version })
  const sealed = keys.seal('keysets', Buffer.from(JSON.stringify(kept)), bind)
  const isLeft = kept.aav !== undefined && kept.aav_until === undefined
  const isOwn =
    isLeft || [...blockKeys, 'kbpk' as const].some((name) => isInSoftware(kept[name] ?? ':'))
  return { card_product_id, version, sealed, custody: isOwn ? 'SOFTWARE' : 'MODULE' }
}

/** The authentication tag proves that `sealKeySet` wrote the bytes. */
export function openKeySet(
  { keys, tenant_id }: Context,
  { sealed, ...row }: SealedKeySet,
): KeptKeys {
  const bind = bindingOfKeySet({ tenant_id, ...row })
  return JSON.parse(keys.open('keysets', sealed, bind).toString())
}
