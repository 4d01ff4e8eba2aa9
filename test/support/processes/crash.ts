/**
 * Loaded before the program by a test: on SIGUSR2 the program ends by an unexpected error whose
 * message is the content of CRASH_FILE.
 */

import { readFileSync } from 'node:fs'

process.on('SIGUSR2', () => {
  const text = readFileSync(process.env['CRASH_FILE'] ?? '', 'utf8')
  setImmediate(() => {
    throw new Error(text, { cause: new TypeError(text) })
  })
})
