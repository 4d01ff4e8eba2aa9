/** What a command writes, and in which colours. */

import { styleText } from 'node:util'

type Style = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold'

export const print = (line: string): void => {
  process.stdout.write(`${line}\n`)
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
