import type { home as english } from '../en/home.ts'
import type { Texts } from '../texts.ts'

export const home: Texts<typeof english> = {
  lead: 'أحدث تفويضات بطاقاتك.',
  recent: 'أحدث المعاملات',
}
