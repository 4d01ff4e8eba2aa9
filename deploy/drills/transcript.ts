/**
 * The output of a drill. The same lines make a page of docs/transcripts, in which values that
 * differ from run to run (times of day, ports, ids, folders) are replaced by words. Figures are
 * kept.
 */

import { availableParallelism } from 'node:os'

/** Values that always differ; other values are passed to `replace` by the drill that knows them. */
const DIFFERING: readonly [pattern: RegExp, word: string][] = [
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d(?::?\d\d)?| UTC)?/g, 'TIME'],
  [/\b\d\d:\d\d:\d\d(?:[.,]\d+)?\b/g, 'TIME'],
  [/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID'],
  [/\b(127\.0\.0\.1|localhost|\[::1\]):\d{2,5}\b/g, '$1:PORT'],
]

type Part = { kind: 'step' | 'text' | 'line'; text: string }

export class Transcript {
  readonly #write: (line: string) => void
  readonly #parts: Part[] = []
  readonly #words = new Map<string, string>()
  #steps = 0

  /** `write` gets every line as it is, at once. */
  constructor(write: (line: string) => void) {
    this.#write = write
  }

  /** A numbered heading. */
  step(title: string): void {
    this.#steps += 1
    const text = `${this.#steps}. ${title}`
    this.#add({ kind: 'step', text }, `\n${text}`)
  }

  /** A paragraph of prose. */
  explain(text: string): void {
    this.#add({ kind: 'text', text }, text)
  }

  /**
   * Prints the output of a program or a measurement as it is. Several lines are one call each or
   * one.
   */
  print(text: string): void {
    for (const line of text.trimEnd().split('\n'))
      this.#add({ kind: 'line', text: line }, `  ${line}`)
  }

  /** The page has `word` in the place of this value: a folder, a port, the id of a process. */
  replace(value: string | number, word: string): void {
    this.#words.set(String(value), word)
  }

  /** The page, in Markdown. */
  page(name: string, title: string): string {
    const node = process.versions.node.split('.')[0]
    const about =
      `Written by \`npm run drill -- ${name} --write\`, with Node ${node} on ` +
      `${availableParallelism()} cores. Times of day, ports, ids and folders are replaced by words.`
    const lines = [`# ${title}`, '', about]
    let kind: Part['kind'] | undefined
    for (const part of this.#parts) {
      if (kind === 'line' && part.kind !== 'line') lines.push('```')
      if (kind !== 'line' && part.kind === 'line') lines.push('', '```text')
      if (part.kind !== 'line') lines.push('')
      lines.push(part.kind === 'step' ? `## ${this.#stable(part.text)}` : this.#stable(part.text))
      kind = part.kind
    }
    if (kind === 'line') lines.push('```')
    return `${lines.join('\n')}\n`
  }

  #add(part: Part, shown: string): void {
    this.#parts.push(part)
    this.#write(shown)
  }

  #stable(text: string): string {
    // A longer value first: it may contain a shorter one.
    const words = [...this.#words].sort(([one], [other]) => other.length - one.length)
    const known = words.reduce((sum, [value, word]) => sum.replaceAll(value, word), text)
    return DIFFERING.reduce((sum, [pattern, word]) => sum.replace(pattern, word), known)
  }
}
