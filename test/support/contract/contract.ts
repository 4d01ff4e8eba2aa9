/**
 * Compares every answer that a test receives with the OpenAPI document: its status, content type,
 * headers and body, which may contain only members that the document names.
 */

import assert from 'node:assert/strict'
import type { ErrorObject, ValidateFunction } from 'ajv'
import { createAjv } from '#kit/http/schema.ts'
import { isId } from '#lib/id.ts'
import type { Config } from '#src/config/config.ts'
import { note } from './coverage.ts'
import { createFinder, documentsOf, type Operation, type Schema } from './operations.ts'

type Reply = { status: number; headers: Record<string, unknown>; text: string }

export type Contract = { check: (method: string, url: string, reply: Reply) => void }

/** The router itself answers so, before an operation is found. */
const NOT_OF_AN_OPERATION = new Set([405, 414])

const contracts = new Map<string, Contract>()

/** The contract of a program with these variables: made once, also for the worlds that follow. */
export function contractOf(config: Config, env: Readonly<Record<string, string>>): Contract {
  const variables = JSON.stringify(Object.entries(env).sort())
  const contract = contracts.get(variables) ?? createContract(config)
  contracts.set(variables, contract)
  return contract
}

function createContract(config: Config): Contract {
  const documents = documentsOf(config)
  const find = createFinder(documents)
  const ajv = createAjv(false)
  for (const { prefix, schemas } of documents) {
    ajv.addSchema(closed({ $id: prefix, components: { schemas } }, prefix))
  }
  const validators = new Map<Schema, ValidateFunction>()
  const validatorOf = ({ prefix }: Operation, schema: Schema): ValidateFunction => {
    const validate = validators.get(schema) ?? ajv.compile(closed(schema, prefix))
    validators.set(schema, validate)
    return validate
  }

  function check(method: string, url: string, reply: Reply): void {
    const isOurs = documents.some(({ prefix }) => url.startsWith(`${prefix}/`))
    if (!isOurs) return
    const what = `${method} ${url} answered ${reply.status} ${reply.text.slice(0, 500)}`
    const request_id = reply.headers['x-request-id']
    assert.ok(typeof request_id === 'string' && isId(request_id), `${what}: no x-request-id`)
    const operation = find(method, url)
    if (!operation || NOT_OF_AN_OPERATION.has(reply.status)) {
      assert.ok(reply.status >= 400 && reply.status < 500, `${what}: not of an operation`)
      return
    }
    const documented = operation.responses[String(reply.status)]
    assert.ok(documented, `${what}: ${operation.name} does not document this status`)
    if (!documented.content) {
      assert.equal(reply.text, '', `${what}: a body that is not documented`)
      note(operation.name, reply.status)
      return
    }
    const type = String(reply.headers['content-type']).split(';')[0] ?? ''
    const content = documented.content[type]
    assert.ok(content, `${what}: not the documented content type but ${type}`)
    if (/json$/.test(type)) {
      const validate = validatorOf(operation, content.schema)
      const body: unknown = JSON.parse(reply.text)
      assert.ok(validate(body), `${what}: ${faults(validate.errors)}`)
      // A replayed problem names the request that was answered first (D-10).
      const isReplay = reply.headers['idempotent-replayed'] === 'true'
      if (!isReplay) checkProblem(body, { what, request_id, status: reply.status, type })
    }
    if (reply.status === 401) assert.ok(reply.headers['www-authenticate'], `${what}: how?`)
    if (reply.status === 429) assert.ok(reply.headers['retry-after'], `${what}: when again?`)
    note(operation.name, reply.status)
  }
  return { check }
}

type Expected = { what: string; request_id: string; status: number; type: string }

/** A problem names its own status and request (D-9). */
function checkProblem(body: unknown, { what, request_id, status, type }: Expected): void {
  if (type !== 'application/problem+json') return
  const problem = body as { status: number; request_id: string }
  assert.equal(problem.status, status, what)
  assert.equal(problem.request_id, request_id, what)
}

export const faults = (errors: ErrorObject[] | null | undefined) =>
  (errors ?? [])
    .map(({ instancePath, message, params }) =>
      [instancePath, message, JSON.stringify(params)].join(' '),
    )
    .join('; ')

/**
 * A schema of a document for tests: an object has no members but those that its schema names. The
 * published document leaves objects open, so that members may be added. References are absolute.
 */
export function closed(value: unknown, prefix: string): object {
  const close = (part: unknown): unknown => {
    if (Array.isArray(part)) return part.map(close)
    if (part === null || typeof part !== 'object') return part
    if ('$ref' in part) return { $ref: `${prefix}${String(part.$ref)}` }
    const members = Object.fromEntries(
      Object.entries(part).map(([name, member]) => [name, close(member)]),
    )
    const isOpen = !('properties' in members) || 'additionalProperties' in members
    return isOpen || members['type'] !== 'object'
      ? members
      : { ...members, additionalProperties: false }
  }
  return Object(close(value))
}
