#!/usr/bin/env node
// Runs on whatever Node the machine has, so it is plain JavaScript: older ones cannot read
// TypeScript and would fail with a message that does not help.

import { existsSync } from 'node:fs'
import * as modules from 'node:module'
import { fileURLToPath } from 'node:url'

const OLDEST = 24
const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url))

if (Number(process.versions.node.split('.')[0]) < OLDEST) {
  process.stderr.write(
    `bezant: Node.js ${process.versions.node} is too old: use ${OLDEST} or later\n`,
  )
  process.exitCode = 1
} else {
  // The second run compiles nothing. If the folder cannot be written, it compiles again.
  if (existsSync(PACKAGES)) modules.enableCompileCache(`${PACKAGES}/.cache/bezant-cli`)
  const { main } = await import('./main.ts')
  process.exitCode = await main(process.argv.slice(2))
}
