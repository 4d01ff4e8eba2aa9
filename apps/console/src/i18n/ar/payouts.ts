import type { payouts as english } from '../en/payouts.ts'
import type { Texts } from '../texts.ts'

export const payouts: Texts<typeof english> = {
  payouts: {
    lead: 'ما يستحقه متجرك عن كل يوم: التحصيلات بعد خصم المردود والنزاعات والرسوم.',
    all: 'كل الدفعات',
    none: 'لا توجد دفعات',
    none_text: 'تُنشأ الدفعة بعد انتهاء يوم جرى فيه تحصيل.',
    day: 'اليوم',
    number: 'الرقم',
    captured: 'المحصَّل',
    refunded: 'المردود',
    charged_back: 'المأخوذ بنزاعات',
    fee: 'الرسم',
    fees: 'الرسوم',
    carried: 'المرحَّل',
    amount: 'المبلغ',
    net: 'الصافي',
    due: 'المستحق حاليًا',
    reference: 'المرجع',
    sums: 'مبلغ الدفعة',
    facts: 'التفاصيل',
    captures: 'تحصيلات الدفعة',
    refunds: 'مردودات الدفعة',
    no_parts: 'لا شيء في هذا اليوم.',
    explain: {
      PENDING: 'لم يدفعها المشغّل بعد.',
      PAID: 'دفعها المشغّل.',
      FAILED: 'تعذّر على المشغّل دفعها، وهي ما زالت مستحقة لك.',
      CARRIED: 'لا شيء يُدفع، وتأخذ الدفعة التالية هذا المبلغ.',
    },
    statement: {
      lead: 'ما حُصِّل وما رُد، وما كلّفه ذلك، وما يستحقه متجرك.',
      by_currency: 'حسب العملة',
      days: 'حسب اليوم، {{currency}}',
      none: 'لا شيء في هذه الأيام',
      none_text: 'اختر أيامًا أخرى. اليوم بتوقيت UTC كما في الدفعات.',
      no_days: 'لم يُحصَّل شيء ولم يُرد شيء في هذه الأيام.',
    },
  },
}
