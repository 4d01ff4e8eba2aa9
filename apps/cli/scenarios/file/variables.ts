/** Variables in the texts of a step: `${card_id}`. Pure. */

export type Variables = ReadonlyMap<string, unknown>

const REFERENCE = /\$\{([^{}]*)\}/g
const WHOLE = /^\$\{([^}]*)\}$/

/** A text refers to a variable that no step before it has set. */
export class UnknownVariable extends Error {
  constructor(name: string) {
    super(`no step before this one sets the variable ${name}`)
  }
}

/**
 * A copy in which each reference is replaced. A text that is a reference alone becomes the value
 * with its type. Throws UnknownVariable.
 */
export function fill(value: unknown, variables: Variables): unknown {
  if (typeof value === 'string') return fillText(value, variables)
  if (Array.isArray(value)) return value.map((member) => fill(member, variables))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([member, inner]) => [member, fill(inner, variables)]),
  )
}

function fillText(text: string, variables: Variables): unknown {
  const whole = WHOLE.exec(text)?.[1]
  if (whole !== undefined) return valueNamed(whole, variables)
  return text.replaceAll(REFERENCE, (_reference, name: string) =>
    String(valueNamed(name, variables)),
  )
}

function valueNamed(name: string, variables: Variables): unknown {
  if (!variables.has(name)) throw new UnknownVariable(name)
  return variables.get(name)
}

/** The names that a text refers to. */
export const namesIn = (text: string): string[] =>
  [...text.matchAll(REFERENCE)].map(([, name = '']) => name)

/** The member of an answer at a path such as `data.0.id`; undefined if there is none. */
export function memberAt(value: unknown, path: string): unknown {
  let found = value
  for (const member of path.split('.')) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, member)) {
      return undefined
    }
    found = (found as Record<string, unknown>)[member]
  }
  return found
}
