/** The operations of the APIs, from the OpenAPI documents of this tree. */

import { readFileSync } from 'node:fs'
import { type OpenApi, operationsIn } from '#lib/openapi.ts'

export type Operation = {
  id: string
  method: string
  /** The path with the prefix of its API, such as /v1/users/{id}. */
  template: string
  pattern: RegExp
}

const DOCUMENTS = ['issuing', 'merchant', 'portal']
const FOLDER = new URL('../../../../docs/openapi/', import.meta.url)

export function readOperations(): Operation[] {
  return DOCUMENTS.flatMap((name) => {
    // Written by tools/generate.ts.
    const document = JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as OpenApi
    return operationsIn(document).map(({ path, method, operation }) => {
      const template = document.servers[0].url + path
      return { id: operation.operationId, method, template, pattern: patternOf(template) }
    })
  })
}

/** The verb behind a colon is case-insensitive (D-5), and a path may end with a slash. */
function patternOf(template: string): RegExp {
  const parts = template
    .split(/(\{[^{}]*\})/)
    .map((part) => (part.startsWith('{') ? '[^/:]+' : part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&')))
  return new RegExp(`^${parts.join('')}/?$`, 'i')
}

/** `POST /v1/users`, split; undefined for anything else, such as the id of an operation. */
export function methodAndPath(call: string): { method: string; path: string } | undefined {
  const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(call) ?? []
  return method !== undefined && path !== undefined ? { method, path } : undefined
}

/** The operation that a call names; a reference to a variable in its path fits any member. */
export function findOperation(
  operations: readonly Operation[],
  call: string,
): Operation | undefined {
  const named = methodAndPath(call)
  if (!named) return operations.find(({ id }) => id === call)
  const path = named.path.replace(/\?.*$/s, '').replaceAll(/\$\{[^{}]*\}/g, 'x')
  return operations.find(({ method, pattern }) => method === named.method && pattern.test(path))
}
