/** The texts of the payment page in each of its languages. */

import { ar } from './texts/ar.ts'
import { en } from './texts/en.ts'
import { type Language, languages, type Texts } from './texts/shape.ts'

export type { Language, Texts } from './texts/shape.ts'

export const TEXTS: Readonly<Record<Language, Texts>> = { en, ar }

/** `ar`, `ar-AE`, `AR`: Arabic; everything else is English. */
export function languageOf(text: string): Language {
  const [primary = ''] = text.toLowerCase().split(/[-_]/)
  return languages.find((language) => language === primary) ?? 'en'
}
