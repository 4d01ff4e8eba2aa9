/** What the operations of an OpenAPI document share: named schemas and responses. */

export type Json = { [member: string]: unknown }
/** What operations share, collected while they are written. */
export type Components = { schemas: Json; responses: Json }

/** Replaces titled schemas by references and collects them. */
export function hoist(schema: unknown, schemas: Json): unknown {
  if (Array.isArray(schema)) return schema.map((item) => hoist(item, schemas))
  if (schema === null || typeof schema !== 'object') return schema
  const members = Object.fromEntries(
    Object.entries(schema)
      .filter(([name]) => !name.startsWith('~'))
      .map(([name, member]) => [name, hoist(member, schemas)]),
  )
  const { title } = members
  if (typeof title !== 'string' || !('type' in members)) return members
  const known = schemas[title]
  if (known !== undefined && JSON.stringify(known) !== JSON.stringify(members)) {
    throw new Error(`two schemas have the title ${title}`)
  }
  schemas[title] = members
  return { $ref: `#/components/schemas/${title}` }
}
