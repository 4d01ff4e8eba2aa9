/** The issuing API as its OpenAPI document describes it, in the parts that tools are made of. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../../kit/platform.ts'

export type Schema = { readonly [member: string]: unknown }
export type Properties = { readonly [name: string]: Schema }

type Media = { readonly [type: string]: { schema?: Schema } }
type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

export type DocumentedOperation = {
  operationId: string
  summary: string
  description: string
  tags: readonly [string]
  'x-permission': string
  'x-sandbox'?: true
  parameters?: readonly Parameter[]
  requestBody?: { required?: boolean; content: Media }
  responses: { readonly [status: string]: { description?: string; content?: Media } }
}

type Document = {
  info: { version: string }
  tags: readonly { name: string; description: string }[]
  paths: { readonly [path: string]: { readonly [method: string]: DocumentedOperation } }
  components: { schemas: { readonly [name: string]: Schema } }
}

/** Made by tools/generate.ts; the tools are those of this version, whatever a platform answers. */
export function readDocument(): Document {
  const path = join(ROOT, 'docs/openapi/issuing.json')
  // Written by openapiOf, whose contract tests hold it to this form.
  return JSON.parse(readFileSync(path, 'utf8')) as Document
}

export const JSON_TYPE = 'application/json'

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
export function resolved(schema: Schema, schemas: Properties, within: readonly string[] = []) {
  const follow = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(follow)
    if (typeof value !== 'object' || value === null) return value
    const { $ref, ...others } = value as Schema
    if (typeof $ref !== 'string') return membersOf(others)
    const name = $ref.replace('#/components/schemas/', '')
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
          name === 'properties' ? propertiesOf(value as Properties) : follow(value),
        ]),
    )
  const propertiesOf = (properties: Properties) =>
    Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, follow(value)]))
  // A schema is an object, and so is what it becomes.
  return follow(schema) as Schema
}
