import type { said as english } from '../en/said.ts'
import type { Texts } from '../texts.ts'

export const said: Texts<typeof english> = {
  did: '{{what}}: تم.',
  now: '{{what}}: تم. الحالة الآن {{status}}.',
  ended: '{{what}}: انتهى بالحالة {{status}}.',
  saved: 'تم الحفظ: {{names}}.',
  comma: '، ',
  allowed: '{{what}}: مسموح الآن.',
  not_allowed: '{{what}}: لم يعد مسموحًا.',
}
