/**
 * The values of a card that its keys make: the only file here that uses keys. They are computed as
 * a file is made and stored nowhere, but for the block of a mailer, which the vault seals.
 */

import { randomInt } from 'node:crypto'
import { cvvOf, SERVICE_CODE_CVV2 } from '#cvv/cvv.ts'
import { verificationOf } from '#issuing/pins/pins.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { encodeFormat0 } from '#pin/format0.ts'
import { isWeakPin } from '#pin/weak.ts'

/** For the chip, in place of the service code. */
const SERVICE_CODE_ICVV = '999'

export type CardValues = { cvv: Secret; icvv: Secret; cvv2: Secret }

/** `expiry_date` is the card's, YYYY-MM. */
export async function cardValues(
  { cvk, cvv2_date_order }: KeySet,
  { pan, expiry_date, service_code }: { pan: Secret; expiry_date: string; service_code: string },
): Promise<CardValues> {
  const data = { cvk, pan, expiry_yymm: expiry_date.slice(2, 4) + expiry_date.slice(5, 7) }
  return {
    cvv: cvvOf({ ...data, service_code }),
    icvv: cvvOf({ ...data, service_code: SERVICE_CODE_ICVV }),
    cvv2: cvvOf({ ...data, service_code: SERVICE_CODE_CVV2, date_order: cvv2_date_order }),
  }
}

/** The zone key of the bureau's mailers, from its hex. */
export async function zoneKey(zpk: Secret): Promise<TdesKey> {
  return new TdesKey(zpk.map((hex) => Buffer.from(hex, 'hex')))
}

export type MadePin = { pvv: Secret; block: Secret }

/** A random PIN: what verifies it, and its block of format 0 under `zpk` in hex. */
export async function makePin(
  keys: Pick<KeySet, 'pvk' | 'pvki'>,
  zpk: TdesKey,
  { pan, length, refuse_weak }: { pan: Secret; length: number; refuse_weak: boolean },
): Promise<MadePin> {
  const pin = randomPin(length, refuse_weak)
  const block = encodeFormat0(pin, pan, zpk)
  return {
    pvv: verificationOf(pin, pan, keys),
    block: new Secret(block.toString('hex').toUpperCase()),
  }
}

function randomPin(length: number, refuse_weak: boolean): Secret {
  for (;;) {
    const pin = new Secret(Array.from({ length }, () => randomInt(10)).join(''))
    if (!refuse_weak || !isWeakPin(pin)) return pin
  }
}
