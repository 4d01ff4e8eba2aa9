/** Merchants to begin with, and the names of codes. */

import type { simulator } from '../../i18n/en/simulator.ts'
import type { Typed } from './typed.ts'

export type ShopName = keyof typeof simulator.shops

type Shop = Pick<Typed, 'merchant' | 'mcc' | 'country' | 'channel' | 'type'>

const shop = (merchant: string, mcc: string, channel: Typed['channel'], rest?: Partial<Shop>) => ({
  merchant,
  mcc,
  channel,
  country: 'AE',
  type: 'PURCHASE' as const,
  ...rest,
})

export const shops: readonly (readonly [ShopName, Shop])[] = [
  ['books', shop('Palm Books', '5942', 'ECOMMERCE')],
  ['groceries', shop('Green Market', '5411', 'CONTACTLESS')],
  ['restaurant', shop('Saffron House', '5812', 'CHIP')],
  ['fuel', shop('Desert Fuel', '5541', 'CONTACTLESS')],
  ['hotel', shop('Creek Hotel', '7011', 'CHIP')],
  ['airline', shop('Gulf Wings', '4511', 'ECOMMERCE')],
  ['subscription', shop('Streamly', '4899', 'CREDENTIAL_ON_FILE', { country: 'US' })],
  ['casino', shop('Lucky Star', '7995', 'ECOMMERCE', { country: 'MT' })],
  ['atm', shop('ATM Marina Mall', '6011', 'CHIP', { type: 'WITHDRAWAL' })],
]

/** Codes that are names of no country: unions, and parts of a country. */
const NO_COUNTRIES = new Set(['AC', 'CP', 'CQ', 'DG', 'EA', 'EU', 'EZ', 'IC', 'QO', 'TA', 'UN'])
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']

const namesIn = (language: string) =>
  new Intl.DisplayNames(language, { type: 'region', fallback: 'none' })

const isCountry = (code: string): boolean =>
  !code.startsWith('X') && code !== 'ZZ' && !NO_COUNTRIES.has(code)

/** Countries with two letters, by their names; a code that has been replaced is none. */
export function countriesIn(language: string): readonly { code: string; name: string }[] {
  const names = namesIn(language)
  return LETTERS.flatMap((first) => LETTERS.map((second) => first + second))
    .filter((code) => isCountry(code) && new Intl.Locale(`und-${code}`).region === code)
    .flatMap((code) => {
      const name = names.of(code)
      return name === undefined ? [] : [{ code, name }]
    })
}

export function countryName(code: string, language: string): string | undefined {
  const known = code.toUpperCase()
  return /^[A-Z]{2}$/.test(known) && isCountry(known) ? namesIn(language).of(known) : undefined
}
