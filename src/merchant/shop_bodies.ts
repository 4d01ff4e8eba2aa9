/** Bodies as shops write them (D-1009): PHP has `[]` for an object, `false` and `''` for nothing. */

import { isObject } from '#kit/http/bodies/well_formed.ts'

/** The keywords of a member's schema that are read here. */
export type Shape = {
  type?: unknown
  properties?: Readonly<Record<string, Shape>>
  required?: readonly string[]
  items?: Shape
}

/** It moves money: a capture without it takes all. */
const STRICT = 'total'

/** Leaves `[]`, `false` and `''` out if an optional member can have none; changes `value`. */
export function leaveOutNothings(shape: Shape, value: unknown): void {
  if (Array.isArray(value)) {
    for (const item of shape.items ? value : []) leaveOutNothings(shape.items ?? {}, item)
  }
  if (!isObject(value)) return
  const { properties = {}, required = [] } = shape
  for (const [name, member] of Object.entries(properties)) {
    const isOptional = !required.includes(name) && name !== STRICT
    if (isOptional && isNothing(value[name], [member.type].flat())) delete value[name]
    else leaveOutNothings(member, value[name])
  }
}

function isNothing(value: unknown, types: readonly unknown[]): boolean {
  if (Array.isArray(value)) return value.length === 0 && !types.includes('array')
  // Texts may be empty, and mean then that there is none (D-82).
  if (value === '') return !types.includes('string')
  return value === false && !types.includes('boolean')
}
