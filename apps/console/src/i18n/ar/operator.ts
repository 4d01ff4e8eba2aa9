import type { operator as english } from '../en/operator.ts'
import type { Texts } from '../texts.ts'

export const operator: Texts<typeof english> = {}
