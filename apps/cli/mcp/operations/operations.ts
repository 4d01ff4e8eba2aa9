/** The operations that tools are made of, each with the schema of its arguments. */

import { api } from '#client/generated/issuing/api.ts'
import {
  codesOf,
  type DocumentedOperation,
  JSON_TYPE,
  operationsIn,
  type Placed,
  type Schema,
  type Schemas,
  successesOf,
} from '#lib/openapi.ts'
import { readDocument, resolved } from './document.ts'
import { withoutSecretMembers } from './secrets.ts'

/** The part of a request that an argument goes into, and its name there. */
export type Place = { in: 'path' | 'query' | 'body'; name: string }

export type Operation = {
  id: string
  title: string
  description: string
  /** A tag of the document, as `Card products`. */
  group: string
  method: string
  /** The path behind the prefix of the API, such as `/cards/{id}`. */
  path: string
  /** It changes nothing: the permission `read` of a key is enough, or it is a GET of the operator. */
  isRead: boolean
  isOfSandbox: boolean
  isOfOperator: boolean
  /** It takes an idempotency key, as the argument `idempotency_key`. */
  isKeyed: boolean
  body: 'none' | 'optional' | 'required'
  input: Schema & { type: 'object'; properties: Schemas }
  places: Readonly<Record<string, Place>>
  answer: Schema | undefined
  /** Codes of its errors. */
  codes: readonly string[]
  /** Why it is no tool, whatever is allowed. */
  withheld?: string
}

export type Group = { name: string; description: string }
export type Api = { version: string; groups: readonly Group[]; operations: readonly Operation[] }

export const KEY = 'idempotency_key'
/** A page of the API has 50 objects by default, which is much for a model to read. */
const PAGE = 20

/**
 * Operations whose answer is a secret or leads to one. Others are found by the text of the
 * document.
 */
const SECRET_ANSWERS: Readonly<Record<string, string>> = {
  createWidgetToken: 'its answer opens a page that shows card data',
  rotateWebhookSecret: 'its answer is a secret',
  rotateResponderSecret: 'its answer is a secret',
  answerChallenge: 'its answer proves that a cardholder confirmed a payment',
  approveChallenge: 'its answer proves that a cardholder confirmed a payment',
  getChallenge: 'its answer proves that a cardholder confirmed a payment',
  createTenant: 'its answer is an API key',
  createApiKey: 'its answer is an API key',
  createMerchantKey: 'its answer is a private key',
  setKeyBlockProtectionKeyAsOperator: 'it takes a key',
  listMails: 'mails have links that sign in',
}

export function readApi(): Api {
  const document = readDocument()
  const { info, tags, components } = document
  const operations = operationsIn(document).map((placed) => operationOf(placed, components.schemas))
  const groups = tags.filter(({ name }) => operations.some(({ group }) => group === name))
  return { version: info.version, groups, operations }
}

function operationOf({ path, method, operation }: Placed, schemas: Schemas): Operation {
  const { operationId, summary, description, tags, parameters, requestBody } = operation
  const permission = operation['x-permission']
  const given = requestBody?.content[JSON_TYPE]?.schema
  const body = given && withoutSecretMembers(resolved(given, schemas))
  const isKeyed = parameters.some(({ name }) => name === api.idempotencyHeader)
  const answered = successesOf(operation)[0]?.[JSON_TYPE]?.schema
  const withheld = reasonAgainst(operation, body)
  return {
    id: operationId,
    title: summary,
    description,
    group: tags[0],
    method,
    path,
    isRead: permission === 'read' || (permission === 'operator' && method === 'GET'),
    isOfSandbox: operation['x-sandbox'] === true,
    isOfOperator: permission === 'operator',
    isKeyed,
    body: !requestBody ? 'none' : requestBody.required ? 'required' : 'optional',
    ...argumentsOf(operation, body, schemas, isKeyed),
    answer: answered && resolved(answered, schemas),
    codes: codesOf(operation),
    ...(withheld !== undefined && { withheld }),
  }
}

function reasonAgainst(
  operation: DocumentedOperation,
  body: Schema | undefined,
): string | undefined {
  const { operationId, requestBody } = operation
  if (operation['x-permission'] === 'cards:reveal') return 'its answer is card data'
  if (requestBody && !requestBody.content[JSON_TYPE]) return 'it takes files'
  if (requestBody && !body) return 'it takes card data, a PIN or a key'
  if (successesOf(operation).some((content) => !content[JSON_TYPE])) return 'its answer is a file'
  return SECRET_ANSWERS[operationId]
}

/** Parameters and members of the body side by side: a body within an argument is filled in worse. */
function argumentsOf(
  { parameters, requestBody }: DocumentedOperation,
  body: Schema | undefined,
  schemas: Schemas,
  isKeyed: boolean,
) {
  const properties: Record<string, Schema> = {}
  const places: Record<string, Place> = {}
  const required: string[] = []
  const put = (name: string, schema: Schema, place: Place, isRequired: boolean) => {
    properties[name] = schema
    places[name] = place
    if (isRequired) required.push(name)
  }
  for (const { name, in: where, required: isRequired = false, schema } of parameters) {
    if (where !== 'path' && where !== 'query') continue
    const own = resolved(schema, schemas)
    const isPage = where === 'query' && name === 'limit' && 'default' in own
    put(name, isPage ? { ...own, default: PAGE } : own, { in: where, name }, isRequired)
  }
  const needed = (requestBody?.required && body?.required) || []
  for (const [name, schema] of Object.entries(body?.properties ?? {})) {
    // The id of a new object beside that of the object in the path.
    const argument = name in properties ? `body_${name}` : name
    put(argument, schema, { in: 'body', name }, needed.includes(name))
  }
  if (isKeyed) {
    const header = parameters.find(({ name }) => name === api.idempotencyHeader)
    properties[KEY] = {
      ...header?.schema,
      description: `${header?.description} Made by this server where it is left out.`,
    }
  }
  const input = { type: 'object', properties, required, additionalProperties: false } as const
  return { input, places }
}
