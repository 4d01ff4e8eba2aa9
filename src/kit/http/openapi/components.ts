/** The parts that operations of an OpenAPI document share: named schemas and responses. */

export type Json = { [member: string]: unknown }

/** The parts that operations share, collected while they are written. */
export type Components = {
  schemas: Json
  responses: Json
  /** Schemas that were read before: routes share most of them. */
  hoisted: WeakMap<object, object>
}

export const newComponents = (): Components => ({
  schemas: {},
  responses: {},
  hoisted: new WeakMap(),
})

/** Replaces titled schemas by references and collects them. */
export function hoist(schema: unknown, components: Components): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, components))
  if (schema === null || typeof schema !== 'object') return schema
  const hoisted = components.hoisted.get(schema) ?? hoistNew(schema, components)
  components.hoisted.set(schema, hoisted)
  return hoisted
}

function hoistNew(schema: object, components: Components): object {
  const members = Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => !name.startsWith('~'))
      .map(([name, member]) => [name, hoist(member, components)]),
  )
  const { title } = members
  if (typeof title !== 'string' || !('type' in members)) return members
  const known = components.schemas[title]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(members)) {
    throw new Error(`two schemas have the title ${title}`)
  }
  components.schemas[title] = members
  return { $ref: `#/components/schemas/${title}` }
}
