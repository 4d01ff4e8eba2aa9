/** The languages of the console (D-594): English, and Arabic from right to left. */

import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'

export const LANGUAGES = { en: 'English', ar: 'العربية' } as const
export type Language = keyof typeof LANGUAGES

const KEPT = 'bezant.language'

export const directionOf = (language: string): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

export const otherLanguage = (language: string): Language => (language === 'ar' ? 'en' : 'ar')

const isLanguage = (text: string | null): text is Language => text !== null && text in LANGUAGES

/** What the reader has chosen, else what the browser prefers. */
function preferred(): Language {
  const kept = localStorage.getItem(KEPT)
  if (isLanguage(kept)) return kept
  const asked = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage)
  return asked ?? 'en'
}

/** Each language is loaded at its first use: a reader needs one of them. */
const TEXTS = {
  en: async () => (await import('./en/english.ts')).english,
  ar: async () => (await import('./ar/arabic.ts')).arabic,
}

export async function startLanguages(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: {},
    fallbackLng: false,
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  await speak(preferred())
}

async function speak(language: Language): Promise<void> {
  if (!i18next.hasResourceBundle(language, 'translation')) {
    i18next.addResourceBundle(language, 'translation', await TEXTS[language]())
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT, language)
  await speak(language)
}
