/** Schemas are compiled at their first use: all of them at once take a second of every start. */

import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import type { Ajv, ValidateFunction } from 'ajv'
import type { FastifySerializerCompiler } from 'fastify'

/** The validator of a schema. */
export function validatorOnUse(ajv: Ajv, schema: object): ValidateFunction {
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
