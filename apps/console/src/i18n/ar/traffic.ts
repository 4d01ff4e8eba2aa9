import type { traffic as english } from '../en/traffic.ts'
import type { Texts } from '../texts.ts'

export const traffic: Texts<typeof english> = {}
