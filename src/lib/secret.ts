/** Card numbers, PINs and keys are wrapped in this class, so that no log or answer shows them. */

import { inspect } from 'node:util'
import { isSameBytes } from './digest.ts'

const STARS = '****'

/**
 * Holds a value that prints as stars: in templates, JSON, `console.log` and error messages. The
 * field is private to the class, so neither spreading nor walking the keys reaches it.
 */
export class Secret<Value extends string | Buffer = string> {
  readonly #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  /** The only way out. Searching for it finds every place where a secret is used in the clear. */
  reveal(): Value {
    return this.#value
  }

  /** A secret derived from this one: the digits of a number, half of a key. */
  map<Made extends string | Buffer>(make: (value: Value) => Made): Secret<Made> {
    return new Secret(make(this.#value))
  }

  /** Compares in a time that does not depend on where the values differ (lengths may show). */
  equals(other: Secret<string> | Secret<Buffer>): boolean {
    return isSameBytes(Buffer.from(this.#value), Buffer.from(other.reveal()))
  }

  toString(): string {
    return STARS
  }

  toJSON(): string {
    return STARS
  }

  [inspect.custom](): string {
    return STARS
  }
}
