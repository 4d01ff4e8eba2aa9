/**
 * The JSON schema of a programme's file, made of the OpenAPI document of the issuing API: a member
 * is one that the API accepts and answers, with its description and its bounds. `null` clears a
 * member that an answer may lack; every other one always has a value (D-832).
 */

import { type Contents, JSON_TYPE, type OpenApi, referredIn, type Schema } from '#lib/openapi.ts'
import { KINDS, LIMITS, LISTS, SECTIONS, type Section } from './kinds.ts'

export const SCHEMA_PATH = 'docs/openapi/programme.schema.json'

/** How a setting says that a tenant's key may not write it. */
const NO_KEY = /Only the operator may change it|no API key of the tenant may/
const ENVIRONMENT: Schema = {
  type: 'string',
  pattern: '^\\$\\{env:[A-Za-z_][A-Za-z0-9_]{0,99}\\}$',
}
const NAMES_MAX = 1000

export function schemaOf(document: OpenApi): Schema {
  const read = readerOf(document)
  const sections = SECTIONS.map((section) => [section, sectionSchema(section, read)] as const)
  const settings = read.body('put', '/tenantsettings')
  const own = Object.entries(settings.properties ?? {}).filter(
    ([, member]) => !NO_KEY.test(member.description ?? ''),
  )
  const stored = read.answer('put', '/tenantsettings')
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The programme of a tenant (docs/programme.md)',
    ...object({
      version: { const: 1, description: 'Version of the form of this file.' },
      settings: merged({ ...settings, properties: Object.fromEntries(own) }, stored, read),
      ...Object.fromEntries(sections),
    }),
    required: ['version'],
  }
}

/** Settings that no key of the tenant may change (D-25, D-1008): no file has them. */
export function settingsOfOthers(document: OpenApi): string[] {
  const { properties = {} } = readerOf(document).body('put', '/tenantsettings')
  return Object.keys(properties).filter((name) => NO_KEY.test(properties[name]?.description ?? ''))
}

type Reader = ReturnType<typeof readerOf>

function readerOf({ paths, components }: OpenApi) {
  const resolve = (schema: Schema = {}): Schema => {
    const name = referredIn(schema)
    return name === undefined ? schema : resolve(components.schemas[name])
  }
  const jsonOf = (content: Contents | undefined) => resolve(content?.[JSON_TYPE]?.schema)
  const operation = (method: string, path: string) => paths[path]?.[method]
  return {
    resolve,
    body: (method: string, path: string) => jsonOf(operation(method, path)?.requestBody?.content),
    answer: (method: string, path: string) =>
      jsonOf(operation(method, path)?.responses['200']?.content),
  }
}

function sectionSchema(section: Section, read: Reader): Schema {
  const { path, noun, name_member } = KINDS[section]
  const made = read.body('post', `/${path}`)
  const changed = read.body('put', `/${path}/{id}`)
  const members = { ...changed.properties, ...made.properties }
  const without = ['id', name_member, ...LISTS.map((list) => `${list}_id`)]
  const kept = Object.entries(members).filter(([name]) => !without.includes(name))
  const required = (made.required ?? []).filter((name) => name !== name_member)
  const entry = merged(
    { type: 'object', properties: Object.fromEntries(kept), required },
    read.answer('post', `/${path}`),
    read,
  )
  return {
    description: `Each ${noun} by its ${name_member}.`,
    type: 'object',
    maxProperties: NAMES_MAX,
    propertyNames: boundsOf(members[name_member]),
    additionalProperties: section === 'card_products' ? withReferences(entry) : entry,
  }
}

/** A name as the API bounds it; never empty. */
function boundsOf(schema: Schema = {}): Schema {
  const { maxLength } = stripped(schema)
  return { minLength: 1, ...(maxLength !== undefined && { maxLength }) }
}

function withReferences(product: Schema): Schema {
  const lists = LISTS.map((list) => {
    const description = `Name of the ${KINDS[list].noun}.`
    return [list, { description, type: ['string', 'null'] }] as const
  })
  const limits = LIMITS.map((limit) => {
    const description = `Names of the ${KINDS[limit].noun}s that are linked.`
    const items = { type: 'string' }
    return [limit, { description, type: 'array', maxItems: 20, uniqueItems: true, items }] as const
  })
  const references = Object.fromEntries<Schema>([...lists, ...limits])
  return { ...product, properties: { ...product.properties, ...references } }
}

/** Credentials of the deliveries: the API takes them and never answers them. */
const SECRETS = new Set(['basic_auth_password', 'header_value'])

/** The schema of what a client sends, nullable if the answer may lack it. */
function merged(input: Schema, answer: Schema, read: Reader): Schema {
  const sent = stripped(read.resolve(input))
  const stored = stripped(read.resolve(answer))
  if (sent.items) {
    const items = merged(sent.items, stored.items ?? {}, read)
    return { ...sent, items }
  }
  if (!sent.properties) return sent
  const properties = Object.entries(sent.properties).map(([name, member]) => {
    if (SECRETS.has(name)) return [name, secretOf(member)] as const
    const answered = stored.properties?.[name] ?? {}
    const description = member.description ?? stripped(member).description
    const schema = merged(member, answered, read)
    const always = !isNullable(member) || (stored.required ?? []).includes(name)
    return [name, { ...schema, ...(description && { description }), ...nullable(schema, always) }]
  })
  const { description, required } = sent
  return {
    ...(description !== undefined && { description }),
    ...object(Object.fromEntries(properties)),
    ...(required && required.length > 0 && { required }),
  }
}

function secretOf({ description = '' }: Schema): Schema {
  const text = description.replace(/; no answer contains it|; no answer has it/, '')
  return { ...ENVIRONMENT, description: `${text} A reference such as \${env:NAME}.` }
}

function nullable(schema: Schema, always: boolean): Schema {
  if (always || typeof schema.type !== 'string') return {}
  const values = schema.enum && { enum: [...schema.enum, null] }
  return { type: [schema.type, 'null'], ...values }
}

const isNull = ({ type }: Schema) => type === 'null'
const isNullable = ({ anyOf = [] }: Schema): boolean => anyOf.some(isNull)

/**
 * The first of several forms of a value: numbers and not texts of numbers, a value and not null.
 */
function stripped(schema: Schema): Schema {
  const { anyOf, ...rest } = schema
  const [first] = anyOf ?? []
  return first === undefined ? schema : { ...rest, ...stripped(first) }
}

function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', additionalProperties: false, properties }
}
