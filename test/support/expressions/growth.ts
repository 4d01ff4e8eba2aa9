/** How the work of an expression grows with a text that is made to be hard for it. */

import type { Expression } from './expressions.ts'

const SHORT = 2048
const LONG = 8 * SHORT
/** Linear work grows 8 times, quadratic work 64 times. */
const GROWTH_MAX = 24
/** Quadratic work on the long text takes far more than this on any machine. */
const UNNOTICED_US = 8_000
const REPEATS = 3
const ATTEMPTS = 4

/** The text on which it is worse than linear, or undefined. */
export function superlinearText(expression: Expression): string | undefined {
  return pumpsFor(expression.source).find((pump) => isSuperlinear(expression, pump))
}

/** Work is counted in time of the processor, at its least: other processes do not add to it. */
function isSuperlinear({ source, flags }: Expression, pump: string): boolean {
  const every = flags.includes('g') ? flags : `${flags}g`
  const [short, long] = [SHORT, LONG].map((length) => hardText(pump, length))
  if (short === undefined || long === undefined) return false
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const took = least(new RegExp(source, every), long)
    if (took < UNNOTICED_US) return false
    if (took < GROWTH_MAX * least(new RegExp(source, every), short)) return false
  }
  return true
}

/** The end of the text matches nothing, so that every way to the end is tried. */
const hardText = (pump: string, length: number) =>
  `${pump.repeat(Math.ceil(length / pump.length))}\n\u0001\n`

function least(expression: RegExp, text: string): number {
  let found = Number.POSITIVE_INFINITY
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const before = process.cpuUsage()
    text.replace(expression, '')
    const { user, system } = process.cpuUsage(before)
    found = Math.min(found, user + system)
  }
  return found
}

/** Letters of every class, those that the expression names, and its own words. */
function pumpsFor(source: string): string[] {
  const named = [
    ...new Set(source.replaceAll(/\\u\{?[0-9a-f]+\}?|\\./gi, (part) => part.slice(-1))),
  ]
  const words = source.match(/[\w/<>="-]{2,}/g) ?? []
  const usual = [
    'a',
    '0',
    ' ',
    '\t',
    '\n',
    '/',
    '.',
    '-',
    '"',
    '{',
    '<',
    '\u00e9',
    '\u0301',
    'a.',
    '0a',
  ]
  return [...new Set([...usual, ...named, ...words])]
}
