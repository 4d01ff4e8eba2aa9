/** PINs of cards, as a client's own security module would send them. */

import { randomBytes } from 'node:crypto'
import { TdesKey, withOddParity, xor } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import type { Held, Stage } from './stage.ts'

const KEY_BYTES = 16
const BLOCK_BYTES = 8

const PIN = '4831'

/** A card of a product of its own, under keys of this run, and a PIN that is set. */
export async function cardWithPin(stage: Stage): Promise<Held> {
  const card = await stage.newCard({ card_validity_months: 36 })
  const [zpk, pvk] = [newKey(), newKey()]
  const { card_product_id } = await stage.bezant.cards.get(card.id)
  const keys = { zpk: zpk.toString('hex'), pvk: pvk.toString('hex'), pvki: '1' }
  await stage.bezant.simulation.installTestKeys(card_product_id, keys)
  const { card_number } = await stage.bezant.cards.reveal(card.id)
  await stage.bezant.pin.change(card.id, { enc_pin: blockOf(card_number, zpk) })
  stage.say('its PIN is set', card.id)
  return card
}

const newKey = () => withOddParity(randomBytes(KEY_BYTES))

/** ISO 9564-1 format 0, encrypted, in hex. */
function blockOf(card_number: string, key: Buffer): string {
  const field = `0${PIN.length}${PIN}`.padEnd(BLOCK_BYTES * 2, 'F')
  const number = card_number.slice(-13, -1).padStart(BLOCK_BYTES * 2, '0')
  const clear = xor(Buffer.from(field, 'hex'), Buffer.from(number, 'hex'))
  return new TdesKey(new Secret(key)).encrypt(clear).toString('hex').toUpperCase()
}
