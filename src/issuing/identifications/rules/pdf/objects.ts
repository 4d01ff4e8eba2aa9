/** Values of PDF (ISO 32000-1, 7.3) in a few bytes: a dictionary that a scan has found. */

export type Value =
  | { kind: 'name' | 'word'; text: string }
  | { kind: 'string'; bytes: Buffer }
  | { kind: 'list'; items: Value[] }
  | { kind: 'dictionary'; entries: Map<string, Value> }
  | { kind: 'reference'; number: number; generation: number }

const DEPTH_MAX = 20
const SPACE = new Set([0, 9, 10, 12, 13, 32])
const DELIMITERS = new Set(Buffer.from('()<>[]{}/%'))

export const isSpace = (byte: number | undefined) => byte !== undefined && SPACE.has(byte)
export const isRegular = (byte: number | undefined) =>
  byte !== undefined && !SPACE.has(byte) && !DELIMITERS.has(byte)

/** Letters of a name may be written as #xx. */
export const plainName = (text: string): string =>
  text.replace(/#([0-9a-f]{2})/gi, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )

/** Reads one value; undefined where the bytes are none, or end before it does. */
export class Values {
  readonly #bytes: Buffer
  #at: number

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  read(depth = 0): Value | undefined {
    this.#skip()
    const byte = this.#bytes[this.#at]
    if (byte === undefined || depth > DEPTH_MAX) return undefined
    if (byte === 0x2f) return { kind: 'name', text: plainName(this.#word(this.#at + 1)) }
    if (byte === 0x28) return this.#literal()
    if (byte === 0x5b) return this.#list(depth)
    if (byte === 0x3c) {
      return this.#bytes[this.#at + 1] === 0x3c ? this.#dictionary(depth) : this.#hex()
    }
    return isRegular(byte) ? this.#number() : undefined
  }

  #skip(): void {
    for (;;) {
      while (isSpace(this.#bytes[this.#at])) this.#at += 1
      if (this.#bytes[this.#at] !== 0x25) return
      while (![undefined, 10, 13].includes(this.#bytes[this.#at])) this.#at += 1
    }
  }

  #word(from: number): string {
    this.#at = from
    while (isRegular(this.#bytes[this.#at])) this.#at += 1
    return this.#bytes.toString('latin1', from, this.#at)
  }

  /** A number, a word such as true, or the two numbers and the R of a reference. */
  #number(): Value {
    const text = this.#word(this.#at)
    const behind = this.#at
    const near = this.#bytes.toString('latin1', behind, behind + 16)
    const found = /^\d{1,10}$/.test(text) && /^[\s\0]{1,4}(\d{1,5})[\s\0]{1,4}R/.exec(near)
    if (!found) return { kind: 'word', text }
    this.#at = behind + found[0].length
    return { kind: 'reference', number: Number(text), generation: Number(found[1]) }
  }

  #list(depth: number): Value | undefined {
    this.#at += 1
    const items: Value[] = []
    for (;;) {
      this.#skip()
      if (this.#bytes[this.#at] === 0x5d) break
      const item = this.read(depth + 1)
      if (!item) return undefined
      items.push(item)
    }
    this.#at += 1
    return { kind: 'list', items }
  }

  #dictionary(depth: number): Value | undefined {
    this.#at += 2
    const entries = new Map<string, Value>()
    for (;;) {
      this.#skip()
      if (this.#bytes[this.#at] === 0x3e) break
      const name = this.read(depth + 1)
      const value = this.read(depth + 1)
      // If a name comes twice, one reader takes the first value, and another the last.
      if (name?.kind !== 'name' || !value || entries.has(name.text)) return undefined
      entries.set(name.text, value)
    }
    this.#at += 2
    return { kind: 'dictionary', entries }
  }

  #hex(): Value | undefined {
    const end = this.#bytes.indexOf(0x3e, this.#at)
    if (end < 0) return undefined
    const digits = this.#bytes.toString('latin1', this.#at + 1, end).replace(/[\s\0]/g, '')
    this.#at = end + 1
    return { kind: 'string', bytes: Buffer.from(digits.padEnd(digits.length + 1, '0'), 'hex') }
  }

  #literal(): Value | undefined {
    const bytes: number[] = []
    let depth = 0
    for (;;) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) return undefined
      if (byte === 0x28 && depth++ === 0) continue
      if (byte === 0x29 && --depth === 0) return { kind: 'string', bytes: Buffer.from(bytes) }
      if (byte === 0x5c) bytes.push(...this.#escaped())
      else bytes.push(byte)
    }
  }

  #escaped(): number[] {
    const octal = /^[0-7]{1,3}/.exec(this.#bytes.toString('latin1', this.#at, this.#at + 3))
    if (octal) {
      this.#at += octal[0].length
      return [Number.parseInt(octal[0], 8) & 0xff]
    }
    const byte = this.#bytes[this.#at++] ?? 0
    if (byte === 13 && this.#bytes[this.#at] === 10) this.#at += 1
    if (byte === 10 || byte === 13) return []
    const letter = 'nrtbf'.indexOf(String.fromCharCode(byte))
    return [letter < 0 ? byte : ([10, 13, 9, 8, 12][letter] ?? byte)]
  }
}
