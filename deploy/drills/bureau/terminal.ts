/** The card as the bureau has made it, at the terminal of a shop: chip and PIN over ISO 8583. */

import { randomBytes } from 'node:crypto'
import { checkArqc, issuerAuthentication } from '#emv/cryptogram.ts'
import { parseTlv, valuesByTag } from '#emv/tlv.ts'
import type { Fields } from '#iso8583/message.ts'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { decodeFormat0 } from '#pin/format0.ts'
import { chipData, chipTags, usualVersion } from '#sandbox/network/chip_card.ts'
import { type Acquirer, connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { format0 } from '#test/support/network/pins.ts'
import { DrillFault } from '../fault.ts'
import type { ProductKeys } from './module.ts'

const keyOf = (hex: string) => new TdesKey(new Secret(Buffer.from(hex, 'hex')))

/** A record of the bureau's file. */
export type Made = Record<string, string>

/** The PIN that the bureau prints on the mailer. */
export function pinOf({ pin_block = '', pan = '' }: Made, zpk: string): string {
  const pin = decodeFormat0(Buffer.from(pin_block, 'hex'), new Secret(pan), keyOf(zpk))
  if (!pin) throw new DrillFault('the block of the mailer holds no PIN')
  return pin.reveal()
}

export type Payment = { amount: bigint; atc: number; pin: string }
export type Paid = { code: string; isAnswerRight: boolean }

/** A terminal, and the chip with the keys that the bureau has derived for it. */
export class Terminal implements AsyncDisposable {
  readonly #network: Acquirer
  readonly #card: Made
  readonly #keys: ProductKeys

  private constructor(network: Acquirer, card: Made, keys: ProductKeys) {
    this.#network = network
    this.#card = card
    this.#keys = keys
  }

  static async open(port: number, card: Made, keys: ProductKeys): Promise<Terminal> {
    const network = await connectAcquirer({ port })
    await network.signOn()
    return new Terminal(network, card, keys)
  }

  /** The code of the answer, and whether the chip takes the issuer's answer (tag 91). */
  async pay({ amount, atc, pin }: Payment): Promise<Paid> {
    const { pan = '', expiry = '' } = this.#card
    const chip = { imk_ac: keyOf(this.#keys.imk_ac), pan: new Secret(pan) }
    const date = new Date().toISOString().slice(2, 10).replaceAll('-', '')
    const bought = { currency: '784', processing_code: '000000', date, amount, atc }
    const unpredictable = randomBytes(4)
    const version = usualVersion(chip.pan)
    const tags = chipTags(chip, { ...bought, version, unpredictable })
    const fields: Fields = {
      ...{ 14: expiry, 22: '051', 25: '00', 35: this.#track2(), 53: '0'.repeat(16) },
      ...{ 52: format0(pin, pan, this.#keys.zpk), 55: chipData(tags) },
    }
    const answer = await this.#network.send(sale({ pan, amount, fields }))
    const code = answer.fields[39] ?? 'none'
    const checked = checkArqc(chip, tags)
    if (!checked.ok) throw new DrillFault('the chip has made no cryptogram')
    const parsed = parseTlv(Buffer.from(answer.fields[55] ?? '', 'hex'))
    const got = parsed.ok && valuesByTag(parsed.items).get('91')
    const csu = Buffer.alloc(4)
    const expected = issuerAuthentication(checked.cryptogram, { arc: Buffer.from(code), csu })
    return { code, isAnswerRight: got !== false && got !== undefined && got.equals(expected) }
  }

  /** Track 2 of the chip is that of the stripe, but for the iCVV in the place of the CVV. */
  #track2(): string {
    const { track2 = '', icvv = '' } = this.#card
    return track2.slice(1, -1 - icvv.length) + icvv
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#network.close()
  }
}
