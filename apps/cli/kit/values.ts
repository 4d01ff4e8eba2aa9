/** Values as JSON has them. */

export type Value = string | number | boolean | null | readonly Value[] | Members
export type Members = { readonly [member: string]: Value }

/** The names and indices of members, from the outermost on. */
export type Path = readonly (string | number)[]

export const isMembers = (value: Value | undefined): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value of a text of JSON; undefined for any other text. */
export function valueIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
