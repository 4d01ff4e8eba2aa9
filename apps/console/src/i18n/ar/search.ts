import type { search as english } from '../en/search.ts'
import type { Texts } from '../texts.ts'

export const search: Texts<typeof english> = {}
