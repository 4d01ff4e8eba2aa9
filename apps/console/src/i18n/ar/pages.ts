import type { pages as english } from '../en/pages.ts'
import type { Texts } from '../texts.ts'

export const pages: Texts<typeof english> = {
  sign_up: 'إنشاء حساب',
  sign_in: 'تسجيل الدخول',
  first_steps: 'الخطوات الأولى',
  home: 'الرئيسية',
  users: 'المستخدمون',
  cards: 'البطاقات',
  accounts: 'الحسابات',
  card_products: 'منتجات البطاقات',
  transactions: 'المعاملات',
  simulator: 'المحاكي',
  events: 'الأحداث',
  api_keys: 'مفاتيح الواجهة البرمجية',
  settings: 'الإعدادات',
  not_found: 'الصفحة غير موجودة',
}
