import type { pages as english } from '../en/pages.ts'
import type { Texts } from '../texts.ts'

export const pages: Texts<typeof english> = {
  sign_up: 'إنشاء حساب',
  sign_in: 'تسجيل الدخول',
  first_steps: 'الخطوات الأولى',
  home: 'الرئيسية',
  users: 'المستخدمون',
  reviews: 'المراجعات',
  cards: 'البطاقات',
  accounts: 'الحسابات',
  card_products: 'منتجات البطاقات',
  bulk_issuance: 'الإصدار الجماعي',
  transactions: 'المعاملات',
  controls: 'الضوابط',
  simulator: 'المحاكي',
  webhooks: 'خطافات الويب',
  events: 'الأحداث',
  orders: 'الطلبات',
  team: 'الفريق',
  api_keys: 'مفاتيح الواجهة البرمجية',
  audit_log: 'سجل التدقيق',
  settings: 'الإعدادات',
  not_found: 'الصفحة غير موجودة',
}
