/** Schemas are compiled at their first use: all of them at once take a second of every start. */

import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { ValidateFunction } from 'ajv'
import type { FastifySerializerCompiler } from 'fastify'
import { createAjv } from './schema.ts'

/** They keep what they have compiled, by schema. */
const [strict, coercing] = [createAjv(false), createAjv('array')]

/** The validator of a schema of a body, or of another part of a request. */
export function validatorOnUse(schema: object, httpPart: string | undefined): ValidateFunction {
  const ajv = httpPart === 'body' ? strict : coercing
  let compiled: ValidateFunction | undefined
  const validate = ((value: unknown): boolean => {
    compiled ??= ajv.compile(schema)
    const valid = compiled(value)
    validate.errors = compiled.errors ?? null
    return valid
  }) as ValidateFunction
  return validate
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
