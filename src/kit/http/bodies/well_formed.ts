/** The well-formed members of a body with faults (D-1000). */

import { isUseful, type ShapeFault } from '../answers/problems.ts'

type Members = Record<string, unknown>
/** Steps from the outside in. */
type Steps = readonly string[]

export const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export type WellFormed = {
  body: Members
  /** The paths of the members that are left out. */
  left_out: readonly string[]
}

/** `found` are faults of its schema, `others` those of its members that no schema finds. */
export function wellFormed(
  body: Members,
  found: readonly ShapeFault[],
  others: readonly { path: string }[],
): WellFormed {
  const steps = [
    ...found.filter(isUseful).map(stepsTo),
    ...others.map(({ path }) => path.split('.')),
  ]
  const made = structuredClone(body)
  for (const one of steps) remove(made, one)
  return { body: made, left_out: steps.map((one) => one.join('.')) }
}

/** An item at fault removes its whole list, since the indexes of the others would change. */
function remove(root: Members, steps: Steps): void {
  let holder: object = root
  let [named, name]: [Members, string | undefined] = [root, steps[0]]
  for (const step of steps) {
    if (isObject(holder)) [named, name] = [holder, step]
    const member: unknown = Object.hasOwn(holder, step) ? Reflect.get(holder, step) : undefined
    if (typeof member !== 'object' || member === null) break
    holder = member
  }
  if (name !== undefined) delete named[name]
}

/** The member at fault, as steps from the outside in. */
function stepsTo({ instancePath, params }: ShapeFault): string[] {
  const { additionalProperty, missingProperty } = params as {
    additionalProperty?: string
    missingProperty?: string
  }
  const steps = instancePath.split('/').slice(1)
  const decoded = steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  return [...decoded, additionalProperty ?? missingProperty ?? []].flat()
}
