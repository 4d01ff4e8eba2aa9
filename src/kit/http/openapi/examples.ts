/**
 * Examples of requests and responses in an OpenAPI document. docs/openapi/examples.json has them;
 * each was sent and received by the walk of test/support/examples (D-381).
 */

/** One request of an operation with its response of success. */
export type OperationExample = {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  /** The body, or the parts of a form by their names. */
  request?: unknown
  /** Bodies by their media type. */
  response: Readonly<Record<string, unknown>>
}

export type Examples = {
  /** Examples by the id of the operation. */
  operations: Readonly<Record<string, OperationExample>>
  /** Bodies by the kind of their event. */
  events: Readonly<Record<string, unknown>>
}

export const noExamples: Examples = { operations: {}, events: {} }

/** The member `example` of a parameter or of a media type; none if there is no value. */
export const exampleMember = (example: unknown): { example?: unknown } =>
  example === undefined ? {} : { example }
