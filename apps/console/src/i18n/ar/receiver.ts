import type { receiver as english } from '../en/receiver.ts'
import type { Texts } from '../texts.ts'

export const receiver: Texts<typeof english> = {}
