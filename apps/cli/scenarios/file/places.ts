/** Where the members of a YAML document are. */

import { type Document, isMap, isNode, isPair, isScalar, isSeq, type LineCounter } from 'yaml'
import type { Path } from './compare.ts'

export type Place = { line: number; column: number }

export class Places {
  readonly #document: Document
  readonly #lines: LineCounter

  constructor(document: Document, lines: LineCounter) {
    this.#document = document
    this.#lines = lines
  }

  /** Of a member, or of the innermost one around it that the file has. */
  of(path: Path): Place {
    let node: unknown = this.#document.contents
    let at = startOf(node)
    for (const member of path) {
      const pair = isMap(node) ? node.items.find(({ key }) => textOf(key) === String(member)) : null
      const item = isSeq(node) ? node.items[Number(member)] : pair
      if (item === undefined || item === null) break
      at = startOf(isPair(item) ? item.key : item)
      node = isPair(item) ? item.value : item
    }
    return this.at(at)
  }

  at(offset: number): Place {
    const { line, col } = this.#lines.linePos(offset)
    return { line, column: col }
  }
}

const textOf = (key: unknown): string => String(isScalar(key) ? key.value : key)

const startOf = (node: unknown): number => (isNode(node) ? (node.range?.[0] ?? 0) : 0)
