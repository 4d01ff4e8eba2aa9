/**
 * Values that differ at each run become the same ones: ids and numbers by the order in which they
 * appear, instants by their distance from the beginning of the story, secrets by placeholders of
 * the same shape.
 */

import { EVENT_STREAM } from '#kit/http/answers/event_stream.ts'
import { luhnCheckDigit } from '#lib/luhn.ts'
import { BIN } from './cards.ts'
import { type Beginning, dateOf, INSTANT, instantOf, monthOf, SHOWN } from './dates.ts'

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const URL_SECRET = /[\w.-]{20,}/g

const secrets = [
  ...['api_key', 'key', 'prefix', 'secret', 'token', 'sdk_token', 'public_key', 'private_key'],
  ...['challenge', 'code', 'recovery_codes', 'rawId', 'userHandle', 'attestationObject'],
  ...['authenticatorData', 'clientDataJSON', 'signature', 'authentication_value'],
]
const urls = ['url', 'checkout_url', 'link']
const hashes = ['digest', 'hash']
/** Numbers that are drawn or counted by the program. */
const drawn = ['approval_code', 'rrn', 'stan', 'order_number', 'card_acceptor_id', 'terminal_id']

export type Stabilizer = (value: unknown, name?: string) => unknown

/** One for the whole story, so that the same value stays the same. */
export function createStabilizer(beginning: Beginning): Stabilizer {
  const places = new Map<string, Map<string, number>>()
  /** The place of a value among those of its sort, from 1, padded with zeros. */
  const placeOf = (sort: string, value: string, length: number): string => {
    const known = places.get(sort) ?? new Map<string, number>()
    places.set(sort, known)
    const place = known.get(value) ?? known.size + 1
    known.set(value, place)
    return String(place).padStart(length, '0')
  }
  const idOf = (id: string) => `01900000-0000-7000-8000-${placeOf('id', id, 12)}`
  /** The cards of the story differ in their last four digits. */
  const numberOf = (last_four: string) => {
    const digits = `${BIN}${placeOf('card number', last_four, 7)}`
    return `${digits}${luhnCheckDigit(digits)}`
  }
  /** The id of an event, or what `lib/paging.ts` makes: an instant, an id and a mark of the list. */
  const cursorOf = (value: string): string => {
    const text = Buffer.from(value, 'base64url').toString()
    const [id] = text.match(ID) ?? []
    if (id === undefined) return value.replace(ID, idOf)
    const [, , mark] = text.split('|')
    return Buffer.from(`${SHOWN.toISOString()}|${idOf(id)}|${mark}`).toString('base64url')
  }
  const plainText = (value: string) =>
    value.replace(ID, idOf).replace(INSTANT, (...found) => instantOf(found, beginning))

  function textOf(name: string, value: string): string {
    // Their length differs, as that of any signature by ECDSA in DER.
    if (name === 'signature' && /^[\w-]{90,100}$/.test(value)) return placeholder('x'.repeat(95))
    if (secrets.includes(name)) return placeholder(value)
    // Ids of WebAuthn, which are no ids of this platform.
    if (name === 'id' && /^[\w-]{43,}$/.test(value)) return placeholder(value)
    if (name === 'uri') return value.replace(/(?<=secret=)\w+/, partOf)
    if (name === 'hint') return `${placeholder(value).slice(0, 7)}…MPLE`
    if (/^(card|token)_number$/.test(name)) return numberOf(value.slice(-4))
    if (/^masked_(card|token)_number$/.test(name)) {
      return `${BIN.slice(0, 6)}******${numberOf(value.slice(-4)).slice(-4)}`
    }
    if (name === 'last_four') return numberOf(value).slice(-4)
    if (name === 'cvv2') return '123'
    if (name === 'enc_pin') return '0123456789ABCDEF'.repeat(2).slice(0, value.length)
    if (name === 'after') return cursorOf(value)
    if (hashes.includes(name)) return value.replace(/[0-9a-f]/g, () => 'a')
    // Real time, of which the story's clock is far ahead.
    if (name === 'recorded' || name === 'deadline') return SHOWN.toISOString()
    // The value is in a webhook that was received.
    if (name === 'value' && /^v1,/.test(value)) return `v1,${placeholder(value.slice(3))}`
    if (name === 'value' && /^\d{10}$/.test(value)) return String(SHOWN.getTime() / 1000)
    // The tests take another address for each request.
    if (name === 'address' && /^10\./.test(value)) return '192.0.2.10'
    // The id of an outgoing clearing file, behind its kind, has the day of the story.
    if (name === 'file') return value.replace(/^002\d{6}(?=\d{16}$)/, '002260115')
    if (drawn.includes(name)) return placeOf(name, value, value.length)
    if (urls.includes(name)) return value.replace(URL_SECRET, partOf)
    return monthOf(dateOf(plainText(value), beginning), beginning)
  }

  /** Values of a message: masked number, moments, trace number, reference and approval code. */
  function wireValueOf({ number, value }: WireField): string {
    if (number === '2') return textOf('masked_card_number', value)
    if (number === '7') return '0302083000'
    if (number === '12') return '083000'
    if (number === '13') return '0302'
    if (number === '37') return `606108${placeOf('stan', value.slice(6), 6)}`
    const sort = { 11: 'stan', 38: 'approval_code' }[number]
    return sort === undefined ? value : placeOf(sort, value, value.length)
  }

  /** Lines of server-sent events. */
  const streamOf = (value: string) =>
    value
      .replace(/^data: (.*)$/gm, (_, data) => `data: ${JSON.stringify(stable(JSON.parse(data)))}`)
      .replace(/^id: (.*)$/gm, (_, id) => `id: ${idOf(id)}`)

  const stable: Stabilizer = (value, name = '') => {
    if (typeof value === 'string' && name === EVENT_STREAM) return streamOf(value)
    if (typeof value === 'string' && name === 'application/octet-stream') return '(binary)'
    if (typeof value === 'string') return textOf(name, value)
    if (Array.isArray(value)) return value.map((item) => stable(item, name))
    if (value === null || typeof value !== 'object') return value
    if (isWireField(value)) return { ...value, value: wireValueOf(value) }
    const isWire = 'mti' in value && 'at' in value
    const members = Object.entries(isWire ? { ...value, at: SHOWN.toISOString() } : value)
    return Object.fromEntries(members.map(([member, part]) => [member, stable(part, member)]))
  }
  return stable
}

type WireField = { number: string; value: string }

const isWireField = (part: object): part is WireField =>
  'number' in part && 'value' in part && 'masked' in part

/** A secret, or the parts of a signed token, as EXAMPLE. */
const placeholder = (secret: string) => secret.split('.').map(partOf).join('.')

/** Other letters before a `_` are a part of random base64url. */
const PREFIX = /^(bw|bz|pk|sdk|sk|whsec)_/

/** `bz_`, `whsec_` or no prefix, then EXAMPLE as often as the part is long. */
function partOf(part: string): string {
  const prefix = PREFIX.exec(part)?.[0] ?? ''
  const end = /=*$/.exec(part)?.[0] ?? ''
  const length = part.length - prefix.length - end.length
  return `${prefix}${'EXAMPLE'.repeat(length).slice(0, length)}${end}`
}
