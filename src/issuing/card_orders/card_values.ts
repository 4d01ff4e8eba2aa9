/**
 * The values of a card that its keys make: the only file here that uses keys. They are computed as
 * a file is made and stored nowhere, but for the block of a mailer, which the vault seals.
 */

import type { KeySet } from '#issuing/vault/schema.ts'
import type { CardCryptography, CardKey } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import type { Secret } from '#lib/secret.ts'
import { BureauFault } from './provider.ts'

/** For the chip, in place of the service code; and for the number that is printed. */
const SERVICE_CODE_ICVV = '999'
const SERVICE_CODE_CVV2 = '000'

/**
 * Cards whose values are asked for at a time. A security module does its commands one after
 * another: those of a whole portion would take longer than one may, and keep payments waiting.
 */
export const CARDS_AT_ONCE = 8

export type CardValues = { cvv: Secret; icvv: Secret; cvv2: Secret }

/** `expiry_date` is the card's, YYYY-MM. */
export async function cardValues(
  { custody }: Pick<Context, 'custody'>,
  { cvk, cvv2_date_order: date_order }: KeySet,
  { pan, expiry_date, service_code }: { pan: Secret; expiry_date: string; service_code: string },
): Promise<CardValues> {
  const data = { cvk, pan, expiry_yymm: expiry_date.slice(2, 4) + expiry_date.slice(5, 7) }
  const [cvv, icvv, cvv2] = await Promise.all([
    custody.cvv({ ...data, service_code }),
    custody.cvv({ ...data, service_code: SERVICE_CODE_ICVV }),
    custody.cvv({ ...data, service_code: SERVICE_CODE_CVV2, date_order }),
  ])
  return { cvv, icvv, cvv2 }
}

/**
 * The zone key of the bureau's mailers: in hex, or as the security module shows it (D-1190). Fails
 * with a BureauFault where this custody does not take it in that form.
 */
export async function zoneKey(
  { custody }: Pick<Context, 'custody'>,
  zpk: Secret,
): Promise<CardKey> {
  const isOwn = /^[US]/.test(zpk.reveal())
  const brought = await (isOwn ? custody.bringOwn('ZPK', zpk) : clearKey(custody, zpk))
  if (!brought.ok) throw new BureauFault(`BUREAU_ZPK ${brought.fault}`)
  return custody.open('ZPK', brought.key)
}

function clearKey(custody: Context['custody'], zpk: Secret) {
  return custody.bringClear('ZPK', zpk).catch((error: unknown) => {
    if (!(error instanceof ApiError && error.code === 'not_configured')) throw error
    throw new BureauFault('BUREAU_ZPK is in the clear: set it as the security module shows it')
  })
}

export type MadePin = { value: Secret; block: Secret }

/** A random PIN: its verification value, and its block of format 0 under `zpk` in hex. */
export async function makePin(
  { custody }: Pick<Context, 'custody'>,
  keys: Pick<KeySet, 'pvk' | 'pvki'>,
  zpk: CardKey,
  wanted: Parameters<CardCryptography['randomPin']>[0],
): Promise<MadePin> {
  const { value, block } = await custody.randomPin(wanted, keys, zpk)
  return { value, block: block.map((hex) => hex.toUpperCase()) }
}
