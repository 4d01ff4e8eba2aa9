/** Every place of an operation's request that can contain an id, found in its schemas. */

import type { Operation, Schema } from './operations.ts'
import type { Sample } from './sample.ts'

export type Place = {
  where: 'path' | 'query' | 'body'
  /** Steps from the outside in; `[]` is the first item of a list. */
  steps: string[]
  name: string
}

type Resolve = (schema: Schema) => Schema

export function idPlacesOf({ parameters, body }: Operation, resolve: Resolve): Place[] {
  const inUrl = parameters
    .filter(({ in: where, schema }) => isId(schema) || where === 'path')
    .map(({ in: where, name }) => ({
      where: where === 'path' ? ('path' as const) : ('query' as const),
      steps: [name],
      name,
    }))
  return [...inUrl, ...(body ? inSchema(body, [], resolve) : [])]
}

function inSchema(given: Schema, steps: string[], resolve: Resolve): Place[] {
  const schema = resolve(given)
  if (isId(schema)) {
    return [{ where: 'body', steps, name: steps.findLast((step) => step !== '[]') ?? '' }]
  }
  return [
    ...(schema.anyOf ?? []).flatMap((branch) => inSchema(branch, steps, resolve)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
      inSchema(member, [...steps, name], resolve),
    ),
    ...(schema.items ? inSchema(schema.items, [...steps, '[]'], resolve) : []),
  ]
}

const isId = ({ format }: Schema) => format === 'uuid'

/** The sample with an id put in a place, and the query that carries it where the place is there. */
export function withId(
  sample: Sample,
  { where, steps }: Place,
  id: string,
): Sample & { query: Record<string, string> } {
  const [name = ''] = steps
  if (where === 'path') return { ...sample, params: { ...sample.params, [name]: id }, query: {} }
  if (where === 'query') return { ...sample, query: { [name]: id } }
  return { ...sample, body: put(sample.body ?? {}, steps, id), query: {} }
}

function put(body: Record<string, unknown>, steps: string[], id: unknown): Record<string, unknown> {
  const [name = '', next, ...rest] = steps
  if (next === undefined) return { ...body, [name]: id }
  if (next === '[]') return { ...body, [name]: rest.length === 0 ? [id] : [put({}, rest, id)] }
  const inner = body[name]
  const object = typeof inner === 'object' && inner !== null ? { ...inner } : {}
  return { ...body, [name]: put(object, [next, ...rest], id) }
}

/** Every place of a string or a number in a body, as steps from the outside in. */
export function leavesOf(body: Schema, resolve: Resolve): string[][] {
  const found = leavesIn(body, [], resolve).map((steps) => JSON.stringify(steps))
  return [...new Set(found)].map((text): string[] => JSON.parse(text))
}

function leavesIn(given: Schema, steps: string[], resolve: Resolve): string[][] {
  const schema = resolve(given)
  const inner = [
    ...(schema.anyOf ?? []).flatMap((branch) => leavesIn(branch, steps, resolve)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
      leavesIn(member, [...steps, name], resolve),
    ),
    ...(schema.items ? leavesIn(schema.items, [...steps, '[]'], resolve) : []),
  ]
  const isLeaf = [schema.type].flat().some((type) => type !== 'object' && type !== 'array')
  return inner.length > 0 || !isLeaf || steps.length === 0 ? inner : [steps]
}

/** A place of a body at which only some values are allowed. */
export type Enumerated = { steps: string[]; words: readonly unknown[] }

/** Every such place, as steps from the outside in; null does not count as a value. */
export function enumeratedOf(
  given: Schema,
  resolve: Resolve,
  steps: string[] = [],
): readonly Enumerated[] {
  const schema = resolve(given)
  const branches = (schema.anyOf ?? []).map(resolve).filter(({ type }) => type !== 'null')
  const [only] = branches
  if (only && branches.length === 1) return enumeratedOf(only, resolve, steps)
  if (schema.enum) return [{ steps, words: schema.enum }]
  return [
    ...branches.flatMap((branch) => enumeratedOf(branch, resolve, steps)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
      enumeratedOf(member, resolve, [...steps, name]),
    ),
    ...(schema.items ? enumeratedOf(schema.items, resolve, [...steps, '[]']) : []),
  ]
}

/** The body with a value in a place. */
export function withValue(body: Record<string, unknown>, steps: string[], value: unknown) {
  return put(body, steps, value)
}

/** The body's JSON with a text in a place, whatever JSON that text is. */
export function withText(body: object, steps: string[], text: string): string {
  const mark = '\ue000'
  return JSON.stringify(put({ ...body }, steps, mark)).replace(`"${mark}"`, () => text)
}
