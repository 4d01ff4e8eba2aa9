import type { Slice } from '#kit/slice.ts'
import { peopleErrors } from './errors.ts'

export const peopleSlice: Slice = { name: 'people', errors: peopleErrors }
