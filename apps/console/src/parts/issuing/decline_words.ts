/** Why a payment was declined, in the words of the page's language, by its status code. */

import type { TFunction } from 'i18next'
import { authSwitches } from '#client/generated/issuing/switches.ts'
import type { Transaction } from '../../api/types.ts'
import type { declines } from '../../i18n/en/declines.ts'

type Word = keyof typeof declines.words

const CODES: Readonly<Record<Word, readonly string[]>> = {
  amount: ['1010'],
  balance_least: ['1876', '1878'],
  balance_most: ['1875', '1877'],
  cancelled: ['1894'],
  card: ['1018'],
  card_ended: ['1809', '1816'],
  cardholder: ['1019'],
  cash_terminal: ['1020'],
  chip: ['1810'],
  country: ['1860', '1880'],
  each: ['1896'],
  expired: ['1001'],
  expiry: ['1804'],
  format: ['1846', '9104'],
  frequency: ['1898'],
  funds: ['1016'],
  inactive: ['1806'],
  least: ['1881', '1882'],
  mcc: ['1859', '1879'],
  most: ['1829', '1883'],
  network: ['9109'],
  no_answer: ['1852'],
  original: ['1854', '1855', '1857', '1858', '9114', '9115'],
  phone: ['1893'],
  pin: ['1017'],
  pin_tries: ['1006'],
  product: ['1845', '1847'],
  responder: ['1851'],
  service_code: ['1848'],
  stop: ['1895'],
  sum: ['1897'],
  suspended: ['1003'],
  timeout: ['1889'],
  type: ['1888'],
  user: ['1892'],
  verification: ['1022'],
  wallet: ['1890'],
  withdrawal: ['1021'],
}

const isWord = (text: string): text is Word => Object.hasOwn(CODES, text)

const WORDS: ReadonlyMap<string, Word> = new Map(
  Object.entries(CODES).flatMap(([word, codes]) =>
    isWord(word) ? codes.map((code) => [code, word] as const) : [],
  ),
)

type Declined = Pick<Transaction, 'status_code' | 'status_description'>

/** A code that no word stands for has the API's own, which is in English. */
export function declineText(t: TFunction, declined: Declined): string {
  const { status_code: code, status_description } = declined
  const word = WORDS.get(code)
  if (word !== undefined) return t(`declines.words.${word}`)
  const of = authSwitches.find(({ product_code, card_code }) =>
    [product_code, card_code].includes(code),
  )
  if (of === undefined) return status_description
  return t('declines.switch', { what: t(`switches.${of.name}`) })
}
