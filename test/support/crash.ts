/**
 * Loaded before the program by a test: on SIGUSR2 it ends by an error that nobody expected and that
 * quotes what CRASH_WORDS names.
 */

import { readFileSync } from 'node:fs'

process.on('SIGUSR2', () => {
  const words = readFileSync(process.env['CRASH_WORDS'] ?? '', 'utf8')
  setImmediate(() => {
    throw new Error(words, { cause: new TypeError(words) })
  })
})
