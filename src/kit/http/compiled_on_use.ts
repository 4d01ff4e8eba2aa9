/** Schemas are compiled at their first use: all of them at once take a second of every start. */

import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { ValidateFunction } from 'ajv'
import type { FastifySerializerCompiler } from 'fastify'
import { createAjv } from './schema.ts'

/** They keep what they have compiled, by schema. */
const [strict, coercing] = [createAjv(false), createAjv('array')]

/** The validator of a schema of a body, or of another part of a request. */
export function validatorOnUse(schema: object, httpPart: string | undefined): ValidateFunction {
  const isBody = httpPart === 'body'
  const ajv = isBody ? strict : coercing
  let compiled: ValidateFunction | undefined
  const validate = ((value: unknown): boolean => {
    compiled ??= ajv.compile(schema)
    if (!isBody) refuseOddNumerals(schema, value)
    const valid = compiled(value)
    validate.errors = compiled.errors ?? null
    return valid
  }) as ValidateFunction
  return validate
}

type Part = { properties?: Readonly<Record<string, { type?: unknown }>> }
const NUMERALS = new Map<unknown, RegExp>([
  ['integer', /^-?\d+$/],
  ['number', /^-?\d+(\.\d+)?$/],
])
const NO_NUMERAL = 'no numeral'

/**
 * Replaces text that is no decimal numeral by text that coercion does not take for a number, as it
 * takes 0x10 and 1e1, and digits between blanks (D-895).
 */
function refuseOddNumerals({ properties = {} }: Part, value: unknown): void {
  const members = value as Record<string, unknown>
  for (const [name, { type }] of Object.entries(properties)) {
    const text = members[name]
    const isOdd = typeof text === 'string' && NUMERALS.get(type)?.test(text) === false
    if (isOdd) members[name] = NO_NUMERAL
  }
}

const compileSerializer = SerializerSelector()()

/** The serializer of the answer of a route. */
export const serializerOnUse: FastifySerializerCompiler<unknown> = (route) => {
  let serialize: ((answer: unknown) => string) | undefined
  return (answer) => {
    serialize ??= compileSerializer({ ...route, httpStatus: route.httpStatus ?? '' })
    return serialize(answer)
  }
}
