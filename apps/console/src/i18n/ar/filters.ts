import type { filters as english } from '../en/filters.ts'
import type { Texts } from '../texts.ts'

export const filters: Texts<typeof english> = {
  title: 'عوامل التصفية',
  all: 'الكل',
  no_fit: 'لا شيء يطابق عوامل التصفية',
  no_fit_text: 'قد يوجد المزيد بدونها.',
  clear: 'إزالة عوامل التصفية',
}
