/** The members that schemas name. */

import type { Schema } from './operations.ts'

type Resolve = (schema: Schema) => Schema

/** The names of all members, those of inner objects too. */
export function memberNames(given: Schema, resolve: Resolve): string[] {
  const schema = resolve(given)
  return [
    ...branchesOf(schema).flatMap((branch) => memberNames(branch, resolve)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      name,
      ...memberNames(member, resolve),
    ]),
  ]
}

/** The places of objects that name their members within an object, as steps from the outside in. */
export function objectsOf(body: Schema, resolve: Resolve): string[][] {
  const found = objectsIn(body, [], resolve).map((steps) => JSON.stringify(steps))
  return [...new Set(found)].map((text): string[] => JSON.parse(text))
}

function objectsIn(given: Schema, steps: string[], resolve: Resolve): string[][] {
  const schema = resolve(given)
  const { items, properties } = schema
  const inner = [
    ...(schema.anyOf ?? []).flatMap((branch) => objectsIn(branch, steps, resolve)),
    ...(items ? objectsIn(items, [...steps, '[]'], resolve) : []),
    ...Object.entries(properties ?? {}).flatMap(([name, member]) =>
      objectsIn(member, [...steps, name], resolve),
    ),
  ]
  return properties && steps.length > 0 ? [steps, ...inner] : inner
}

const branchesOf = ({ anyOf = [], items }: Schema) => (items ? [...anyOf, items] : anyOf)
