/**
 * The version of an object (D-1092): each answer that is one names it, and a request that changes
 * one may demand it.
 */

import { hash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Tx } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'
import { canonicalJson } from './canonical.ts'
import { serializerOnUse } from './compiled_on_use.ts'
import { type Input, isChange, type Route, type Versioned } from './route.ts'

/** A request and an answer as objects; each is undefined if it is none. */
export type Objects = {
  /** The object that a request of the route changes, for `If-Match`. */
  changed: Versioned | undefined
  /** Through which the version of its answer is computed, for `ETag`. */
  answered: TSchema | undefined
}

const withoutVerb = (path: string) => path.replace(/:\w+$/, '')

/**
 * The objects of a route among those of its API: that of the GET of its path, for a creation that
 * of the GET below it, if the route names no other.
 */
export function objectsOf(route: Route, routes: readonly Route[]): Objects {
  const reads = routes.filter(isRead)
  const own = reads.find(({ path }) => path === withoutVerb(route.path))
  const isBelow = ({ path }: Route) =>
    path.startsWith(`${route.path}/{`) && path.indexOf('/', route.path.length + 1) < 0
  const made = route.method === 'POST' ? reads.find(isBelow) : undefined
  const { object, answer } = route
  const changed = isChange(route) ? (object ?? (own && versionedBy(own))) : undefined
  if (route.method === 'DELETE' || route.media) return { changed, answered: undefined }
  const [of] = [object?.schema, own?.answer, made?.answer].filter((one) => has(answer, one))
  const same = reads.find((read) => read.answer === answer)
  return { changed, answered: of ?? same?.answer }
}

/** Whether the route answers one object, and no list of them. */
const isRead = (route: Route): boolean =>
  route.method === 'GET' &&
  !route.media &&
  !('data' in propertiesOf(route.answer)) &&
  (route.params !== undefined || route.lock !== undefined)

function versionedBy({ lock, run, answer }: Route): Versioned | undefined {
  if (!lock) return undefined
  return {
    schema: answer,
    read: async (tx, { params }) => {
      await lock(tx, params)
      return run(tx, { params, query: {}, body: undefined })
    },
  }
}

const propertiesOf = (schema: TSchema): object =>
  'properties' in schema ? Object(schema.properties) : {}

/** An answer that has more members is still the object: a secret is shown at its creation only. */
function has(answer: TSchema, schema: TSchema | undefined): schema is TSchema {
  if (answer === schema) return true
  const names = schema ? Object.keys(propertiesOf(schema)) : []
  return names.length > 0 && names.every((name) => name in propertiesOf(answer))
}

/**
 * The tag of an answer. Undefined for one that lacks a member of the object, as that of a dry run:
 * it is asked for behind the COMMIT, where nothing may fail.
 */
export function tagOf(
  { answer }: Pick<Route, 'answer'>,
  schema: TSchema,
  body: string,
): string | undefined {
  if (body === '') return undefined
  try {
    return tagOfText(schema, answer === schema ? body : textOf(schema, JSON.parse(body)))
  } catch {
    return undefined
  }
}

// Nothing rests on it that two objects could be made to share.
const TAG_LENGTH = 22

/** `text` was written through the schema. */
function tagOfText(schema: TSchema, text: string): string {
  const same = hasOneText(schema) ? text : canonicalJson(JSON.parse(text))
  return `"${hash('sha256', same, 'base64url').slice(0, TAG_LENGTH)}"`
}

const serializers = new WeakMap<TSchema, (value: unknown) => string>()

/** The members that the schema names, as an answer has them. */
function textOf(schema: TSchema, value: unknown): string {
  const serialize = serializers.get(schema) ?? serializerOnUse({ schema, method: 'GET', url: '' })
  serializers.set(schema, serialize)
  return serialize(value)
}

const ofOneText = new WeakMap<object, boolean>()

/**
 * Whether equal objects are written as equal texts: members that the schema names are written in
 * its order, others in that of the object.
 */
function hasOneText(schema: object): boolean {
  const known = ofOneText.get(schema)
  if (known !== undefined) return known
  const has = isNamedWhole(schema)
  ofOneText.set(schema, has)
  return has
}

function isNamedWhole(schema: object): boolean {
  const { type, properties, items, anyOf, ...rest } = schema as Readonly<Record<string, unknown>>
  if (NOT_LOOKED_INTO.some((name) => name in rest)) return false
  if (Array.isArray(anyOf)) return anyOf.every((one) => hasOneText(Object(one)))
  if ('const' in rest || 'enum' in rest) return true
  if (type === 'array') return hasOneText(Object(items))
  if (type !== 'object') return typeof type === 'string'
  if (rest['additionalProperties'] !== undefined && rest['additionalProperties'] !== false)
    return false
  return (
    properties !== undefined &&
    Object.values(Object(properties)).every((one) => hasOneText(Object(one)))
  )
}

/** Keywords of which nothing is read: an object of theirs may have any members. */
const NOT_LOOKED_INTO = ['$ref', 'allOf', 'oneOf', 'not', 'patternProperties', 'if']

/** The tags that a request demands; `any` for every version. */
export type Demand = 'any' | ReadonlySet<string>

// After each part one run of blanks: no header makes it look at a place twice.
const TAG = /(?:(W\/)?("[\x21\x23-\x7e\x80-\xff]*"))?[ \t]*(?:,[ \t]*|$)/y
const NO_LIST = 'must be a list of tags such as "abc", or *'

/** The demand of `If-Match`; a weak tag matches nothing. Fails with 400 if it cannot be read. */
export function demandOf({ headers }: Pick<FastifyRequest, 'headers'>): Demand | undefined {
  const header = headers['if-match']
  if (header === undefined) return undefined
  const list = header.trim()
  if (list === '*') return 'any'
  const tags = new Set<string>()
  let found = 0
  for (TAG.lastIndex = 0; TAG.lastIndex < list.length; ) {
    const at = TAG.exec(list)
    if (!at) throw badDemand(NO_LIST)
    const [, weak, tag] = at
    if (tag !== undefined) found++
    if (tag !== undefined && !weak) tags.add(tag)
  }
  if (found === 0) throw badDemand(NO_LIST)
  return tags
}

export const badDemand = (message: string): ApiError =>
  new ApiError('validation_failed', { errors: [{ path: 'if-match', message }] })

/**
 * Fails with `changed_meanwhile` if the object has a version that is not demanded. It stays locked,
 * so `run` changes that version behind it in the transaction.
 */
export async function assertVersion(
  tx: Tx,
  input: Input<unknown, unknown, unknown>,
  { schema, read }: Versioned,
  { demand, shown }: { demand: Demand; shown: (object: unknown) => unknown },
): Promise<void> {
  const object = shown(await read(tx, input))
  if (demand === 'any' || demand.has(tagOfText(schema, textOf(schema, object)))) return
  throw new ApiError('changed_meanwhile')
}
