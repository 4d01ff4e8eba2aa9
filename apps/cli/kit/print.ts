/** What a command writes, and in which colours. */

import { styleText } from 'node:util'

type Style = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold'

const reading = new AbortController()
/** Aborted once nobody reads standard output any more, as behind `head`. */
export const readerGone: AbortSignal = reading.signal

/**
 * A reader that has seen enough is no fault, and no reason to leave a change half-way: what a
 * command does is done to its end, and its exit code says of that what it says without a pipe.
 */
export function watchOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      if (stream === process.stdout) reading.abort()
    })
  }
}

export const print = (line: string): void => {
  if (!readerGone.aborted) process.stdout.write(`${line}\n`)
}
/** Remarks, which are no part of a result. */
export const note = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
/** Without colours where the output is no terminal, or NO_COLOR is set. */
export const styled = (style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout })

/** Columns of the terminal; undefined where the output is none, and nothing is cut. */
export function widthOf(): number | undefined {
  const set = Number(process.env['COLUMNS'])
  if (Number.isInteger(set) && set > 0) return set
  return process.stdout.isTTY ? process.stdout.columns : undefined
}
