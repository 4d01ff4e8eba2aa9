/**
 * Reads the fields of a command, from its first byte to the end of the message. A field that is not
 * there or has another shape ends the command with an error code.
 */

import { need } from './errors.ts'

/** An LMK, and the end delimiter with a trailer, may follow the fields. */
export type Ending = { lmk: string; trailer: Buffer }

const NOTHING: Buffer = Buffer.alloc(0)
const END_DELIMITER = 0x19
const TRAILER_BYTES = 32
const DEFAULT_LMK = '00'

export class Fields {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** Bytes as they are. */
  bytes(count: number): Buffer {
    const from = this.#at
    need(from + count <= this.#bytes.length, 'input')
    this.#at = from + count
    return this.#bytes.subarray(from, this.#at)
  }

  /** Characters of the given kind. */
  text(count: number, kind: RegExp): string {
    const found = this.bytes(count).toString('latin1')
    need(kind.test(found), 'input')
    return found
  }

  digits(count: number): string {
    return this.text(count, /^[0-9]*$/)
  }

  /** Upper-case hexadecimal digits; lower-case ones are taken as such. */
  hex(count: number): string {
    return this.text(count, /^[0-9A-Fa-f]*$/).toUpperCase()
  }

  /** A length in hexadecimal digits, and as many bytes. */
  counted(digits: number): Buffer {
    const count = Number.parseInt(this.hex(digits), 16)
    need(this.#at + count <= this.#bytes.length, 'dataLength')
    return this.bytes(count)
  }

  /** Digits up to a `;`, which is read, too. */
  digitsToSemicolon(most: number): string {
    const found = /^([0-9]*);/.exec(this.ahead(most + 1))?.[1]
    need(found !== undefined, 'input')
    this.bytes(found.length + 1)
    return found
  }

  semicolon(): void {
    need(this.maybe(';'), 'input')
  }

  /** True when the next characters are these, which are read then. */
  maybe(text: string): boolean {
    const isNext = this.ahead(text.length) === text
    if (isNext) this.#at += text.length
    return isNext
  }

  /** The next characters, which are not read; fewer at the end. */
  ahead(count: number): string {
    return this.#bytes.toString('latin1', this.#at, this.#at + count)
  }

  /** How many bytes are left before an LMK or an end delimiter. */
  left(): number {
    const rest = this.#bytes.subarray(this.#at)
    const end = rest.length - trailerOf(rest).length
    const isLmk = /^%[0-9]{2}$/.test(rest.toString('latin1', Math.max(0, end - 3), end))
    return isLmk ? end - 3 : end
  }

  /** `%` and two digits. */
  lmk(): string {
    return this.maybe('%') ? this.digits(2) : DEFAULT_LMK
  }

  /** The end delimiter and the trailer, which the answer returns. Nothing else may follow. */
  trailer(): Buffer {
    const rest = this.#bytes.subarray(this.#at)
    const isSound = rest.length <= 1 + TRAILER_BYTES && rest[0] === END_DELIMITER
    need(rest.length === 0 || isSound, 'input')
    this.#at = this.#bytes.length
    return rest
  }

  ending(): Ending {
    return { lmk: this.lmk(), trailer: this.trailer() }
  }

  /** Reads by the first of these ways that comes to the end of the message. */
  either<Read>(ways: readonly ((fields: Fields) => Read)[]): Read {
    const at = this.#at
    for (const way of ways.slice(0, -1)) {
      try {
        return way(this)
      } catch {
        this.#at = at
      }
    }
    const [last] = ways.slice(-1)
    need(last !== undefined, 'input')
    return last(this)
  }
}

/** The trailer of a message whose fields could not be read. */
export function trailerOf(message: Buffer): Buffer {
  const at = message.lastIndexOf(END_DELIMITER)
  return at >= 0 && message.length - at <= 1 + TRAILER_BYTES ? message.subarray(at) : NOTHING
}
