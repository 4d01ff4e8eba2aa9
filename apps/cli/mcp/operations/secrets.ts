/** Card data, keys and passwords: no model receives them and none is asked for them (D-843). */

import type { Schema } from '#lib/openapi.ts'
import { withoutCardData } from '../../kit/secrets.ts'
import { valueIn } from '../../kit/values.ts'

/** Members of answers. Those of cards are masked as at a terminal. */
const ANSWERED: ReadonlySet<string> = new Set([
  ...['secret', 'api_key', 'private_key', 'sdk_token', 'password'],
])
/** Members whose text is itself JSON: bodies that a receiver of the sandbox was sent. */
const QUOTED: ReadonlySet<string> = new Set(['body', 'response_body'])
/** Members of requests. Header values of a webhook are credentials as well (D-835). */
const ASKED: ReadonlySet<string> = new Set([
  ...['card_number', 'cvv2', 'pin', 'enc_pin', 'key_block'],
  ...['basic_auth_username', 'basic_auth_password', 'custom_headers'],
])

/** The same answer with every secret in it masked. */
export function withoutSecrets(answer: unknown): unknown {
  return masked(withoutCardData(answer))
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(masked)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      if (typeof member !== 'string') return [name, masked(member)]
      if (ANSWERED.has(name)) return [name, '***']
      return [name, QUOTED.has(name) ? maskedText(member) : member]
    }),
  )
}

/** Text that is no JSON is left as it is. */
function maskedText(text: string): string {
  const value = valueIn(text)
  return typeof value === 'object' ? JSON.stringify(withoutSecrets(value)) : text
}

/**
 * The schema of a body without its secret members; undefined if one of them is required, so
 * that the operation cannot be called without it.
 */
export function withoutSecretMembers(schema: Schema): Schema | undefined {
  const { properties, required = [], items } = schema
  const inner = items && withoutSecretMembers(items)
  if (items && !inner) return undefined
  if (!properties) return { ...schema, ...(inner && { items: inner }) }
  const secret = Object.entries(properties).flatMap(([name, { type }]) =>
    // The rules of a product for PINs are an object of that name.
    ASKED.has(name) && (type !== 'object' || name !== 'pin') ? [name] : [],
  )
  const entries = Object.entries(properties)
    .filter(([name]) => !secret.includes(name))
    .map(([name, member]) => [name, withoutSecretMembers(member)] as const)
  const isLost = (name: string) =>
    secret.includes(name) || entries.some(([other, member]) => other === name && !member)
  if (required.some(isLost)) return undefined
  const kept = entries.flatMap(([name, member]) => (member ? [[name, member] as const] : []))
  return { ...schema, properties: Object.fromEntries(kept) }
}
