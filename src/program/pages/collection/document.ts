/** The parts of a document that the collections read, with the examples of D-381. */

import { type DocumentedOperation, JSON_TYPE, successesOf } from '#lib/openapi.ts'

/** The recorded answer of success as JSON; undefined if it is none. */
export const answerOf = (operation: DocumentedOperation): unknown =>
  successesOf(operation)[0]?.[JSON_TYPE]?.example

/** The parameters of one kind. */
export const parametersIn = (
  { parameters }: DocumentedOperation,
  kind: 'path' | 'query' | 'header',
) => parameters.filter((parameter) => parameter.in === kind)
