/**
 * Checks docs/openapi: Redocly's recommended rules find nothing, and the types that
 * openapi-typescript makes of the documents compile.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const DOCUMENTS = ['issuing', 'merchant', 'portal']
const folder = mkdtempSync(join('node_modules', '.openapi-'))
try {
  run('@redocly/cli/bin/cli.js', ['lint', ...DOCUMENTS.map(pathOf)])
  const types = DOCUMENTS.map((name) => {
    const made = join(folder, `${name}.ts`)
    run('openapi-typescript/bin/cli.js', [pathOf(name), '--output', made])
    return made
  })
  const strict = ['--ignoreConfig', '--noEmit', '--strict', '--target', 'es2024']
  run('ts7/bin/tsc', [...strict, '--module', 'nodenext', ...types])
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function pathOf(name: string): string {
  return `docs/openapi/${name}.json`
}

/** Ends the check with the tool's own output where the tool finds something. */
function run(tool: string, words: readonly string[]): void {
  // Neither tool may ask anything of the network.
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const path = join('node_modules', tool)
  const done = spawnSync(process.execPath, [path, ...words], { encoding: 'utf8', env })
  const output = `${done.stdout}${done.stderr}`
  // A warning of Redocly does not change its exit code.
  if (done.status === 0 && !/You have \d+ warning/.test(output)) return
  console.error(`${tool} ${words.join(' ')}\n${output}`)
  process.exitCode = 1
}
