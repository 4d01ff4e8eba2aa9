import type { english } from './en/english.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof english }
    returnNull: false
  }
}
