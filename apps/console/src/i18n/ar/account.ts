import type { account as english } from '../en/account.ts'
import type { Texts } from '../texts.ts'

export const account: Texts<typeof english> = {
  email: 'البريد الإلكتروني',
  password: 'كلمة المرور',
  password_hint:
    'من {{password_least}} إلى {{password_most}} حرفًا. بضع كلمات لا صلة بينها كلمة مرور جيدة.',
  show: 'أظهر ما يُكتب',
  sign_in: 'تسجيل الدخول',
  key: 'مفتاح الواجهة البرمجية',
  code: 'الرمز',
  code_hint: 'ستة أرقام من تطبيق المصادقة، أو رمز استرداد.',
  verify: 'تحقق',
  wrong: 'البريد الإلكتروني أو كلمة المرور غير صحيحة.',
  back: 'العودة إلى كلمة المرور',
  code_wrong: 'الرمز غير صحيح أو انتهت صلاحيته.',
  email_wrong: 'أدخل بريدًا إلكترونيًا، مثل layla@example.com.',
  password_length: 'اختر من {{password_least}} إلى {{password_most}} حرفًا.',
  password_common: 'هذه من أكثر كلمات المرور شيوعًا. اختر غيرها.',
  password_email: 'يجب ألا تكون كلمة المرور هي البريد الإلكتروني.',
  password_organization: 'يجب ألا تكون كلمة المرور هي اسم المؤسسة.',
  organization_wrong: 'أدخل اسم مؤسستك في 100 حرف على الأكثر.',
  passkey_address: 'لا تعمل مفاتيح المرور على عنوان من أرقام.',
  passkey_open: 'استخدمها على {{host}}',
  too_many: 'محاولات كثيرة. انتظر {{attempts_minutes}} دقيقة ثم أعد المحاولة.',
  or: 'أو',
}
