/** PINs as a terminal or a client's own HSM would send them, under keys that a test installs. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { AesKey, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { encodeFormat0 } from '#pin/format0.ts'
import { encodeFormat4 } from '#pin/format4.ts'
import type { World } from '../world.ts'

/** The body of `PUT /v1/simulate/cardproducts/{id}/keys`. */
export const pinKeys = {
  zpk: '62325862B902B5FEFE19D50E68670B7C',
  zpk_aes: 'E946AFF47BDFC87DB2F651602F413E47C4D6B5A3F19E20718293A4B5C6D7E8F9',
  pvk: '7CFB6897DF10A25B3DAE6BAB866423F8',
  pvki: '1',
}

/**
 * The range of a product with a single card, whose number is then the same at every run: two PINs
 * have one verification value in ten thousand cases, and no test should meet such a case by chance.
 */
export const oneNumber = { pan_range: { start_range: 7, end_range: 7 } }

const bytes = (hex: string) => new Secret(Buffer.from(hex, 'hex'))

/** Format 4 with fresh fill, in hex. */
export function format4(pin: string, card_number: string, zpk_aes = pinKeys.zpk_aes): string {
  const key = new AesKey(bytes(zpk_aes))
  const block = encodeFormat4(new Secret(pin), new Secret(card_number), key, randomBytes(8))
  return block.toString('hex').toUpperCase()
}

/** Format 0, in hex. */
export function format0(pin: string, card_number: string, zpk = pinKeys.zpk): string {
  const block = encodeFormat0(new Secret(pin), new Secret(card_number), new TdesKey(bytes(zpk)))
  return block.toString('hex').toUpperCase()
}

const somePins = ['4831', '5924', '7306', '8152', '6047', '9263']
let taken = 0
/** Another PIN than the one before, and none that is weak. */
export const anotherPin = (): string => somePins[taken++ % somePins.length] ?? ''

/** Installs the keys for the product of a card, and returns the number of the card. */
export async function preparePins(
  { request }: Pick<World, 'request'>,
  card_id: string,
  key: string,
): Promise<string> {
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await request(method, `/v1/${path}`, body, { key })
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const { card_product_id } = await ask('GET', `cards/${card_id}`)
  await ask('PUT', `simulate/cardproducts/${card_product_id}/keys`, pinKeys)
  return (await ask('GET', `cards/${card_id}:reveal`)).card_number
}
