/** The OpenAPI documents of this program, in the parts that its clients and pages are made of. */

export const JSON_TYPE = 'application/json'

/** A JSON schema; a document has further keywords. */
export type Schema = {
  $ref?: string
  type?: string | readonly string[]
  properties?: Schemas
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  enum?: readonly unknown[]
  description?: string
  additionalProperties?: boolean | Schema
  [keyword: string]: unknown
}
/** Schemas by the names of members, or of the document's components. */
export type Schemas = { readonly [name: string]: Schema }

/** Schemas and examples by the type of the content. */
export type Contents = { readonly [type: string]: { schema?: Schema; example?: unknown } }

export type Parameter = {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
  example?: unknown
}

export type DocumentedOperation = {
  operationId: string
  summary: string
  description: string
  tags: readonly [string]
  security?: readonly object[]
  'x-permission': string
  'x-sandbox'?: true
  parameters: readonly Parameter[]
  requestBody?: { required?: boolean; content: Contents }
  /** The answers by status; the description of an error names its codes. */
  responses: { readonly [status: string]: { description?: string; content?: Contents } }
}

export type OpenApi = {
  info: { title: string; description: string; version: string }
  servers: readonly [{ url: string }]
  tags: readonly { name: string; description: string }[]
  paths: { readonly [path: string]: { readonly [method: string]: DocumentedOperation } }
  webhooks?: { readonly [kind: string]: { post: { requestBody: { content: Contents } } } }
  components: {
    schemas: Schemas
    securitySchemes: { readonly [name: string]: { type: string; in?: string; name?: string } }
  }
}

/** An operation with where it is: `path` is below the prefix of its document. */
export type Placed = { path: string; method: string; operation: DocumentedOperation }

/** All operations, in the order of the document. */
export const operationsIn = ({ paths }: Pick<OpenApi, 'paths'>): Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      operation,
    })),
  )

/** The contents of its answers of success; one without content is left out. */
export const successesOf = ({ responses }: DocumentedOperation): Contents[] =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') && content ? [content] : [],
  )

/** The codes of its errors. */
export const codesOf = ({ responses }: DocumentedOperation): string[] =>
  Object.entries(responses).flatMap(([status, { description }]) =>
    status < '400' ? [] : (description?.split(', ') ?? []),
  )

/** The name of the component that a schema refers to. */
export const referredIn = ({ $ref }: Schema): string | undefined =>
  $ref?.replace('#/components/schemas/', '')
