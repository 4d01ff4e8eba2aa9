import type { settlements as english } from '../en/settlements.ts'
import type { Texts } from '../texts.ts'

/** Texts of the pages of settlement files. */
export const settlements: Texts<typeof english> = {
  lead: 'ملفات يسوّي بها المُحصِّلون يومًا، مقارنةً بما قيّده المُصدر.',
  all: 'الملفات المستوردة',
  none: 'لا توجد ملفات تسوية',
  none_text: 'يظهر الملف عند استيراده بالأمر \u2066bezant settlement import FILE\u2069.',
  day: 'اليوم (UTC)',
  acquirer: 'المُحصِّل',
  findings: 'الفروق',
  imported: 'الاستيراد',
  books: 'مطابقة الدفاتر',
  reconcile: 'دفاتر هذا اليوم',
  agree: 'الملف ودفتر المُصدر متطابقان',
  differ: 'الفروق بين الملف ودفتر المُصدر: {{n}}',
  no_findings: 'لا فروق',
  no_findings_text: 'قيّد المُصدر كل سجل كما هو في الملف.',
  more: 'غير معروض: {{n}}. طبعها الاستيراد كلها.',
  in_file: 'في الملف',
  posted: 'المُقيَّد',
  record: 'السجل',
  payment: 'المعاملة',
  facts: 'التفاصيل',
  records: 'السجلات',
  charges: {
    CHARGEBACK: 'مبالغ مستردة للنزاعات',
    CHARGEBACK_REVERSAL: 'مبالغ أُعيدت بعد النزاعات',
    CHARGEBACK_FEE: 'رسوم النزاعات',
  },
  over_midnight: 'قرب منتصف الليل، وربما في ملف اليوم المجاور',
  digest: 'SHA-256',
  kinds: {
    unknown: 'مرجع غير معروف',
    missing: 'لم يُقيَّد',
    other_currency: 'عملة مختلفة',
    other_amount: 'مبلغ مختلف',
    other_day: 'يوم مختلف',
    twice: 'مكرر في الملف',
    not_in_file: 'ليس في الملف',
  },
}
