/** The languages of the console (D-594): English, and Arabic from right to left. */

import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import { TERMS } from '../../../../src/portal/mails/rules.ts'
import { keep, kept } from '../api/storage.ts'

export const LANGUAGES = { en: 'English', ar: 'العربية' } as const
export type Language = keyof typeof LANGUAGES

const KEPT = 'bezant.language'

export const directionOf = (language: string): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

export const otherLanguage = (language: string): Language => (language === 'ar' ? 'en' : 'ar')

const isLanguage = (text: string | null | undefined): text is Language =>
  typeof text === 'string' && text in LANGUAGES

/** The language that the reader has chosen, else the one that the browser prefers. */
function preferred(): Language {
  const chosen = kept('browser', KEPT)
  if (isLanguage(chosen)) return chosen
  const asked = navigator.languages.map((tag) => tag.slice(0, 2)).find(isLanguage)
  return asked ?? 'en'
}

/**
 * Each is loaded at its first use: a reader needs one language, and a page a part of it. A build has
 * no gallery.
 */
const TEXTS = {
  en: {
    first: async () => (await import('./en/parts_first.ts')).first,
    entrance: async () => (await import('./en/parts_entrance.ts')).outside,
    objects: async () => (await import('./en/parts_objects.ts')).objects,
    trials: async () => (await import('./en/parts_trials.ts')).trials,
    platform: async () => (await import('./en/parts_platform.ts')).platform,
    program: async () => (await import('./en/parts_program.ts')).texts,
    gallery: async () => (import.meta.env.DEV ? await import('./en/gallery.ts') : {}),
  },
  ar: {
    first: async () => (await import('./ar/parts_first.ts')).first,
    entrance: async () => (await import('./ar/parts_entrance.ts')).outside,
    objects: async () => ({
      ...(await import('./ar/parts_objects.ts')).objects,
      codes: (await import('./ar/codes.ts')).codes,
    }),
    trials: async () => (await import('./ar/parts_trials.ts')).trials,
    platform: async () => (await import('./ar/parts_platform.ts')).platform,
    program: async () => (await import('./ar/parts_program.ts')).texts,
    gallery: async () => (import.meta.env.DEV ? await import('./ar/gallery.ts') : {}),
  },
}
export type Part = keyof typeof TEXTS.en
const wanted = new Set<Part>(['first'])
/** The language that was chosen last; it is spoken once its texts are there. */
let newest: Language | undefined

export async function startLanguages(): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: {},
    fallbackLng: false,
    // Numbers of the portal, which sentences name.
    interpolation: { escapeValue: false, defaultVariables: TERMS },
    returnNull: false,
    // A page that lacks a part is found by the tests of the pages.
    saveMissing: true,
    missingKeyHandler: (_languages, _namespace, key) => console.error(`no text: ${key}`),
  })
  await speak(preferred())
}

/** Loads what a page says, in the language that is spoken and in one that was chosen since. */
export async function loadTexts(parts: readonly Part[]): Promise<void> {
  for (const part of parts) wanted.add(part)
  const languages = new Set([i18next.language, newest].filter(isLanguage))
  await Promise.all([...languages].map(load))
}

async function load(language: Language): Promise<void> {
  const parts = [...wanted].map((part) => TEXTS[language][part]())
  for (const texts of await Promise.all(parts)) {
    i18next.addResourceBundle(language, 'translation', texts, true)
  }
}

/** The texts of an earlier choice may arrive after those of the newest one. */
async function speak(language: Language): Promise<void> {
  newest = language
  await load(language)
  if (newest !== language) return
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

/** The language of the last choice, also before its texts are there. */
export const chosenLanguage = (): string => newest ?? i18next.language

export async function chooseLanguage(language: Language): Promise<void> {
  keep('browser', KEPT, language)
  await speak(language)
}
