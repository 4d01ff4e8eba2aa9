import type { downloads as english } from '../en/downloads.ts'
import type { Texts } from '../texts.ts'

export const downloads: Texts<typeof english> = {
  export: 'تصدير CSV',
  downloads: 'كيفية كتابة الملفات',
  mark: 'البدء بعلامة ترتيب البايتات (لبرنامج Excel)',
  too_many_rows: 'في القائمة أكثر من 10,000 صف. قلّلها بعوامل التصفية، أو اقرأها عبر واجهة API.',
}
