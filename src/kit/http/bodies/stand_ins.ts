/**
 * What stands in for the members at fault, so that the rules run on the rest of a body (D-570).
 */

import { isUseful, type ShapeFault } from '../answers/problems.ts'

/** TypeBox schemas are plain JSON schema objects. */
export type BodySchema = {
  type?: string | readonly string[]
  enum?: readonly unknown[]
  const?: unknown
  pattern?: string
  examples?: readonly unknown[]
  format?: string
  anyOf?: readonly BodySchema[]
  properties?: Readonly<Record<string, BodySchema>>
  items?: BodySchema
  required?: readonly string[]
}

/** The most bodies that are made for one request. */
const BODIES_MAX = 32

const ABSENT = Symbol('absent')
/** Replace a text of a format that the rules need; nothing has the id. */
const TEXTS: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-0000-0000-000000000000',
  'date-time': '2020-01-01T00:00:00.000Z',
  'date-or-instant': '2020-01-01',
  'not-blank': 'A name',
}
/** Replaces an amount; it is valid in every currency. */
const AN_AMOUNT = 1

type Members = Record<string, unknown>
/** Steps from the outside in. */
type Steps = readonly string[]
type Place = { steps: Steps; values: readonly unknown[] }

export const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

export type Rest = {
  /** The members that are left out, or may be: their paths. */
  left_out: readonly { path: string }[]
  /** None where nothing can stand in for a member that the rules need. */
  bodies: Iterable<Members>
}

/**
 * The rest of a body with faults. Every value that is allowed at an enumerated member stands in for
 * it, in all combinations while these are few, else each value at least once. A member whose values
 * cannot be listed is left out.
 */
export function restOf(
  schema: BodySchema,
  body: Members,
  found: readonly ShapeFault[],
  others: readonly { path: string }[],
): Rest {
  const useful = found.filter(isUseful)
  const steps = [...useful.map(stepsTo), ...others.map(({ path }) => path.split('.'))]
  const places = placesOf(schema, steps)
  const left_out = places.filter(({ values }) => values.includes(ABSENT))
  return {
    left_out: left_out.map((place) => ({ path: place.steps.join('.') })),
    bodies: places.some(({ values }) => values.length === 0) ? [] : combined(body, places),
  }
}

function* combined(body: Members, places: readonly Place[]): Generator<Members> {
  const counts = places.map(({ values }) => values.length)
  const all = counts.reduce((product, count) => product * count, 1)
  const count = Math.min(all <= BODIES_MAX ? all : Math.max(...counts), BODIES_MAX)
  for (let at = 0; at < count; at++) {
    let rest = at
    yield withValues(body, places, (length) => {
      if (all > BODIES_MAX) return at % length
      const index = rest % length
      rest = Math.floor(rest / length)
      return index
    })
  }
}

/** The places at fault with what stands in there. */
function placesOf(schema: BodySchema, steps: readonly Steps[]): Place[] {
  const unique = new Map(steps.map((one) => [one.join('/'), one]))
  unique.delete('')
  return [...unique.values()].map((of) => {
    const at = schemaAt(schema, of)
    return { steps: of, values: at ? standIns(at, isRequired(schema, of)) : [ABSENT] }
  })
}

/** None for a member that the rules need, with a pattern of which the schema has no examples. */
function standIns(schema: BodySchema, isNeeded: boolean): readonly unknown[] {
  const branches = branchesOf(schema).filter(({ type }) => type !== 'null')
  const words = branches.flatMap((branch) => ('const' in branch ? [branch.const] : branch.enum))
  if (words.every((word) => word !== undefined)) return words
  if (branches.every(({ type }) => type === 'boolean')) return [true, false]
  const [{ pattern, format, examples } = {}] = branches
  if (examples) return examples
  const isAmount = branches.length > 1 && branches.some(({ type }) => type === 'number')
  if (!isNeeded) return isAmount ? [ABSENT, AN_AMOUNT] : [ABSENT]
  if (isAmount) return [AN_AMOUNT]
  const text = TEXTS[format ?? '']
  if (text !== undefined) return [text]
  return pattern === undefined ? [ABSENT] : []
}

const branchesOf = (schema: BodySchema): readonly BodySchema[] =>
  schema.anyOf?.flatMap(branchesOf) ?? [schema]

/** Schemas of choices are searched branch by branch. */
function schemaAt(schema: BodySchema, [step, ...rest]: Steps): BodySchema | undefined {
  if (step === undefined) return schema
  for (const branch of branchesOf(schema)) {
    const own = Object.hasOwn(branch.properties ?? {}, step) ? branch.properties?.[step] : undefined
    const member = own ?? (/^\d+$/.test(step) ? branch.items : undefined)
    const found = member && schemaAt(member, rest)
    if (found) return found
  }
  return undefined
}

function isRequired(schema: BodySchema, steps: Steps): boolean {
  const holder = schemaAt(schema, steps.slice(0, -1))
  const name = steps.at(-1) ?? ''
  return holder !== undefined && branchesOf(holder).some((one) => one.required?.includes(name))
}

/** Follows own members only: `__proto__.toString` would reach outside the body. */
function memberAt(root: unknown, steps: Steps): unknown {
  return steps.reduce<unknown>((holder, step) => {
    const isOwn = typeof holder === 'object' && holder !== null && Object.hasOwn(holder, step)
    return isOwn ? Reflect.get(holder, step) : undefined
  }, root)
}

type Choose = (length: number) => number

function withValues(body: Members, places: readonly Place[], choose: Choose): Members {
  const made = structuredClone(body)
  const chosen = places.map(({ steps, values }) => ({
    steps,
    value: values[choose(values.length)],
  }))
  // What is left out may take a whole list along, which would put other values in wrong places.
  for (const { steps, value } of chosen) if (value !== ABSENT) put(made, steps, value)
  for (const { steps, value } of chosen) if (value === ABSENT) remove(made, steps)
  return made
}

function put(root: Members, steps: Steps, value: unknown): void {
  const holder = memberAt(root, steps.slice(0, -1))
  if (typeof holder === 'object' && holder !== null) {
    Object.defineProperty(holder, steps.at(-1) ?? '', {
      ...{ value, enumerable: true, configurable: true, writable: true },
    })
  }
}

/** An item at fault removes its whole list, since the indexes of the others would change. */
function remove(root: Members, steps: Steps): void {
  let holder = root
  for (const [at, step] of steps.entries()) {
    const member = Object.hasOwn(holder, step) ? holder[step] : undefined
    if (at === steps.length - 1 || !isObject(member)) {
      delete holder[step]
      return
    }
    holder = member
  }
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
