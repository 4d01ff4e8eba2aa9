/** Values that no output contains: the API key, and those that references stand for. */

import { Fault } from '../../kit/faults.ts'
import type { Members, Value } from '../../kit/values.ts'

/** A shorter value would be found in every word; no message repeats a value by itself. */
const MASKED_FROM = 4
const REFERENCE = /^\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}$/

export class Secrets {
  readonly #env: NodeJS.ProcessEnv
  readonly #values = new Set<string>()

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env
  }

  keep(value: string): void {
    if (value.length >= MASKED_FROM) this.#values.add(value)
  }

  /** The text with asterisks in the place of what is kept. */
  mask(text: string): string {
    let masked = text
    // One may be the beginning of another.
    const longestFirst = [...this.#values].sort((a, b) => b.length - a.length)
    for (const value of longestFirst) masked = masked.replaceAll(value, '***')
    return masked
  }

  /** Throws a Fault that names every variable that these values refer to and that is not set. */
  require(values: readonly Value[]): void {
    const missing = [...new Set(values.flatMap(namesIn))].filter((name) => !this.#env[name])
    if (missing.length === 0) return
    throw new Fault(
      missing
        .sort()
        .map((name) => `the environment variable ${name} is not set: the file names it`),
    )
  }

  /** The value with what its references stand for. */
  resolve(value: Value): Value {
    if (typeof value === 'string') {
      const name = REFERENCE.exec(value)?.[1]
      const found = name === undefined ? undefined : this.#env[name]
      if (found === undefined) return value
      this.keep(found)
      return found
    }
    if (Array.isArray(value)) return value.map((item: Value) => this.resolve(item))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value as Members).map(([name, member]) => [name, this.resolve(member)]),
    )
  }
}

/** Whether the value has a reference, and so a secret once it is resolved. */
export const hasReference = (value: Value): boolean => namesIn(value).length > 0

function namesIn(value: Value): string[] {
  if (typeof value === 'string') return REFERENCE.exec(value)?.slice(1) ?? []
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap((member: Value) => namesIn(member))
}

/** The variable that an export names for a secret of an endpoint: letters, digits and `_`. */
export function variableName(endpoint: string, part: string): string {
  const text = `${endpoint.replace(/^https?:\/\//, '')} ${part}`
  const words = text.toUpperCase().match(/[A-Z0-9]+/g) ?? []
  return `WEBHOOK_${words.join('_')}`.slice(0, 90)
}
