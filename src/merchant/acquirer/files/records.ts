/** A capture or refund as a record of a clearing file (1240 200, D-1047). Pure. */

import { AMOUNT_DIGITS, type Members, numberOf } from '#clearing/envelope.ts'
import { toAlpha3 } from '#lib/country.ts'
import { currencyOfNumeric, exponentOf } from '#lib/currency.ts'
import { luhnCheckDigit } from '#lib/luhn.ts'

export type Presented = {
  /** Its message, a 0220 or 0200 that no line sends, and the time of it. */
  fields: Readonly<Record<string, string | undefined>>
  created: Date
  /** DE38 of the 0110 of its payment. */
  approval_code: string | null
  pan: string
}

/** The place of a record: the file by its PDS 0105, and its number from 1. */
export type Place = { file: string; number: number }

/** DE22: e-commerce, and a kept card that the merchant uses without the customer. */
const ENTRY = { online: '100050S00000', recurring: '100040700000' }
/** The first digits of DE22 of a message with a kept card (wire.ts). */
const CREDENTIAL_ON_FILE = '10'

const LENGTHS = { terminal: 8, acceptor: 15, approval_code: 6, postcode: 10, region: 3 }
/** Digits of DE31 for the number of a record. */
const NUMBER_DIGITS = 6

/** All elements but DE71 come from the message, its payment, and the place of the record. */
export function recordOf(
  { fields, created, approval_code, pan }: Presented,
  place: Place,
): Members {
  const currency = currencyOfNumeric(fields[49] ?? '')
  const exponent = currency === undefined ? undefined : exponentOf(currency)
  return {
    MTI: '1240',
    DE2: pan,
    DE3: fields[3] ?? '',
    DE4: (fields[4] ?? '').padStart(AMOUNT_DIGITS, '0'),
    DE12: created.toISOString().slice(2, 19).replaceAll(/\D/g, ''),
    DE22: fields[22]?.startsWith(CREDENTIAL_ON_FILE) ? ENTRY.recurring : ENTRY.online,
    DE24: '200',
    DE26: fields[18] ?? '',
    DE31: referenceOf(place),
    DE32: fields[32] ?? '',
    DE37: fields[37] ?? '',
    ...(approval_code !== null && { DE38: approval_code.padEnd(LENGTHS.approval_code) }),
    DE41: (fields[41] ?? '').padEnd(LENGTHS.terminal),
    DE42: (fields[42] ?? '').padEnd(LENGTHS.acceptor),
    DE43: locationOf(fields[43] ?? ''),
    DE49: fields[49] ?? '',
    DE71: numberOf(place.number),
    DE94: fields[32] ?? '',
    ...(exponent !== undefined && { PDS0148: `${fields[49]}${exponent}` }),
  }
}

/** Acquirer reference data: the institution, the day and number of the file, that of the record. */
function referenceOf({ file, number }: Place): string {
  // PDS 0105: type 3, date 6, institution 11, sequence 5.
  const [date, institution, sequence] = [file.slice(3, 9), file.slice(9, 20), file.slice(20)]
  const day = `${date.slice(1, 2)}${dayOfYear(date)}`
  const record = String(number).padStart(NUMBER_DIGITS, '0')
  const digits = `7${institution.slice(0, 6)}${day}${sequence}${record}`
  return `${digits}${luhnCheckDigit(digits)}`
}

const DAY_MS = 86_400_000

function dayOfYear(date: string): string {
  const [year, month, day] = [0, 2, 4].map((at) => Number(date.slice(at, at + 2)))
  const at = Date.UTC(2000 + (year ?? 0), (month ?? 1) - 1, day)
  return String((at - Date.UTC(2000 + (year ?? 0), 0, 0)) / DAY_MS).padStart(3, '0')
}

/** DE43 of the line has the name in 25, the city in 13 and the country in 2 characters. */
function locationOf(text: string): string {
  const [name, city, country] = [text.slice(0, 25), text.slice(25, 38), text.slice(38, 40)]
  const parts = [name, '', city].map((part) => `${part.replaceAll('\\', ' ').trim()}\\`)
  const tail = ' '.repeat(LENGTHS.postcode + LENGTHS.region) + (toAlpha3(country) ?? '')
  return `${parts.join('')}${tail}`
}
