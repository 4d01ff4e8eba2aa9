/**
 * Public functions of the vault: card numbers and keys. It returns numbers as Secrets and stores
 * them sealed, with a keyed digest for the lookup.
 */

import { SERVICE_CODE_CVV2 } from '#cvv/cvv.ts'
import type { Context, Tx } from '#kit/context.ts'
import type { Write } from '#kit/db/write.ts'
import { AesKey } from '#lib/ciphers.ts'
import { ApiError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import { type NumberOwner, NumberOwners, numberDigest } from './number_owners.ts'
import { bindingOfNumber } from './rules/bindings.ts'
import { panOf } from './rules/numbers.ts'
import { permute, type Scramble } from './rules/permutation.ts'
import type { KeySet } from './schema.ts'
import {
  claimNumbers,
  findRange,
  insertPans,
  insertRange,
  listSealedPans,
  lockRange,
  type Range,
  type RangeKind,
  updateRange,
} from './store.ts'

export { holdKeys, importKey, readKeys, setProtectionKey } from './key_blocks.ts'
export { createKeySet, installTestKeys, keepAavKey, keySets } from './key_sets.ts'
export { moveKeySet } from './moves.ts'
export { movingCustody } from './moving.ts'
export { type NumberOwner, NumberOwners } from './number_owners.ts'
export {
  findMailedPins,
  findPins,
  listCardsOfLongPins,
  lockFreePins,
  lockPins,
  saveMailedPins,
  savePin,
  savePinFailures,
} from './pins.ts'
export type {
  CardCryptography,
  CardKey,
  Inquiry,
  KeptKey,
  KeyUse,
  ModuleCarrier,
  PinVerification,
  Proofs,
  Proved,
} from './provider.ts'
export { isInSoftware } from './rules/key_blocks.ts'
export { bodyLength, PAN_LENGTH } from './rules/numbers.ts'
export { softwareCustody } from './software/software.ts'
export {
  deleteMailedPin,
  listLooseNumbers as auditVault,
  listProductsWithKeys,
  sealedInVault,
} from './store.ts'

/** The public parts of a number: its BIN (6 to 8 digits) and its last four digits. */
export type IssuedNumber = { card_id: string; bin: string; last_four: string }

/** The most numbers that one call issues: those of one bulk issuance. */
export const NUMBERS_MAX = 5_000

/**
 * Opens the range that a product takes the numbers of its cards from, or of the wallet tokens of
 * its cards. Nothing else may overlap it.
 */
export async function createRange(tx: Tx, range: Range, kind: RangeKind = 'CARD'): Promise<void> {
  await insertRange(tx, { ...range, kind })
}

/** How many numbers the product has taken. No other can be taken until the transaction ends. */
export async function numbersTaken(tx: Tx, card_product_id: string): Promise<bigint> {
  return lockRange(tx, card_product_id)
}

/** Gives the product another range; only after `numbersTaken` returned 0. */
export async function moveRange(tx: Tx, range: Range): Promise<void> {
  await updateRange(tx, range)
}

/** The holders of new numbers: cards of a product, or one token of a card of it. */
export type NumberHolders = { card_product_id: string } & (
  | { card_ids: readonly string[] }
  | { token_id: string; token_of: string }
)

/**
 * Issues each card its own number from the product's range, in a secret order (D-37), for 1 to
 * 5,000 cards in two statements; or one to a token from the range of the product's tokens (D-39).
 * All or none: fails when fewer are left, or when one of them has a number. Call it last: the
 * range stays locked until the transaction ends.
 */
export async function issueNumbers(tx: Tx, holders: NumberHolders): Promise<IssuedNumber[]> {
  const { card_product_id } = holders
  const card_ids = 'card_ids' in holders ? holders.card_ids : [holders.token_id]
  const token_of = 'card_ids' in holders ? null : holders.token_of
  const kind = token_of === null ? 'CARD' : 'TOKEN'
  const numbered = await takeNumbers(tx, card_product_id, card_ids, kind)
  await saveNumbers(tx, numbered, token_of).start()
  return numbered.map(({ card_id, bin, last_four }) => ({ card_id, bin, last_four }))
}

/** The same without storing them: the caller gives them to `saveNumbers` in this transaction. */
export async function takeNumbers(
  tx: Tx,
  card_product_id: string,
  card_ids: readonly string[],
  kind: RangeKind = 'CARD',
): Promise<ReservedNumber[]> {
  if (card_ids.length < 1 || card_ids.length > NUMBERS_MAX) throw new RangeError('card_ids')
  const taken = await claimNumbers(tx, { card_product_id, kind }, card_ids.length)
  if (!taken) throw new ApiError('pan_range_exhausted')
  return numbersFrom(tx, taken, kind, taken.next, card_ids)
}

/**
 * Takes `count` numbers of the product's range, all or none, for cards that are issued afterwards;
 * returns the position of the first. Fails with `pan_range_exhausted`, with how many are needed and
 * available. Call it last: the range stays locked until the transaction ends.
 */
export async function reserveNumbers(
  tx: Tx,
  card_product_id: string,
  count: number,
): Promise<bigint> {
  if (count < 1 || count > NUMBERS_MAX) throw new RangeError('count')
  const taken = await claimNumbers(tx, { card_product_id, kind: 'CARD' }, count)
  if (taken) return taken.next
  const { range_start, range_end, next } = await findRange(tx, card_product_id)
  const left = Number(range_end - range_start + 1n - next)
  throw new ApiError('pan_range_exhausted', {
    detail: `The range has ${left} numbers left, ${count} are needed.`,
    extra: { needed: count, available: left },
  })
}

/** A number reserved for a card: `saveNumbers` writes it. */
export type ReservedNumber = IssuedNumber & { pan: Secret }

/** The numbers that were reserved from position `first` on, for these cards. One statement. */
export async function reservedNumbers(
  ctx: Context,
  card_product_id: string,
  first: bigint,
  card_ids: readonly string[],
): Promise<ReservedNumber[]> {
  const range = await findRange(ctx, card_product_id)
  return numbersFrom(ctx, range, 'CARD', first, card_ids)
}

/** Seals and stores numbers; fails when one of the cards has a number. */
export function saveNumbers(
  tx: Tx,
  numbers: readonly ReservedNumber[],
  token_of: string | null = null,
): Write {
  const { keys, tenant_id } = tx
  return insertPans(
    tx,
    numbers.map(({ card_id, pan }) => ({
      card_id,
      token_of,
      sealed: keys.seal(
        'cards',
        Buffer.from(pan.reveal()),
        bindingOfNumber({ tenant_id, card_id }),
      ),
      digest: numberDigest(tx, pan),
    })),
  )
}

function numbersFrom(
  ctx: Context,
  { card_product_id, bin, range_start, range_end }: Range,
  kind: RangeKind,
  first: bigint,
  card_ids: readonly string[],
): ReservedNumber[] {
  const size = Number(range_end - range_start) + 1
  const scramble = scrambleOf(ctx, card_product_id, kind)
  return card_ids.map((card_id, at) => {
    const place = permute(Number(first) + at, size, scramble)
    const pan = panOf(bin, range_start + BigInt(place))
    return { card_id, pan, bin, last_four: pan.reveal().slice(-4) }
  })
}

/** The number of a card of the tenant. Throws when there is none: every card has one. */
export async function revealNumber(ctx: Context, card_id: string): Promise<Secret> {
  const number = (await revealNumbers(ctx, [card_id])).get(card_id.toLowerCase())
  if (!number) throw new Error(`card ${card_id} has no number`)
  return number
}

/** The numbers of these cards of the tenant, by card. One statement. */
export async function revealNumbers(
  ctx: Context,
  card_ids: readonly string[],
): Promise<Map<string, Secret>> {
  const { keys, tenant_id } = ctx
  const rows = await listSealedPans(ctx, card_ids)
  return new Map(
    rows.map(({ card_id, sealed }) => [
      card_id,
      new Secret(keys.open('cards', sealed, bindingOfNumber({ tenant_id, card_id })).toString()),
    ]),
  )
}

/** The owners of numbers, as NumberOwners has it, for those that ask for few. */
export const findCardsByNumber = (
  ctx: Context,
  pans: readonly Secret[],
): Promise<(NumberOwner | undefined)[]> => new NumberOwners().find(ctx, pans)

/** Three digits. `expiry_date` is the card's, YYYY-MM. Computed each time and never stored. */
export const cvv2Of = (ctx: Context, keySet: KeySet, pan: Secret, expiry_date: string) =>
  ctx.custody.cvv(cvv2Data(keySet, pan, expiry_date))

/** Whether this is the CVV2 of the card. */
export const isCvv2 = (ctx: Context, keySet: KeySet, card: Cvv2Card, value: Secret) =>
  ctx.custody.isCvv({ ...cvv2Data(keySet, card.pan, card.expiry_date), value })

type Cvv2Card = { pan: Secret; expiry_date: string }

const cvv2Data = ({ cvk, cvv2_date_order }: KeySet, pan: Secret, expiry_date: string) => ({
  cvk,
  pan,
  expiry_yymm: expiry_date.slice(2, 4) + expiry_date.slice(5, 7),
  service_code: SERVICE_CODE_CVV2,
  date_order: cvv2_date_order,
})

/** Each product has its own order, so that one range discloses nothing of another. */
function scrambleOf(
  { keys, tenant_id }: Context,
  card_product_id: string,
  kind: RangeKind,
): Scramble {
  const name = `${tenant_id}:${card_product_id}${kind === 'TOKEN' ? ':tokens' : ''}`
  const key = new AesKey(new Secret(keys.digest('numbering', name)))
  const block = Buffer.alloc(16)
  return (round, value) => {
    block.writeUInt32BE(round, 0)
    block.writeUIntBE(value, 4, 6)
    return key.encrypt(block).readUIntBE(0, 6)
  }
}
