import type { gallery as english } from '../en/gallery.ts'
import type { Texts } from '../texts.ts'

export const gallery: Texts<typeof english> = {}
