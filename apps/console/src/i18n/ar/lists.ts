import type { lists as english } from '../en/lists.ts'
import type { Texts } from '../texts.ts'

export const lists: Texts<typeof english> = {
  transactions: {
    lead: 'كل تفويض ومقاصة واسترداد مع الفحوص التي حسمته.',
    none: 'لا توجد معاملات',
    none_text: 'تظهر المعاملات هنا عند استخدام بطاقة. يرسل المحاكي أولاها.',
    all: 'كل الحالات',
    all_title: 'جميع المعاملات',
    card_id: 'معرّف البطاقة',
    account_id: 'معرّف الحساب',
    user_id: 'معرّف المستخدم',
    path: 'مسار القرار',
    history: 'الأحداث',
    entries: 'القيود',
    no_entries: 'لم يُقيَّد شيء على الحساب.',
    event: 'الحدث',
    details: 'التفاصيل',
    billing: 'مبلغ الفوترة',
    cleared: 'تمت مقاصته',
    refunded: 'تم استرداده',
    hold_expires: 'ينتهي الحجز',
    entry_mode: 'طريقة الإدخال',
    approval_code: 'رمز الموافقة',
  },
}
