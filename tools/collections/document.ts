/** The parts of an OpenAPI document that the collections are made of. */

type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: { default?: unknown }
  example?: unknown
}
type Media = { [type: string]: { example?: unknown } }

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: object[]
  'x-permission'?: string
  parameters?: Parameter[]
  requestBody?: { content: Media }
  responses: { [status: string]: { content?: Media } }
}

/** A document with the examples of D-381. */
export type ExampleDocument = {
  info: { title: string; description: string; version: string }
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: { [path: string]: { [method: string]: Operation } }
}

/** An operation with where it is: `path` is below the prefix of its document. */
export type Placed = { path: string; method: string; operation: Operation }

/** All operations, in the order of the document. */
export const placedIn = ({ paths }: ExampleDocument): Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...{ path, method: method.toUpperCase(), operation },
    })),
  )

/** The recorded answer of success as JSON; undefined where it is none. */
export function answerOf({ responses }: Operation): unknown {
  const [content] = Object.entries(responses).flatMap(([status, response]) =>
    status.startsWith('2') ? [response.content] : [],
  )
  return content?.['application/json']?.example
}

/** The parameters of one kind. */
export const parametersIn = ({ parameters = [] }: Operation, kind: 'path' | 'query' | 'header') =>
  parameters.filter((parameter) => parameter.in === kind)
