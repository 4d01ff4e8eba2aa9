/** The texts of the payment page in each of its languages. */

import type { CardField } from './rules/card.ts'
import type { Reason } from './rules/declined.ts'

export const languages = ['en', 'ar'] as const
export type Language = (typeof languages)[number]

export type Texts = {
  direction: 'ltr' | 'rtl'
  other: { language: Language; name: string }
  title: string
  pay: string
  paying: string
  order: string
  labels: Record<CardField, string>
  hints: Record<CardField, string>
  faults: Record<CardField, string>
  check: string
  declined: string
  reasons: Record<Reason, string>
  safe: string
  processing: string
  wait: string
  reload: string
  checking: string
  checking_wait: string
  stale: string
  stale_detail: string
  paid: string
  rejected: string
  back: string
  ended: string
  ended_detail: string
  replaced: string
  replaced_detail: string
  paid_elsewhere: string
  paid_elsewhere_detail: string
  paying_elsewhere: string
  paying_elsewhere_detail: string
  unknown: string
  unknown_detail: string
  failed: string
  failed_detail: string
}

const en: Texts = {
  direction: 'ltr',
  other: { language: 'ar', name: 'العربية' },
  title: 'Payment',
  pay: 'Pay',
  paying: 'Paying…',
  order: 'Order',
  labels: { card_number: 'Card number', expiry: 'Expiry date', cvv2: 'Security code' },
  hints: {
    card_number: 'The long number on your card',
    expiry: 'Month and year, MM/YY',
    cvv2: 'Three or four digits',
  },
  faults: {
    card_number: 'Check the card number',
    expiry: 'Check the expiry date: month and year, not past',
    cvv2: 'Check the security code: three or four digits',
  },
  check: 'Please check what you entered',
  declined: 'The payment was not made',
  reasons: {
    funds: 'There is not enough money on this card.',
    data: 'The card number or the expiry date is not right.',
    security: 'The security code is not right.',
    limit: 'The payment is above a limit of this card.',
    unusable: 'This card cannot be used here. Try another one.',
    proof: 'This card needs a confirmation that this shop does not offer. Try another one.',
    away: 'Your bank did not answer. You have not been charged. Please try again.',
    declined: 'Your bank declined the payment. Try another card.',
  },
  safe: 'Your card details go straight to the card network. The shop never sees them.',
  processing: 'Your payment is being processed',
  wait: 'Please do not pay again. This page goes on by itself.',
  reload: 'Go on',
  checking: 'Your payment is being checked',
  checking_wait:
    'We are asking your bank whether the payment was made. Please do not pay again. This page ' +
    'goes on by itself.',
  stale: 'This form was out of date',
  stale_detail: 'The card that you have just entered was not used. Please enter it again.',
  paid: 'Thank you, your payment was made',
  rejected: 'The payment was not made',
  back: 'Back to the shop',
  ended: 'This payment page has ended',
  ended_detail: 'Go back to the shop and start the payment again. You have not been charged.',
  replaced: 'There is a newer payment page',
  replaced_detail:
    'The shop has opened a newer payment page for this order. Go on there. You have not been ' +
    'charged on this page.',
  paid_elsewhere: 'This order is paid',
  paid_elsewhere_detail: 'The payment was made on another page. You do not have to pay again.',
  paying_elsewhere: 'This order is being paid',
  paying_elsewhere_detail:
    'A payment of this order is being checked on another page. Please do not pay again. This ' +
    'page goes on by itself.',
  unknown: 'This payment page does not exist',
  unknown_detail: 'Check the address, or start the payment again from the shop.',
  failed: 'Something went wrong',
  failed_detail: 'Please wait a moment and open this page again. You are never charged twice.',
}

const ar: Texts = {
  direction: 'rtl',
  other: { language: 'en', name: 'English' },
  title: 'الدفع',
  pay: 'ادفع',
  paying: 'جارٍ الدفع…',
  order: 'الطلب',
  labels: { card_number: 'رقم البطاقة', expiry: 'تاريخ الانتهاء', cvv2: 'رمز الأمان' },
  hints: {
    card_number: 'الرقم الطويل على بطاقتك',
    expiry: 'الشهر والسنة، MM/YY',
    cvv2: 'ثلاثة أو أربعة أرقام',
  },
  faults: {
    card_number: 'تحقق من رقم البطاقة',
    expiry: 'تحقق من تاريخ الانتهاء: الشهر والسنة، غير منتهٍ',
    cvv2: 'تحقق من رمز الأمان: ثلاثة أو أربعة أرقام',
  },
  check: 'يرجى التحقق مما أدخلته',
  declined: 'لم تتم عملية الدفع',
  reasons: {
    funds: 'لا يوجد رصيد كافٍ في هذه البطاقة.',
    data: 'رقم البطاقة أو تاريخ الانتهاء غير صحيح.',
    security: 'رمز الأمان غير صحيح.',
    limit: 'المبلغ يتجاوز أحد حدود هذه البطاقة.',
    unusable: 'لا يمكن استخدام هذه البطاقة هنا. جرّب بطاقة أخرى.',
    proof: 'تتطلب هذه البطاقة تأكيدًا لا يوفره هذا المتجر. جرّب بطاقة أخرى.',
    away: 'لم يرد البنك. لم يتم خصم أي مبلغ. يرجى المحاولة مرة أخرى.',
    declined: 'رفض البنك عملية الدفع. جرّب بطاقة أخرى.',
  },
  safe: 'تنتقل بيانات بطاقتك مباشرة إلى شبكة البطاقات، ولا يطّلع عليها المتجر.',
  processing: 'جارٍ تنفيذ عملية الدفع',
  wait: 'يرجى عدم الدفع مرة أخرى. ستتابع هذه الصفحة تلقائيًا.',
  reload: 'متابعة',
  checking: 'جارٍ التحقق من عملية الدفع',
  checking_wait:
    'نستفسر من البنك عمّا إذا تمت عملية الدفع. يرجى عدم الدفع مرة أخرى. ' +
    'ستتابع هذه الصفحة تلقائيًا.',
  stale: 'كان هذا النموذج قديمًا',
  stale_detail: 'لم تُستخدم البطاقة التي أدخلتها للتو. يرجى إدخالها مرة أخرى.',
  paid: 'شكرًا لك، تمت عملية الدفع',
  rejected: 'لم تتم عملية الدفع',
  back: 'العودة إلى المتجر',
  ended: 'انتهت صلاحية صفحة الدفع هذه',
  ended_detail: 'عُد إلى المتجر وابدأ الدفع من جديد. لم يتم خصم أي مبلغ.',
  replaced: 'توجد صفحة دفع أحدث',
  replaced_detail:
    'فتح المتجر صفحة دفع أحدث لهذا الطلب. تابع هناك. لم يتم خصم أي مبلغ في هذه الصفحة.',
  paid_elsewhere: 'تم دفع هذا الطلب',
  paid_elsewhere_detail: 'تمت عملية الدفع في صفحة أخرى. لا حاجة إلى الدفع مرة أخرى.',
  paying_elsewhere: 'جارٍ دفع هذا الطلب',
  paying_elsewhere_detail:
    'يجري التحقق من دفع هذا الطلب في صفحة أخرى. يرجى عدم الدفع مرة أخرى. ' +
    'ستتابع هذه الصفحة تلقائيًا.',
  unknown: 'صفحة الدفع هذه غير موجودة',
  unknown_detail: 'تحقق من العنوان أو ابدأ الدفع من المتجر مرة أخرى.',
  failed: 'حدث خطأ ما',
  failed_detail: 'يرجى الانتظار قليلًا ثم فتح هذه الصفحة مرة أخرى. لن يتم الخصم مرتين أبدًا.',
}

export const TEXTS: Readonly<Record<Language, Texts>> = { en, ar }

/** `ar`, `ar-AE`, `AR`: Arabic; everything else is English. */
export function languageOf(text: string): Language {
  const [primary = ''] = text.toLowerCase().split(/[-_]/)
  return languages.find((language) => language === primary) ?? 'en'
}
