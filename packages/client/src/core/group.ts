/** The base of every group of operations. */

import type { Transport } from './transport.ts'

export class Group {
  protected readonly transport: Transport

  constructor(transport: Transport) {
    this.transport = transport
  }
}

/** Options of one call in place of those of its client. */
export type RequestOptions = {
  /** Ends the call; it rejects with the reason of the signal. */
  signal?: AbortSignal | undefined
  /** Milliseconds within which each attempt must be answered. */
  timeout?: number | undefined
  /** How often a call that failed is sent again at most; only if that is safe. */
  retries?: number | undefined
  /** Key in place of a random one. Under the same key a POST takes effect once, for 24 hours. */
  idempotencyKey?: string | undefined
  /**
   * The version that an object must have for the change to be made (`versionOf`); if it has another
   * one, the call rejects with `changed_meanwhile`.
   */
  ifMatch?: string | undefined
  /** Further headers. */
  headers?: Readonly<Record<string, string | undefined>> | undefined
  /** Receives each answer before it is read: its headers, or its status. */
  onResponse?: ((response: Response) => void) | undefined
}

/** A path with its parameters. A parameter that is empty would name another operation. */
export function path(parts: TemplateStringsArray, ...values: string[]): string {
  return parts.reduce((whole, part, at) => {
    const value = values[at - 1] ?? ''
    if (value === '' || value === '.' || value === '..') {
      throw new TypeError(`"${value}" is no value of a path: ${parts.join('…')}`)
    }
    return `${whole}${encodeURIComponent(value)}${part}`
  })
}
