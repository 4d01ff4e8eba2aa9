import type { gallery } from './en/gallery.ts'
import type { outside } from './en/parts_entrance.ts'
import type { first } from './en/parts_first.ts'
import type { objects } from './en/parts_objects.ts'
import type { platform } from './en/parts_platform.ts'
import type { texts } from './en/parts_program.ts'
import type { trials } from './en/parts_trials.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: {
      translation: typeof first &
        typeof outside &
        typeof objects &
        typeof platform &
        typeof trials &
        typeof texts & { gallery: typeof gallery }
    }
    returnNull: false
  }
}
