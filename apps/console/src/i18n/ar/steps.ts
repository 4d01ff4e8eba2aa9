import type { steps as english } from '../en/steps.ts'
import type { Texts } from '../texts.ts'

export const steps: Texts<typeof english> = {
  lead: 'خمسة استدعاءات من مستخدم جديد إلى عملية شراء موافق عليها، وكل منها يعمل هنا في بيئتك.',
  progress: 'اكتمل {{done}} من {{all}}',
  request: 'الطلب',
  response: 'الاستجابة',
  calls: 'الطلب والاستجابة',
  changed: 'ما الذي تغيّر',
  again: 'ابدأ من جديد',
  waiting: 'شغّل الخطوة السابقة أولًا.',
  done: 'تمت',
  user: {
    title: 'أنشئ مستخدمًا',
    text: 'المستخدم هو الشخص الذي يحمل البطاقة.',
    result: '{{name}} حالته {{status}} ويمكنه حمل البطاقات.',
  },
  card: {
    title: 'أصدر بطاقة وفعّلها',
    text: 'بطاقة افتراضية من أول منتج بطاقات لديك، ولها حساب خاص بها.',
    result: 'البطاقة {{number}} حالتها {{status}}. لحسابها عملة البطاقة.',
  },
  load: {
    title: 'أضف رصيدًا',
    text: 'يأتي المال من تمويل برنامج مؤسستك.',
    result: 'في الحساب {{balance}} وكلها متاحة.',
  },
  purchase: {
    title: 'ادفع في متجر',
    text: 'ترسل البيئة التجريبية طلب متجر كما تفعل شبكة البطاقات.',
    result: 'أجاب المحرك {{code}} {{description}}. المحجوز {{amount}}.',
    declined: 'رفض المحرك {{amount}}: {{code}} {{description}}. لم يُحجز شيء. شغّل الخطوة مجددا.',
  },
  decision: {
    title: 'اطّلع على القرار',
    text: 'كل فحص أجراه المحرك وما رآه.',
    result: 'لم يتغيّر شيء: اجتيز {{count}} فحصًا، لذلك وُوفق على الشراء.',
  },
  finished: 'وُوفق على الشراء. غيّر ما يرسله المتجر في المحاكي.',
  open_transaction: 'افتح المعاملة',
  open_simulator: 'افتح المحاكي',
  no_product: 'ليس لمؤسستك منتج بطاقات نشط. أنشئ واحدًا ثم عُد.',
}
