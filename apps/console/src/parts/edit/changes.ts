/** The members that a form has changed, and those that another person has changed meanwhile. */

type Plain = Readonly<Record<string, unknown>>

export type Changes<Body> = {
  [Member in keyof Body]?: Body[Member] extends readonly unknown[]
    ? Body[Member]
    : Body[Member] extends Plain
      ? Changes<Body[Member]>
      : Body[Member]
}

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Whether both say the same; files are the same where they are one. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, at) => isSame(item, other[at]))
  }
  if (isPlain(one) && isPlain(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    return [...names].every((name) => isSame(one[name], other[name]))
  }
  return one === other
}

/**
 * The members that differ. Objects merge member by member at the server, and lists are replaced
 * (D-104); a member that is absent changes nothing.
 */
export function changesOf<Body extends object>(before: Body, after: Body): Changes<Body> {
  const known = new Map<string, unknown>(Object.entries(before))
  const changed = Object.entries(after).flatMap(([name, value]) => {
    const had = known.get(name)
    if (value === undefined || isSame(had, value)) return []
    return [[name, isPlain(had) && isPlain(value) ? changesOf(had, value) : value] as const]
  })
  return Object.fromEntries(changed) as Changes<Body>
}

export const isEmpty = (changes: object): boolean => Object.keys(changes).length === 0

export type Names<Typed> = readonly (keyof Typed & string)[]

const namesOf = <Typed extends object>(of: Readonly<Record<keyof Typed, unknown>>): Names<Typed> =>
  Object.keys(of) as (keyof Typed & string)[]

/** The fields as the form began, as the object is now, and as the member has typed them. */
type Versions<Typed> = { before: Typed; now: Typed; mine: Typed }

/** The fields that another person has changed, unless both have written the same. */
export const changedMeanwhile = <Typed extends object>(
  labels: Readonly<Record<keyof Typed, unknown>>,
  { before, now, mine }: Versions<Typed>,
): Names<Typed> =>
  namesOf<Typed>(labels).filter(
    (name) => !isSame(before[name], now[name]) && !isSame(mine[name], now[name]),
  )

/** The present fields with those that the member has typed in place of them. */
export function typedUpon<Typed extends object>({ before, now, mine }: Versions<Typed>): Typed {
  const own = namesOf<Typed>(mine).filter((name) => !isSame(mine[name], before[name]))
  return { ...now, ...Object.fromEntries(own.map((name) => [name, mine[name]])) }
}
