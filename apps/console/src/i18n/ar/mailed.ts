import type { mailed as english } from '../en/mailed.ts'
import type { Texts } from '../texts.ts'

export const mailed: Texts<typeof english> = {
  invitation_lead: 'اختر كلمة مرور لتنضم إلى الفريق الذي دعاك.',
  join: 'انضمام',
  reset_lead: 'اختر كلمة مرور جديدة. تنتهي كل جلساتك.',
  replace: 'استبدال كلمة المرور',
  replaced: 'استُبدلت كلمة المرور. سجّل الدخول بها.',
  factors: 'العوامل الثانية لهذا الحساب',
  factors_text: 'تطبيق المصادقة: {{totp}}. مفاتيح المرور: {{passkeys}}. أزل ما فقدته أو لا تعرفه.',
  has_totp: 'مُعدّ',
  has_no_totp: 'لا يوجد',
  remove_factors: 'إزالة كل العوامل الثانية',
  forgot_lead: 'أدخل بريدك الإلكتروني ليُرسل إليه رابط لاختيار كلمة مرور جديدة.',
  forgot_sent:
    'إن كان هناك حساب بهذا البريد فالرابط في طريقه إليه، وهو صالح لمدة ' +
    '{{reset_minutes}} دقيقة.',
  send: 'إرسال الرابط',
  back: 'العودة إلى تسجيل الدخول',
  confirm_lead: 'بقيت خطوة واحدة: أكّد أن هذا البريد الإلكتروني لك.',
  confirm: 'تأكيد',
}
