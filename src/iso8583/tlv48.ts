/** DE48 as this platform uses it: elements of id (2 digits), length (2 digits), value. */

/** Known elements (docs/iso8583.md 5.6, D-112). */
export const elementIds = {
  key: '11',
  key_check_value: '12',
  key_use: '13',
  three_ds_level: '42',
  authentication_value: '43',
  partial_approval: '61',
  cvv2_result: '87',
  cvv2: '92',
} as const

export type Elements = ReadonlyMap<string, string>

/** truncated: ends inside an element. malformed: not digits. repeated: an id occurs twice. */
export type ElementsFault = 'truncated' | 'malformed' | 'repeated'

export type ParsedElements =
  | { ok: true; elements: Elements }
  | { ok: false; reason: ElementsFault; at: number }

const HEAD = 4
const MAX_VALUE = 99
const MAX_FIELD = 999

/** Never throws. A repeated id is a fault: which of two CVV2 is meant must not be a guess. */
export function parseElements(text: string): ParsedElements {
  const elements = new Map<string, string>()
  let at = 0
  while (at < text.length) {
    const head = text.slice(at, at + HEAD)
    const end = at + HEAD + Number(head.slice(2))
    if (head.length < HEAD) return { ok: false, reason: 'truncated', at }
    if (!/^\d{4}$/.test(head)) return { ok: false, reason: 'malformed', at }
    if (end > text.length) return { ok: false, reason: 'truncated', at }
    const id = head.slice(0, 2)
    if (elements.has(id)) return { ok: false, reason: 'repeated', at }
    elements.set(id, text.slice(at + HEAD, end))
    at = end
  }
  return { ok: true, elements }
}

/** Throws RangeError for an id that is not two digits, a value over 99 or a field over 999. */
export function writeElements(elements: Iterable<readonly [id: string, value: string]>): string {
  let text = ''
  for (const [id, value] of elements) {
    if (!/^\d\d$/.test(id)) throw new RangeError('an element id is two digits')
    if (value.length > MAX_VALUE) throw new RangeError(`element ${id} is over ${MAX_VALUE}`)
    text += id + String(value.length).padStart(2, '0') + value
  }
  if (text.length > MAX_FIELD) throw new RangeError(`DE48 is over ${MAX_FIELD}`)
  return text
}
