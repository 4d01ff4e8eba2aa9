/** Output of a command, and its colours. */

import { styleText } from 'node:util'

type Style = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold'

const reading = new AbortController()
/** Aborted once nobody reads standard output any more, as behind `head`. */
export const readerGone: AbortSignal = reading.signal

/**
 * A reader that has seen enough is no fault, and no reason to leave a change half-way: the command
 * goes on to its end, and its exit code is the same as without a pipe. If the output cannot be
 * written, as on a full disk, one line says so and the exit code is 1.
 */
export function watchOutput(): void {
  let hasFailed = false
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (stream === process.stdout) reading.abort()
      if (error.code === 'EPIPE' || hasFailed) return
      hasFailed = true
      if (stream === process.stdout) note(`the output cannot be written: ${error.message}`)
      process.once('exit', () => {
        process.exitCode = 1
      })
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
/** Text without colours if the output is no terminal, or NO_COLOR is set. */
export const styled = (style: Style, text: string): string =>
  styleText(style, text, { stream: process.stdout })

/** Columns of the terminal; undefined if the output is none, and nothing is cut. */
export function widthOf(): number | undefined {
  const set = Number(process.env['COLUMNS'])
  if (Number.isInteger(set) && set > 0) return set
  return process.stdout.isTTY ? process.stdout.columns : undefined
}
