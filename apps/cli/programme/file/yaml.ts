/**
 * Reads YAML that may come from anyone: plain values with their places in the text. Tags, several
 * documents and keys that are no text are rejected, and what is read has bounds (D-833).
 */

import {
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
  type Scalar,
  type YAMLMap,
} from 'yaml'
import { Fault } from '../fault.ts'
import type { Value } from '../kinds.ts'

/** A file of the greatest programme, with 1,000 entries a section, is far below. */
export const BYTES_MAX = 4 * 1024 * 1024
const DEPTH_MAX = 12
/** Values in all, those of an alias counted each time that it is used. */
const VALUES_MAX = 200_000

export type Place = { line: number; column: number }
/** A fault of the file; `place` is where it begins. */
export type FileFault = Place & { message: string }

export type Source = {
  value: Value
  /** Where the value of a JSON pointer begins, and where its key does. */
  placeOf: (pointer: string, of?: 'value' | 'key') => Place
}

/** Every fault of the text as YAML, or what it says. */
export function readYaml(text: string): { source?: Source; faults: FileFault[] } {
  const lines = new LineCounter()
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const documents = parsed(text, lines)
  const [document] = documents
  if (document === undefined || !isNode(document.contents)) {
    return { faults: [{ line: 1, column: 1, message: 'the file is empty' }] }
  }
  if (documents.some(({ errors }) => errors.some(isTooDeep))) throw new Fault(TOO_DEEP)
  const second = documents[1]
  const faults = documents.flatMap(({ errors, warnings }) =>
    [...errors, ...warnings].map(({ pos, message }) => ({
      ...placeAt(pos[0]),
      message: message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? '',
    })),
  )
  if (second) faults.push({ ...placeAt(second.range[0]), message: 'is a second document' })
  if (faults.length > 0) return { faults }
  const reader = new Reader((alias) => (isAlias(alias) ? alias.resolve(document) : undefined))
  const value = reader.read(document.contents, '', 0)
  if (reader.faults.length > 0) {
    const placed = reader.faults.map(({ at, message }) => ({ ...placeAt(at), message }))
    return { faults: placed }
  }
  const placeOf: Source['placeOf'] = (pointer, of = 'value') => {
    const found = reader.offsets.get(pointer)
    return placeAt(found?.[of] ?? 0)
  }
  return { source: { value, placeOf }, faults: [] }
}

function parsed(text: string, lineCounter: LineCounter) {
  try {
    const documents = parseAllDocuments(text, { lineCounter, logLevel: 'silent', merge: false })
    return Array.isArray(documents) ? documents : []
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) throw new Fault(TOO_DEEP)
    throw error
  }
}

const TOO_DEEP = 'the file is nested too deeply'
/** The parser reports what it threw as a fault of the text. */
const isTooDeep = ({ message }: Error): boolean => message.includes('call stack')

/** A step of a JSON pointer. */
export const step = (key: string | number): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

class Reader {
  readonly offsets = new Map<string, { value: number; key: number }>()
  readonly faults: { at: number; message: string }[] = []
  readonly #resolve: (alias: Node) => Node | undefined
  #count = 0

  constructor(resolve: (alias: Node) => Node | undefined) {
    this.#resolve = resolve
  }

  read(node: Node | null, pointer: string, key: number): Value {
    const at = node?.range?.[0] ?? key
    this.offsets.set(pointer, { value: at, key })
    this.#count += 1
    if (this.#count > VALUES_MAX) throw new Fault(`the file has more than ${VALUES_MAX} values`)
    if (pointer.split('/').length > DEPTH_MAX) throw new Fault(TOO_DEEP)
    if (node === null) return null
    if (node.tag !== undefined && !isAlias(node) && hasOwnTag(node)) {
      return this.#fault(at, 'has a tag: only plain values are read')
    }
    if (isScalar(node)) return this.#scalar(node, at)
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        const child = isNode(item) ? item : null
        return this.read(child, pointer + step(index), child?.range?.[0] ?? at)
      })
    }
    if (isMap(node)) return this.#map(node, pointer)
    const target = this.#resolve(node)
    return target ? this.read(target, pointer, key) : this.#fault(at, 'names no anchor')
  }

  #map({ items }: YAMLMap, pointer: string): Value {
    // Without a prototype `__proto__` is a member like any other.
    const members: Record<string, Value> = Object.create(null)
    for (const { key, value } of items) {
      const at = isNode(key) ? (key.range?.[0] ?? 0) : 0
      if (!isScalar(key) || typeof key.value !== 'string') {
        this.#fault(at, 'is a name that is not text: write it in quotes')
        continue
      }
      const child = isNode(value) ? value : null
      members[key.value] = this.read(child, pointer + step(key.value), at)
    }
    return members
  }

  #scalar({ value }: Scalar, at: number): Value {
    if (value === null || typeof value === 'boolean') return value
    if (typeof value === 'string') {
      const isClean = value.isWellFormed() && !value.includes('\u0000')
      return isClean ? value : this.#fault(at, 'has characters that cannot be stored')
    }
    if (typeof value === 'number' && Number.isFinite(value)) return value
    return this.#fault(at, 'is neither text, a finite number, true, false nor null')
  }

  #fault(at: number, message: string): null {
    this.faults.push({ at, message })
    return null
  }
}

/** The parser gives a tag to what it resolves by itself only where the text has one. */
const hasOwnTag = (node: Node): boolean =>
  'tag' in node && typeof node.tag === 'string' && node.tag !== ''
