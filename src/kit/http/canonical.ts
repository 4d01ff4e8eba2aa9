/** The text of a JSON value that is the same however its members are ordered. */

/**
 * As `JSON.stringify`, with the members of every object in the order of their code units. Undefined
 * members are left out, and dates are as JSON has them. The text of `undefined` is empty.
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) => sorted(member)) ?? ''
}

function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
  const names = Object.keys(value)
  // Names that are numbers come first in every object, whatever the order that they are added in.
  return names.length < 2
    ? value
    : Object.fromEntries(names.sort().map((name) => [name, Object(value)[name]]))
}
