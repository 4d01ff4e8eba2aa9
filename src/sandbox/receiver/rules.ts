/** The address of a receiver, and the stored parts of a request. */

/** Two ids. The second has 74 random bits, and nothing is read through the address (D-640). */
const TOKEN_BYTES = 32
const ID_BYTES = 16
const BODY_KEPT_BYTES = 32 * 1024
const VALUE_LENGTH = 1000
const HEADERS_MAX = 50

export type ReceiverPlace = { tenant_id: string; id: string }

export function tokenOf({ tenant_id, id }: ReceiverPlace): string {
  const hex = (tenant_id + id).replaceAll('-', '')
  return Buffer.from(hex, 'hex').toString('base64url')
}

/** Undefined for text that `tokenOf` does not make. */
export function placeIn(token: string): ReceiverPlace | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== TOKEN_BYTES || bytes.toString('base64url') !== token) return undefined
  return { tenant_id: idOf(bytes.subarray(0, ID_BYTES)), id: idOf(bytes.subarray(ID_BYTES)) }
}

const idOf = (bytes: Buffer): string =>
  bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

/** Headers that hold no credential: those of the transport, and those that sign a delivery. */
const SHOWN = new Set([
  'accept',
  'accept-encoding',
  'connection',
  'content-length',
  'content-type',
  'date',
  'host',
  'user-agent',
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
])

export type ShownHeader = { name: string; value: string }

/**
 * The headers to show, from names and values in turn, as they came. All others may be credentials
 * of a subscription.
 */
export function shownHeaders(raw: readonly string[]): ShownHeader[] {
  const headers: ShownHeader[] = []
  for (let at = 0; at < raw.length && headers.length < HEADERS_MAX; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    const value = SHOWN.has(name) ? (raw[at + 1] ?? '') : '***'
    headers.push({ name, value: storable(value.slice(0, VALUE_LENGTH)) })
  }
  return headers
}

/** The first part of a body, as text that the database can hold. */
export function keptBody(body: Buffer): string {
  const text = body.subarray(0, BODY_KEPT_BYTES)
  return storable(new TextDecoder().decode(text, { stream: true }))
}

const storable = (text: string): string => text.replaceAll('\u0000', '\ufffd').toWellFormed()
