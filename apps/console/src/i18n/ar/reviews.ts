import type { reviews as english } from '../en/reviews.ts'
import type { Texts } from '../texts.ts'

export const reviews: Texts<typeof english> = {}
