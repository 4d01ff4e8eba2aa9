import type { wire as english } from '../en/wire.ts'
import type { Texts } from '../texts.ts'

export const wire: Texts<typeof english> = {}
