/** The sentence of an error of the API, which its code decides. */

import type { TFunction } from 'i18next'
import i18next from 'i18next'
import type { Problem } from '../api/problem.ts'

/** Only some languages have them: they are no keys of the texts. */
const hasText = (key: string): key is 'states.unknown' => i18next.exists(key)

/** The API's own sentence is in English: other languages have their own for each code. */
export function codeText(t: TFunction, { code, status, message }: Problem): string {
  const usual = status === 404 ? t('states.missing') : t('states.unknown')
  const key = `codes.${code}`
  return hasText(key) ? t(key) : message || usual
}
