/** The parts of a sample. */

import type { Form } from '../files.ts'
import type { Belongings } from './belongings.ts'

/** Parameters of path and query by name, and the body: JSON, or a form that holds files. */
export type Sample = {
  params?: Record<string, string>
  body?: Record<string, unknown>
  form?: Form
}
export type SampleOf = (belongings: Belongings) => Sample
export type Samples = Readonly<Record<string, SampleOf>>

export const none: SampleOf = () => ({})
export const of =
  (kind: keyof Belongings['ids'], body?: Record<string, unknown>): SampleOf =>
  ({ ids }) => ({ params: { id: ids[kind] ?? '' }, ...(body && { body }) })
export const bodyOf =
  (make: (belongings: Belongings) => Record<string, unknown>): SampleOf =>
  (belongings) => ({ body: make(belongings) })
