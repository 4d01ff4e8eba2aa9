import type { search as english } from '../en/search.ts'
import type { Texts } from '../texts.ts'

export const search: Texts<typeof english> = {
  title: 'بحث',
  label: 'البحث عن الصفحات والعناصر',
  placeholder: 'صفحة أو اسم أو بريد أو آخر أربعة أرقام أو معرّف أو مرجع',
  results: 'النتائج',
  recent: 'اخترتها مؤخرًا',
  objects: 'العناصر',
  pages: 'الصفحات',
  nothing: 'لم يُعثر على شيء. تُكتب المعرّفات والمراجع كاملة، والأسماء من بدايتها.',
  kinds: {
    USER: 'مستخدم',
    CARD: 'بطاقة',
    ACCOUNT: 'حساب',
    CARD_PRODUCT: 'منتج بطاقات',
    TRANSACTION: 'معاملة',
    BULK_ISSUANCE: 'إصدار جماعي',
    BALANCE_LIMIT: 'حد رصيد',
    VELOCITY_LIMIT: 'حد إنفاق',
    COUNTRY_LIST: 'قائمة دول',
    MCC_LIST: 'قائمة رموز MCC',
    MERCHANT_LIST: 'قائمة تجار',
    BACKTEST: 'اختبار على الماضي',
    WEBHOOK: 'خطاف ويب',
    DELIVERY: 'تسليم',
    ORDER: 'طلب',
  },
}
