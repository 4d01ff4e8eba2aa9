/** Messages of a scheme that is tried by hand: one card, one shop (docs/iso8583.md 5). */

import { writeAmount } from '#iso8583/amounts.ts'
import type { Fields, Message } from '#iso8583/message.ts'
import { writeOriginal } from '#iso8583/original.ts'

/** The numeric currency, and the minor units. */
export type Sale = { pan: string; amount: bigint; currency: string; mcc: string }

export const codes = { sign_on: '001', sign_off: '002', echo: '301', ZPK: '161', ZAK: '162' }

const INSTITUTION = '400123'
const NO_CODE = '000000'
const CASH_MACHINE = '6011'
const FORMAT_0_BYTES = 8
/** DE53 of a PIN block that is in DE123. */
const OF_FORMAT_4 = '0400000000000000'

export class SchemeMessages {
  readonly #clock: () => Date
  #number: number

  /** `first` is a trace number: another one for each run. */
  constructor(clock: () => Date, first: number) {
    this.#clock = clock
    this.#number = first
  }

  management(code: string, others: Fields = {}): Message {
    const { 7: time, 11: number } = this.#times()
    return { mti: '0800', fields: { 7: time, 11: number, 33: INSTITUTION, ...others, 70: code } }
  }

  /** A purchase in a web shop. */
  purchase({ pan, amount, currency, mcc }: Sale): Message {
    const times = this.#times()
    const fields = {
      ...{ 2: pan, 3: '000000', 4: writeAmount(amount) },
      ...times,
      ...{ 18: mcc, 22: '812', 25: '59', 32: INSTITUTION, 37: `${times[12]}${times[11]}` },
      ...{ 41: 'TERM0001', 42: 'SCHEME000000001' },
      ...{ 43: 'Shop of the scheme       Abu Dhabi    AE', 49: currency },
    }
    return { mti: '0100', fields }
  }

  /** Cash at a machine, which is posted at once; its PIN block is in format 0, or in format 4. */
  withdrawal(sale: Sale, block: Buffer): Message {
    const { fields } = this.purchase({ ...sale, mcc: CASH_MACHINE })
    const hex = block.toString('hex').toUpperCase()
    const pin: Fields =
      block.length === FORMAT_0_BYTES ? { 52: hex } : { 53: OF_FORMAT_4, 123: hex }
    return { mti: '0200', fields: { ...fields, 3: '010000', 22: '011', 25: '02', ...pin } }
  }

  /** The network has approved in place of the issuer. */
  advice(sale: Sale): Message {
    const { fields } = this.purchase(sale)
    return { mti: '0120', fields: { ...fields, 38: `S${fields[11]?.slice(1)}`, 39: '00' } }
  }

  /** The presentment of a purchase. */
  present(first: Message, answer: Message | undefined, amount: bigint): Message {
    const code = answer?.fields[38] ?? first.fields[38] ?? NO_CODE
    return this.#about('0220', first, { 4: writeAmount(amount), 38: code, 39: '00' })
  }

  reversal(first: Message): Message {
    return this.#about('0420', first, {})
  }

  #about(mti: string, { mti: type, fields }: Message, others: Fields): Message {
    const original = writeOriginal({
      ...{ mti: type, stan: fields[11] ?? '', transmitted: fields[7] ?? '' },
      ...{ acquirer: fields[32] ?? '', forwarder: '' },
    })
    const { 38: _code, 39: _answer, 52: _pin, 53: _form, 123: _block, ...same } = fields
    return { mti, fields: { ...same, ...this.#times(), ...others, 90: original } }
  }

  #times() {
    this.#number = (this.#number % 999_999) + 1
    const digits = this.#clock().toISOString().replaceAll(/\D/g, '')
    const [day, hour] = [digits.slice(4, 8), digits.slice(8, 14)]
    return { 7: day + hour, 11: String(this.#number).padStart(6, '0'), 12: hour, 13: day }
  }
}
