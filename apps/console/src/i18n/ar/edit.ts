import type { edit as english } from '../en/edit.ts'
import type { Texts } from '../texts.ts'

export const edit: Texts<typeof english> = {
  title: 'تغيّر هذا في هذه الأثناء',
  text:
    'غيّره شخص آخر، أو علامة تبويب أخرى، بعد أن فتحت هذا النموذج. لم يُحفظ شيء منك بعد. لا يغيّر ' +
    'الحفظ إلا ما غيّرته بنفسك.',
  before: 'قبل',
  now: 'الآن',
  mine: 'قيمتك',
  take: 'إبقاء القيمة الحالية',
  save_mine: 'حفظ تغييراتي',
  discard: 'تجاهل تغييراتي',
  idle: 'لم يتغيّر شيء بعد.',
  yes: 'نعم',
  no: 'لا',
}
