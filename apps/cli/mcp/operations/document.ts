/** The issuing API as its OpenAPI document describes it, and its schemas as tools have them. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OpenApi, referredIn, type Schema, type Schemas } from '#lib/openapi.ts'
import { ROOT } from '../../kit/platform.ts'

/** Made by tools/generate.ts; the tools are those of this version, whatever a platform answers. */
export function readDocument(): OpenApi {
  const path = join(ROOT, 'docs/openapi/issuing.json')
  // Written by openapiOf, whose contract tests hold it to this form.
  return JSON.parse(readFileSync(path, 'utf8')) as OpenApi
}

/** Formats of JSON Schema; a client may refuse a schema with another. */
const FORMATS: ReadonlySet<unknown> = new Set(['uuid', 'date', 'date-time', 'email', 'uri'])

/** Members that are for people who read the document, and that would only be tokens to a model. */
const LEFT_OUT = new Set(['title', 'examples'])

const isLeftOut = (word: string, value: unknown) =>
  LEFT_OUT.has(word) || word.startsWith('x-') || (word === 'format' && !FORMATS.has(value))

/**
 * The schema with every `$ref` replaced by what it names, since not every client follows one. A
 * schema within itself is any value there.
 */
export function resolved(schema: Schema, schemas: Schemas, within: readonly string[] = []) {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow)
    if (typeof value !== 'object' || value === null) return value
    const members = value as Schema
    const name = referredIn(members)
    if (name === undefined) return membersOf(members)
    const found = schemas[name]
    if (!found) throw new Error(`the document has no schema ${name}`)
    return within.includes(name) ? {} : resolved(found, schemas, [...within, name])
  }
  const membersOf = (members: Schema): Schema =>
    Object.fromEntries(
      Object.entries(members)
        .filter(([name, value]) => !isLeftOut(name, value))
        .map(([name, value]) => [
          name,
          // Names of properties are no words of the schema.
          name === 'properties' ? propertiesOf(value as Schemas) : follow(value),
        ]),
    )
  const propertiesOf = (properties: Schemas) =>
    Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, follow(value)]))
  // A schema is an object, and so is what it becomes.
  return follow(schema) as Schema
}
