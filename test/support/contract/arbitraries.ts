/** Requests made from the document: good ones, and ones that are wrong in a known way. */

import fc from 'fast-check'
import { isBlank } from '#lib/surround.ts'
import type { Operation, Schema } from './operations.ts'
import type { Sample } from './sample.ts'

type Resolve = (schema: Schema) => Schema
type Body = Record<string, unknown>

export type FuzzRequest = {
  params: Record<string, string>
  query: Record<string, string>
  body: unknown
}

/** Long enough to matter, short enough to make thousands of. */
const TEXT_MAX = 60
const ITEMS_MAX = 4

export type Making = {
  resolve: Resolve
  /** Ids that exist, of every kind. */
  ids: readonly string[]
}

/** Values that match a schema. */
function fitting(given: Schema, making: Making): fc.Arbitrary<unknown> {
  const schema = making.resolve(given)
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) {
    const { anyOf, ...rest } = schema
    return fc.oneof(...anyOf.map((branch) => fitting({ ...rest, ...branch }, making)))
  }
  const types = [schema.type ?? 'string'].flat()
  return fc.oneof(...types.map((type) => ofType(type, schema, making)))
}

function ofType(type: string, schema: Schema, making: Making): fc.Arbitrary<unknown> {
  const { minimum = -1000, maximum = 1_000_000 } = schema
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: Math.ceil(minimum), max: Math.floor(maximum) })
    case 'number':
      return fc.integer({ min: Math.ceil(minimum * 100), max: maximum * 100 }).map((n) => n / 100)
    case 'array':
      return fc.array(fitting(schema.items ?? {}, making), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? ITEMS_MAX, ITEMS_MAX),
      })
    case 'object':
      return ofObject(schema, making)
    default:
      return ofText(schema, making)
  }
}

function ofObject(schema: Schema, making: Making): fc.Arbitrary<Body> {
  const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [
    name,
    fitting(member, making),
  ])
  const [free] = Object.values(schema.patternProperties ?? {})
  if (free) return fc.dictionary(fc.string({ maxLength: 9 }), fitting(free, making), { maxKeys: 3 })
  return fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [] })
}

const instants = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())

function ofText(schema: Schema, { ids }: Making): fc.Arbitrary<string> {
  if (schema.format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid())
  if (schema.format === 'date-time') return instants
  if (schema.format === 'date-or-instant' || schema.format === 'date') {
    return fc.oneof(
      instants,
      instants.map((text) => text.slice(0, 10)),
    )
  }
  if (schema.format === 'email') return fc.emailAddress()
  if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern))
  const { minLength = 0, maxLength = TEXT_MAX } = schema
  const size = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, TEXT_MAX)) }
  const texts = fc.oneof(
    fc.string(size),
    fc.string({ ...size, unit: 'grapheme' }),
    fc.constantFrom('AED', 'ARE', 'P1D', '+971501234567', '2025-01-01', 'http://127.0.0.1:9/'),
  )
  if (schema.format !== 'not-blank') return texts
  return texts.map((text) => (isBlank(text) ? 'x' : text))
}

/** Values on both sides of each bound that a schema sets. */
function boundary(given: Schema, making: Making): fc.Arbitrary<unknown> {
  const schema = making.resolve(given)
  const { minimum, maximum, minLength = 0, maxLength, minItems = 0, maxItems } = schema
  const numbers = [minimum, maximum].flatMap((bound) =>
    bound === undefined ? [] : [bound - 1, bound - 0.01, bound, bound + 0.01, bound + 1],
  )
  const texts = [minLength - 1, minLength, maxLength ?? 0, (maxLength ?? 0) + 1]
    .filter((length) => length >= 0)
    .map((length) => 'x'.repeat(length))
  const lists = schema.items
    ? [minItems - 1, minItems, (maxItems ?? ITEMS_MAX) + 1]
        .filter((length) => length >= 0)
        .map((length) => Array(length).fill('x'))
    : []
  const branches = (schema.anyOf ?? []).map((branch) => boundary(branch, making))
  return fc.oneof(
    fc.constantFrom(...numbers, ...texts, ...lists, 0, -1, 2 ** 53, 1e15),
    ...branches,
  )
}

const anyJson = fc.jsonValue({ maxDepth: 3 })

/** A body that starts from one that succeeds, and differs in one of the known ways. */
function bodies(operation: Operation, sample: Sample, making: Making) {
  const { body: given } = operation
  if (!given) return fc.oneof({ weight: 9, arbitrary: fc.constant(undefined) }, anyJson)
  const schema = making.resolve(given)
  const good = sample.body ?? {}
  const members = Object.entries(schema.properties ?? {})
  const some = fc.record(
    Object.fromEntries(members.map(([name, member]) => [name, fitting(member, making)])),
    { requiredKeys: [] },
  )
  const over = fc
    .tuple(fc.subarray(members.map(([name]) => name)), some)
    .map(([names, values]) => ({
      ...good,
      ...Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))),
    }))
  const oneOf = (change: (member: Schema) => fc.Arbitrary<unknown>) =>
    members.length === 0
      ? anyJson
      : fc
          .oneof(
            ...members.map(([name, member]) => change(member).map((value) => ({ [name]: value }))),
          )
          .map((changed) => ({ ...good, ...changed }))
  return fc.oneof(
    fc.constant(good),
    fitting(schema, making),
    over,
    oneOf(() => anyJson),
    oneOf((member) => boundary(member, making)),
    fc.constantFrom(...Object.keys(good), 'none').map((name) => ({ ...good, [name]: undefined })),
    fc.tuple(fc.string(), anyJson).map(([name, value]) => ({ ...good, [name]: value })),
    anyJson,
  )
}

/** A long wait would delay the test; values near the bounds are rejected at once. */
const QUICK = new Map([['wait', fc.constantFrom('0', '-1', '31', 'x', '')]])

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 20 }))

export function requests(
  operation: Operation,
  sample: Sample,
  making: Making,
): fc.Arbitrary<FuzzRequest> {
  const text = (schema: Schema) =>
    fc.oneof(fitting(schema, making).map(String), boundary(schema, making).map(String), anyText)
  const inPath = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => [
      name,
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(sample.params?.[name] ?? '') },
        { weight: 1, arbitrary: text(schema) },
      ),
    ])
  const inQuery = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => [name, QUICK.get(name) ?? text(schema)])
  return fc.record({
    params: fc.record<Record<string, string>>(Object.fromEntries(inPath)),
    query: fc.oneof(
      fc.record<Record<string, string>>(Object.fromEntries(inQuery), { requiredKeys: [] }),
      fc.constant({}),
    ),
    body: bodies(operation, sample, making),
  })
}
