/**
 * A message being read. Its bytes become one text and, if the dialect packs, one hex string; values
 * are then slices of those, which is far cheaper than a conversion for each field.
 */

import type { Page } from './code_pages.ts'

export class Source {
  readonly bytes: Buffer
  /** The character of each byte, at the byte's own index. */
  readonly text: string
  #hex: string | undefined

  constructor(bytes: Buffer, page: Page) {
    this.bytes = bytes
    this.text = page.toText ? translated(bytes, page.toText) : bytes.toString('latin1')
  }

  /** Two upper-case hex digits for each byte, at twice its index. */
  get hex(): string {
    this.#hex ??= this.bytes.toString('hex').toUpperCase()
    return this.#hex
  }
}

function translated(bytes: Buffer, toText: Uint8Array): string {
  const text = Buffer.allocUnsafe(bytes.length)
  for (let index = 0; index < bytes.length; index += 1) {
    text[index] = toText[bytes[index] ?? 0] ?? 0
  }
  return text.toString('latin1')
}
