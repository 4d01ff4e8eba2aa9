/**
 * Messages of the protocol, written one behind another into one buffer. The driver's own writer
 * makes a buffer for each message, which grows by copies, and a group has some thirty of them.
 */

/** A value as the driver prepares it: text, bytes, or null. */
export type Value = string | Buffer | null | undefined

const SIZE = 16 * 1024
/** A larger buffer is not kept for the next group. */
const KEPT_MAX = 1024 * 1024
/** The most bytes that UTF-8 has for a unit of a string. */
const OF_UNIT = 3
const BIND = 0x42

export class Outgoing {
  #bytes = Buffer.allocUnsafe(SIZE)
  #at = 0

  /**
   * Drops bytes that were begun and not taken, as after a failure, so that they are not sent with
   * the next ones.
   */
  begin(): void {
    this.#at = 0
  }

  /** A message that is the same each time. */
  add(message: Buffer): void {
    this.#ensure(message.length)
    this.#at += message.copy(this.#bytes, this.#at)
  }

  /** Binds values to a prepared statement; bytes as such and all else as text. */
  bind(statement: string, values: readonly Value[]): void {
    this.#ensure(16 + OF_UNIT * statement.length + 2 * values.length)
    const start = this.#at
    this.#bytes[start] = BIND
    // The length of the message follows; then the portal, which has no name.
    this.#bytes[start + 5] = 0
    this.#at = start + 6
    this.#at += this.#bytes.write(statement, this.#at)
    this.#bytes[this.#at++] = 0
    this.#int16(values.length)
    for (const value of values) this.#int16(value instanceof Buffer ? 1 : 0)
    this.#int16(values.length)
    for (const value of values) this.#value(value)
    this.#ensure(4)
    // All results as text.
    this.#int16(1)
    this.#int16(0)
    this.#bytes.writeInt32BE(this.#at - start - 1, start + 1)
  }

  /** The bytes written since the last call, in a buffer of its own. */
  take(): Buffer {
    const taken = Buffer.from(this.#bytes.subarray(0, this.#at))
    this.#at = 0
    if (this.#bytes.length > KEPT_MAX) this.#bytes = Buffer.allocUnsafe(SIZE)
    return taken
  }

  #value(value: Value): void {
    if (value === null || value === undefined) {
      this.#ensure(4)
      this.#at = this.#bytes.writeInt32BE(-1, this.#at)
    } else if (typeof value === 'string') {
      this.#ensure(4 + OF_UNIT * value.length)
      const length = this.#bytes.write(value, this.#at + 4)
      this.#bytes.writeInt32BE(length, this.#at)
      this.#at += 4 + length
    } else {
      this.#ensure(4 + value.length)
      this.#at = this.#bytes.writeInt32BE(value.length, this.#at)
      this.#at += value.copy(this.#bytes, this.#at)
    }
  }

  #int16(number: number): void {
    this.#bytes[this.#at++] = (number >>> 8) & 0xff
    this.#bytes[this.#at++] = number & 0xff
  }

  #ensure(more: number): void {
    const needed = this.#at + more
    if (needed <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.#bytes.length))
    this.#bytes.copy(larger, 0, 0, this.#at)
    this.#bytes = larger
  }
}
