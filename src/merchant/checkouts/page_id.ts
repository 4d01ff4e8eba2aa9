/** The id in a checkout's address: its tenant and a random key. */

import { randomBytes } from 'node:crypto'

const KEY_BYTES = 16
const TENANT_BYTES = 16

type Place = { tenant_id: string; page_key: string }

const newKey = () => randomBytes(KEY_BYTES).toString('base64url')

export const newPageKey = (): string => newKey()

/** A form is valid once: its token is replaced when it is used. */
export const newFormToken = (): string => newKey()

export function pageId({ tenant_id, page_key }: Place): string {
  const tenant = Buffer.from(tenant_id.replaceAll('-', ''), 'hex')
  return Buffer.concat([tenant, Buffer.from(page_key, 'base64url')]).toString('base64url')
}

/** Undefined for text that `pageId` does not make. */
export function placeOf(id: string): Place | undefined {
  if (!/^[\w-]{43}$/.test(id)) return undefined
  const bytes = Buffer.from(id, 'base64url')
  if (bytes.length !== TENANT_BYTES + KEY_BYTES || bytes.toString('base64url') !== id)
    return undefined
  const hex = bytes.toString('hex', 0, TENANT_BYTES)
  const tenant_id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { tenant_id, page_key: bytes.subarray(TENANT_BYTES).toString('base64url') }
}

/**
 * Reads the query of a page's address. Shops append the language as `&lang=ar` or as `/?lang=ar`,
 * so a second question mark counts as an ampersand and a slash before it as nothing (D-81).
 */
export function readPageQuery(url: string): Record<'id' | 'lang' | 'card', string> {
  const at = url.indexOf('?')
  const query = at < 0 ? '' : url.slice(at + 1).replace(/\/?(\?|%3F)/gi, '&')
  const search = new URLSearchParams(query)
  const [id = '', lang = '', card = ''] = ['id', 'lang', 'card'].map(
    (name) => search.get(name) ?? '',
  )
  return { id: id.replace(/\/$/, ''), lang, card }
}
