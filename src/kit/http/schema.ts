/**
 * The vocabulary of contracts: TypeBox schemas that the slices share, and the formats behind them.
 */

import { Ajv, type Format } from 'ajv'
import addFormats from 'ajv-formats'
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { EMAIL_MOST, isEmail } from '#lib/email.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '#lib/paging.ts'
import { isBlank, withoutSurround } from '#lib/surround.ts'
import { isDate } from '#lib/time.ts'

export const NAME_LENGTH = 100
export const LINE_LENGTH = 200
export const NOTE_LENGTH = 1000

export const Uuid = Type.String({ format: 'uuid' })
/** An instant: ISO 8601 UTC with milliseconds and Z in answers (D-7). */
export const Instant = Type.Unsafe<Date>({ type: 'string', format: 'date-time' })
/** A calendar date, or a full timestamp of which the date counts (D-7). */
export const DateText = Type.String({ format: 'date-or-instant', maxLength: 40 })
/** An amount in major units (D-6): a JSON number or a decimal string; parse with parseAmount. */
export const AmountInput = Type.Unsafe<number | string>({
  anyOf: [
    { type: 'number', minimum: 0 },
    { type: 'string', maxLength: 32 },
  ],
})
/** An amount in major units, as answered. */
export const Amount = Type.Number()
/** The examples have two decimals, none and three. */
export const Currency = Type.String({ pattern: '^[A-Z]{3}$', examples: ['AED', 'JPY', 'BHD'] })
/** A name has more than blanks and invisible characters. */
export const Name = Type.String({ minLength: 1, maxLength: NAME_LENGTH, format: 'not-blank' })
export const Line = Type.String({ maxLength: LINE_LENGTH })
export const Note = Type.String({ maxLength: NOTE_LENGTH })

/** One of the words given. */
export function OneOf<const Words extends readonly string[]>(words: Words) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words] })
}

/** A body or query object: members that are not named are refused (D-8). */
export function Strict<Properties extends TProperties>(properties: Properties, options = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** May be null: a PUT clears it so (D-3). */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Unsafe<Static<Schema> | null>({ anyOf: [schema, { type: 'null' }] })
}

/** A member with its description for the documentation: its meaning, its unit and its bounds. */
export function Field<Schema extends TSchema>(description: string, schema: Schema): Schema {
  const members = Object.getOwnPropertyDescriptors(schema)
  return Object.defineProperties(
    {},
    { ...members, description: { value: description, enumerable: true } },
  ) as Schema
}

/** The amount of an object that has a member `currency`. */
export const AmountOfCurrency = Field('Amount in major units of `currency`.', Amount)

export const IdPath = Strict({ id: Field('Id of the object.', Uuid) })

/** The answer of an operation with status 204. */
export const Nothing = Type.Unsafe<void>({ type: 'null' })

/** The query of every list (D-2), with its own filters. */
export function ListQuery<Properties extends TProperties>(filters: Properties) {
  return Strict({
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: LIMIT_MAX,
        default: LIMIT_DEFAULT,
        description: 'The most objects in the answer.',
      }),
    ),
    after: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Start of the page: `after` of the page before it.',
      }),
    ),
    ...filters,
  })
}
export type ListQuery = { limit?: number; after?: string }

/** The envelope of every list (D-2). */
export function ListOf<Schema extends TSchema>(item: Schema) {
  return Type.Object({
    data: Type.Array(item, { description: 'The objects of the page.' }),
    after: Type.Optional(
      Type.String({ description: 'Cursor of the next page; may be absent on an empty page.' }),
    ),
    has_more: Type.Boolean({ description: 'Whether another page follows.' }),
  })
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const INSTANT =
  /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

const isInstant = (text: string) => {
  const match = INSTANT.exec(text)
  return match?.[1] !== undefined && isDate(match[1])
}

/** The reader cuts characters around an address; the library's expression gets no long text. */
function isEmailAround(format: Format | undefined, text: string): boolean {
  const email = withoutSurround(text)
  return format instanceof RegExp && email.length <= EMAIL_MOST && format.test(email)
}

/**
 * Validators: bodies are taken as they are; query, path and headers come as text and are coerced.
 * The schemas are our own: a test compares them with JSON Schema, and no start does.
 */
export function createAjv(coerceTypes: false | 'array'): Ajv {
  const ajv = new Ajv({
    coerceTypes,
    useDefaults: true,
    allErrors: true,
    strict: false,
    validateSchema: false,
  })
  addFormats.default(ajv)
  // The library's own formats let through what a uuid or date column refuses.
  const email = addFormats.default.get('email')
  ajv.addFormat('email', (text: string) => isEmailAround(email, text))
  ajv.addFormat('uuid', UUID)
  ajv.addFormat('date', isDate)
  ajv.addFormat('date-time', isInstant)
  ajv.addFormat('mailbox', isEmail)
  // An empty text is a fault of length.
  ajv.addFormat('not-blank', (text: string) => text === '' || !isBlank(text))
  ajv.addFormat('date-or-instant', (text: string) => isDate(text) || isInstant(text))
  return ajv
}
