import type { people as english } from '../en/people.ts'
import type { Texts } from '../texts.ts'

export const people: Texts<typeof english> = {
  users: {
    lead: 'الأشخاص والشركات الذين يحملون البطاقات.',
    all: 'جميع المستخدمين',
    none: 'لا يوجد مستخدمون',
    none_text: 'أنشئ مستخدمًا هنا، أو أرسل POST /v1/users.',
    create: 'إنشاء مستخدم',
    create_text: 'شخص له اسم. تقبل الواجهة البرمجية بقية حقول المستخدم.',
    first_name: 'الاسم الأول',
    last_name: 'اسم العائلة',
    mobile: 'الهاتف المحمول',
    born: 'تاريخ الميلاد',
    nationality: 'الجنسية',
    facts: 'ذات صلة',
    cards: 'بطاقات هذا المستخدم',
    accounts: 'حسابات هذا المستخدم',
  },
  api_keys: {
    lead: 'تستدعي برامجك الواجهة البرمجية بمفتاح. تظهر قيمته مرة واحدة ولا تتغير.',
    all: 'المفاتيح الفعالة',
    none: 'لا توجد مفاتيح',
    none_text: 'أنشئ مفتاحًا لاستدعاء الواجهة البرمجية من برنامجك.',
    prefix: 'يبدأ بـ',
    permissions: 'الصلاحيات',
    never: 'لم يُستخدم',
    unnamed: 'بلا اسم',
    made_by: 'أنشأه',
    operator: 'المشغّل',
    create: 'إنشاء مفتاح',
    create_text: 'لا تتجاوز صلاحيات المفتاح صلاحيات دورك.',
    made: 'أُنشئ المفتاح',
    made_text: 'احفظه الآن، فهو يظهر مرة واحدة. من يملكه يتصرف باسم مؤسستك.',
    revoke: 'إلغاء',
    revoke_text: 'لا تقبل أي عملية المفتاح بعد ثانية. لا يمكن التراجع عن ذلك.',
  },
}
