/** The languages of the console (D-594): English, and Arabic from right to left. */

import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { english } from './en/english.ts'

export const LANGUAGES = { en: 'English', ar: 'العربية' } as const
export type Language = keyof typeof LANGUAGES

const KEPT = 'bezant.language'

export const directionOf = (language: string): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

const isLanguage = (text: string | null): text is Language => text !== null && text in LANGUAGES

/** What the reader has chosen, else what the browser prefers. */
function preferred(): Language {
  const kept = localStorage.getItem(KEPT)
  if (isLanguage(kept)) return kept
  const asked = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage)
  return asked ?? 'en'
}

export async function startLanguages(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: english } },
    interpolation: { escapeValue: false },
    returnNull: false,
  })
  await speak(preferred())
}

/** Loads the language at its first use. */
async function speak(language: Language): Promise<void> {
  if (language === 'ar' && !i18next.hasResourceBundle('ar', 'translation')) {
    const { arabic } = await import('./ar/arabic.ts')
    i18next.addResourceBundle('ar', 'translation', arabic)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEPT, language)
  await speak(language)
}
