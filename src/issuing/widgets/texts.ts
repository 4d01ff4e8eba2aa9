/** The texts of the widgets in each language. */

import type { WidgetName } from './schema.ts'

const languages = ['en', 'ar'] as const
export type Language = (typeof languages)[number]

/** The messages that the script shows; `{n}` is a number. */
type Messages = {
  working: string
  done: Record<WidgetName, string>
  hidden: string
  copied: string
  uncopied: string
  differ: string
  length: string
  weak: string
  inactive: string
  refused: string
  ended: string
  failed: string
}

export type Texts = {
  direction: 'ltr' | 'rtl'
  titles: Record<WidgetName, string>
  card: string
  card_number: string
  expiry: string
  cvv2: string
  copy: string
  hide: string
  hides_in: string
  seconds: string
  pin: string
  pin_hint: string
  pin_again: string
  set_pin: string
  activate_hint: string
  activate: string
  script: string
  unknown: { title: string; detail: string }
  failed: { title: string; detail: string }
  messages: Messages
}

const en: Texts = {
  direction: 'ltr',
  titles: {
    CARD_DETAILS: 'Your card',
    SET_PIN: 'Choose your PIN',
    ACTIVATE: 'Activate your card',
  },
  card: 'Card ending in',
  card_number: 'Card number',
  expiry: 'Expires',
  cvv2: 'Security code',
  copy: 'Copy number',
  hide: 'Hide now',
  hides_in: 'Hidden again in',
  seconds: 's',
  pin: 'New PIN',
  pin_hint: '{n} digits that are hard to guess: no year, no 1234',
  pin_again: 'The same PIN again',
  set_pin: 'Set PIN',
  activate_hint: 'Activate it once you have it. From then on it can be used.',
  activate: 'Activate',
  script: 'This page needs JavaScript. Turn it on and open it again.',
  unknown: {
    title: 'This page has ended',
    detail: 'Go back to the app that showed it and open it again: it makes a new page.',
  },
  failed: {
    title: 'Something went wrong',
    detail: 'Please wait a moment and open it again.',
  },
  messages: {
    working: 'One moment…',
    done: {
      CARD_DETAILS: 'Your card details are shown for {n} seconds.',
      SET_PIN: 'Your PIN is set. You can use it at once.',
      ACTIVATE: 'Your card is active. You can use it now.',
    },
    hidden: 'The details are hidden again. To see them once more, open them anew in the app.',
    copied: 'The card number is copied.',
    uncopied: 'Your browser does not let it be copied. Select the number instead.',
    differ: 'The two are not the same. Type your PIN again.',
    length: 'A PIN of this card has {n} digits.',
    weak: 'This PIN is easy to guess. Choose another one.',
    inactive: 'This card is not active, so it cannot have a PIN yet.',
    refused: 'This cannot be done with the card in its present status.',
    ended: 'This page has ended. Go back to the app and open it again.',
    failed: 'Something went wrong. Go back to the app and try again.',
  },
}

const ar: Texts = {
  direction: 'rtl',
  titles: {
    CARD_DETAILS: 'بطاقتك',
    SET_PIN: 'اختر الرقم السري',
    ACTIVATE: 'فعّل بطاقتك',
  },
  card: 'البطاقة المنتهية بـ',
  card_number: 'رقم البطاقة',
  expiry: 'تاريخ الانتهاء',
  cvv2: 'رمز الأمان',
  copy: 'نسخ الرقم',
  hide: 'إخفاء الآن',
  hides_in: 'تُخفى بعد',
  seconds: 'ث',
  pin: 'الرقم السري الجديد',
  pin_hint: 'عدد الخانات {n}، ويصعب تخمينه: لا سنة ميلاد ولا 1234',
  pin_again: 'أعد كتابة الرقم السري',
  set_pin: 'تعيين الرقم السري',
  activate_hint: 'فعّلها عندما تصبح معك. بعد ذلك يمكن استخدامها.',
  activate: 'تفعيل',
  script: 'تحتاج هذه الصفحة إلى JavaScript. شغّله ثم افتحها من جديد.',
  unknown: {
    title: 'انتهت هذه الصفحة',
    detail: 'عُد إلى التطبيق الذي عرضها وافتحها من جديد: سينشئ صفحة جديدة.',
  },
  failed: {
    title: 'حدث خطأ ما',
    detail: 'يرجى الانتظار قليلًا ثم فتحها من جديد.',
  },
  messages: {
    working: 'لحظة من فضلك…',
    done: {
      CARD_DETAILS: 'تظهر بيانات بطاقتك لمدة {n} ثانية.',
      SET_PIN: 'تم تعيين رقمك السري. يمكنك استخدامه فورًا.',
      ACTIVATE: 'بطاقتك مفعّلة. يمكنك استخدامها الآن.',
    },
    hidden: 'أُخفيت البيانات. لرؤيتها مرة أخرى افتحها من جديد في التطبيق.',
    copied: 'تم نسخ رقم البطاقة.',
    uncopied: 'لا يسمح متصفحك بالنسخ. حدّد الرقم بدلًا من ذلك.',
    differ: 'الرقمان غير متطابقين. اكتب رقمك السري من جديد.',
    length: 'عدد خانات الرقم السري لهذه البطاقة: {n}.',
    weak: 'يسهل تخمين هذا الرقم. اختر رقمًا آخر.',
    inactive: 'هذه البطاقة غير مفعّلة، فلا يمكن تعيين رقم سري لها بعد.',
    refused: 'لا يمكن ذلك والبطاقة على حالها الآن.',
    ended: 'انتهت هذه الصفحة. عُد إلى التطبيق وافتحها من جديد.',
    failed: 'حدث خطأ ما. عُد إلى التطبيق وحاول مرة أخرى.',
  },
}

export const texts: Readonly<Record<Language, Texts>> = { en, ar }

/** The first supported language of these: that of the address, then those of the browser. */
export function languageOf(...requested: readonly string[]): Language {
  const primaries = requested
    .flatMap((text) => text.toLowerCase().split(','))
    .map((text) => text.trim().split(/[-_;]/)[0])
  return (
    primaries.flatMap((primary) => languages.filter((language) => language === primary))[0] ?? 'en'
  )
}
