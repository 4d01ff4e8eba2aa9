/**
 * Starts Bezant, prints how to use it, and stops it on SIGINT, SIGTERM or SIGHUP. A start that
 * fails prints a line for each fault and ends with exit code 1. With `--json` each line of standard
 * output is one JSON object (D-867).
 */

import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'

const OLDEST_NODE = 24

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  console.error(`bezant cannot start: Node.js ${process.versions.node} is too old: use 24 or later`)
  process.exitCode = 1
} else {
  // Loading makes much garbage. The heap for it would grow to four times what the idle program
  // needs, and never shrink; under load it may grow as usual.
  setFlagsFromString('--semi-space-growth-factor=1')
  // The second start compiles nothing. If the folder cannot be written, it compiles again.
  // `npm start` names the folder to Node itself: then this file is found there too, and the
  // compiler of TypeScript, 14 MB, is not loaded.
  enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/bezant', import.meta.url)))
  const { run } = await import('#src/program/run.ts')
  await run(process.env, process.argv.slice(2))
  setFlagsFromString('--semi-space-growth-factor=2')
}
