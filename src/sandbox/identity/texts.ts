/** The texts of the applicant's page in each language. */

import type { Kind } from './media.ts'

export const languages = ['en', 'ar'] as const
export type Language = (typeof languages)[number]

export type FileFault = 'missing' | 'type' | 'size'

type Notice = 'received' | 'ended' | 'unknown' | 'failed'

export type Texts = {
  direction: 'ltr' | 'rtl'
  other: { language: Language; name: string }
  title: string
  intro: string
  labels: Record<Kind, string>
  hints: Record<Kind, string>
  optional: string
  faults: Record<FileFault, string>
  check: string
  send: string
  safe: string
  notices: Record<Notice, { title: string; detail: string }>
}

const en: Texts = {
  direction: 'ltr',
  other: { language: 'ar', name: 'العربية' },
  title: 'Verify your identity',
  intro: 'Have your passport or identity card at hand, and a place with good light.',
  labels: {
    document_front: 'Front of your document',
    document_back: 'Back of your document',
    face: 'A short video of your face',
  },
  hints: {
    document_front: 'The page or side with your picture. All four corners must show.',
    document_back: 'An identity card has a back; a passport needs none.',
    face:
      'Five seconds are enough: look at the camera, then turn your head slowly. ' +
      'A picture will do where your phone takes no video.',
  },
  optional: 'if there is one',
  faults: {
    missing: 'Take or choose a picture',
    type: 'This kind of file cannot be used: take a picture or a video',
    size: 'This file is too large: up to 60 MB',
  },
  check: 'Please check what you chose',
  send: 'Send',
  safe: 'Your pictures go to the identity check alone.',
  notices: {
    received: {
      title: 'Thank you, we have your documents',
      detail: 'You can close this page. The app or shop that sent you here goes on from now.',
    },
    ended: {
      title: 'This page has ended',
      detail: 'Go back to the app that sent you here and start again: it makes a new page.',
    },
    unknown: {
      title: 'This page does not exist',
      detail: 'Check the address, or start again from the app that sent you here.',
    },
    failed: {
      title: 'Something went wrong',
      detail: 'Please wait a moment and try again. Nothing was lost but what you just sent.',
    },
  },
}

const ar: Texts = {
  direction: 'rtl',
  other: { language: 'en', name: 'English' },
  title: 'تحقق من هويتك',
  intro: 'جهّز جواز سفرك أو بطاقة هويتك، واختر مكانًا جيد الإضاءة.',
  labels: {
    document_front: 'الوجه الأمامي للمستند',
    document_back: 'الوجه الخلفي للمستند',
    face: 'مقطع فيديو قصير لوجهك',
  },
  hints: {
    document_front: 'الصفحة أو الوجه الذي يحمل صورتك. يجب أن تظهر الزوايا الأربع.',
    document_back: 'لبطاقة الهوية وجه خلفي، أما جواز السفر فلا يحتاج إليه.',
    face:
      'خمس ثوانٍ تكفي: انظر إلى الكاميرا ثم أدر رأسك ببطء. ' +
      'تكفي صورة إذا كان هاتفك لا يسجل الفيديو.',
  },
  optional: 'إن وُجد',
  faults: {
    missing: 'التقط صورة أو اخترها',
    type: 'لا يمكن استخدام هذا النوع من الملفات: التقط صورة أو فيديو',
    size: 'هذا الملف كبير جدًا: الحد الأقصى 60 ميغابايت',
  },
  check: 'يرجى التحقق مما اخترته',
  send: 'إرسال',
  safe: 'تُستخدم صورك للتحقق من الهوية فقط.',
  notices: {
    received: {
      title: 'شكرًا لك، وصلتنا مستنداتك',
      detail: 'يمكنك إغلاق هذه الصفحة. سيتابع التطبيق الذي أرسلك إلى هنا من الآن.',
    },
    ended: {
      title: 'انتهت صلاحية هذه الصفحة',
      detail: 'عُد إلى التطبيق الذي أرسلك إلى هنا وابدأ من جديد: سينشئ صفحة جديدة.',
    },
    unknown: {
      title: 'هذه الصفحة غير موجودة',
      detail: 'تحقق من العنوان أو ابدأ من جديد من التطبيق الذي أرسلك إلى هنا.',
    },
    failed: {
      title: 'حدث خطأ ما',
      detail: 'يرجى الانتظار قليلًا ثم المحاولة مرة أخرى. لم يُفقد سوى ما أرسلته الآن.',
    },
  },
}

export const texts: Readonly<Record<Language, Texts>> = { en, ar }

/** The first supported language: that of the address, then those of the browser's preferences. */
export function languageOf(...preferences: readonly string[]): Language {
  const primaries = preferences.flatMap((text) => text.toLowerCase().split(',')).map(primaryOf)
  return primaries.flatMap((name) => languages.filter((known) => known === name))[0] ?? 'en'
}

const primaryOf = (text: string) => text.trim().split(/[-_;]/)[0] ?? ''
