import type { Slice } from '#kit/slice.ts'
import { pinRefusals } from './refusals.ts'

export const pinsSlice: Slice = { name: 'pins', refusals: pinRefusals }
