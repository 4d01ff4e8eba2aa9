/**
 * Reads YAML that may come from anyone: plain values with their places in the text. Tags and
 * several documents are rejected, names are text as it is written, and what is read has bounds
 * (D-833).
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
  type YAMLParseError,
  type YAMLWarning,
} from 'yaml'
import { FileFault } from './faults.ts'
import { visible } from './text.ts'
import type { Path, Value } from './values.ts'

const DEPTH_MAX = 20
/** Values in all, those of an alias counted each time that it is used. */
const VALUES_MAX = 200_000
/** Lines that are printed; a file of another kind has a fault in each of its lines. */
const FAULTS_MAX = 50

export type Place = { line: number; column: number }
/** A fault and its place in the text. */
export type PlacedFault = Place & { message: string }

export type Source = {
  value: Value
  /**
   * The place at which a value or its name begins. For a member that the text does not have, it is
   * the place of the innermost one around it.
   */
  placeOf: (path: Path, of?: 'value' | 'name') => Place
}
export type Read = { ok: true; source: Source } | { ok: false; faults: PlacedFault[] }

/** Every fault of the text as YAML, or what it says. */
export function readYaml(text: string): Read {
  const lines = new LineCounter()
  const placeAt = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const refused = (faults: readonly OffsetFault[]): Read => ({
    ok: false,
    faults: faults.map(({ at, message }) => ({ ...placeAt(at), message })),
  })
  const documents = parsed(text, lines)
  if (documents === undefined) return refused([{ at: 0, message: TOO_DEEP }])
  const [document, second] = documents
  const found = documents.flatMap(({ errors, warnings }) => [...errors, ...warnings].map(inWords))
  if (found.some(({ message }) => message === TOO_DEEP)) {
    return refused([{ at: 0, message: TOO_DEEP }])
  }
  if (second) found.push({ at: second.range[0], message: 'is a second document' })
  if (found.length > 0) return refused(found)
  if (document === undefined || !isNode(document.contents)) {
    return refused([{ at: 0, message: 'the file is empty' }])
  }
  const reader = new Reader((alias) => (isAlias(alias) ? alias.resolve(document) : undefined))
  try {
    const value = reader.read(document.contents, '', 0)
    if (reader.faults.length > 0) return refused(reader.faults)
    const placeOf = (path: Path, of: 'value' | 'name' = 'value') =>
      placeAt(reader.offsetOf(path, of))
    return { ok: true, source: { value, placeOf } }
  } catch (error) {
    if (error instanceof TooMuch) return refused([{ at: 0, message: error.message }])
    throw error
  }
}

/**
 * `FILE:LINE:COLUMN: fault`, one line each, in their order; if there are too many, only the first.
 */
export function fileFault(path: string, faults: readonly PlacedFault[]): FileFault {
  const sorted = [...faults].sort((a, b) => a.line - b.line || a.column - b.column)
  const lines = sorted
    .slice(0, FAULTS_MAX)
    .map(({ line, column, message }) => `${path}:${line}:${column}: ${visible(message)}`)
  const more = sorted.length - lines.length
  return new FileFault([...lines, ...(more > 0 ? [`and ${more} more`] : [])])
}

type OffsetFault = { at: number; message: string }

function parsed(text: string, lineCounter: LineCounter) {
  const options = { logLevel: 'silent', merge: false, stringKeys: true } as const
  try {
    const documents = parseAllDocuments(text, { ...options, lineCounter })
    return Array.isArray(documents) ? documents : []
  } catch (error) {
    // The parser calls itself for each level.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

const TOO_DEEP = 'the file is nested too deeply'
const NO_TEXT = 'is a name that is not text'

/** Sentences in place of those of the parser, by its codes. */
const SENTENCES: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'is a name that is there twice',
  NON_STRING_KEY: NO_TEXT,
  TAG_RESOLVE_FAILED: 'has a tag: only plain values are read',
}

/** The parser reports what it threw, as for too many levels, as a fault of the text. */
function inWords({ code, message, pos }: YAMLParseError | YAMLWarning): OffsetFault {
  if (message.includes('call stack')) return { at: 0, message: TOO_DEEP }
  const plain = message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? ''
  return { at: pos[0], message: SENTENCES[code] ?? plain }
}

class TooMuch extends Error {}

/** A step of a JSON pointer. */
const step = (key: string | number): string =>
  `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`

class Reader {
  readonly faults: OffsetFault[] = []
  readonly #offsets = new Map<string, { value: number; name: number }>()
  readonly #resolve: (alias: Node) => Node | undefined
  /** A search of the whole document finds one. */
  readonly #targets = new Map<Node, Node | undefined>()
  #count = 0

  constructor(resolve: (alias: Node) => Node | undefined) {
    this.#resolve = resolve
  }

  offsetOf(path: Path, of: 'value' | 'name'): number {
    for (let length = path.length; length >= 0; length -= 1) {
      const found = this.#offsets.get(path.slice(0, length).map(step).join(''))
      if (found) return length === path.length ? found[of] : found.name
    }
    return 0
  }

  read(node: Node | null, pointer: string, name: number): Value {
    const at = node?.range?.[0] ?? name
    this.#offsets.set(pointer, { value: at, name })
    this.#count += 1
    if (this.#count > VALUES_MAX) throw new TooMuch(`the file has more than ${VALUES_MAX} values`)
    if (pointer.split('/').length > DEPTH_MAX) throw new TooMuch(TOO_DEEP)
    if (node === null) return null
    if (node.tag !== undefined && !isAlias(node) && hasOwnTag(node)) {
      return this.#fault(at, SENTENCES['TAG_RESOLVE_FAILED'] ?? '')
    }
    if (isScalar(node)) return this.#scalar(node, at)
    if (isSeq(node)) {
      return node.items.map((item, index) => {
        const child = isNode(item) ? item : null
        return this.read(child, pointer + step(index), child?.range?.[0] ?? at)
      })
    }
    if (isMap(node)) return this.#map(node, pointer)
    if (!this.#targets.has(node)) this.#targets.set(node, this.#resolve(node))
    const target = this.#targets.get(node)
    return target ? this.read(target, pointer, name) : this.#fault(at, 'names no anchor')
  }

  #map({ items }: YAMLMap, pointer: string): Value {
    // Without a prototype `__proto__` is a member like any other.
    const members: Record<string, Value> = Object.create(null)
    for (const { key, value } of items) {
      const at = isNode(key) ? (key.range?.[0] ?? 0) : 0
      if (!isScalar(key) || typeof key.value !== 'string') {
        this.#fault(at, NO_TEXT)
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

/** The parser gives a tag to what it resolves by itself only if the text has one. */
const hasOwnTag = (node: Node): boolean =>
  'tag' in node && typeof node.tag === 'string' && node.tag !== ''
