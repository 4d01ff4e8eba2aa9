/**
 * Compiles the library into packages/client/dist, or into another folder:
 *
 *     node packages/client/build.ts [folder]
 */

import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const HERE = import.meta.dirname
const COMPILER = fileURLToPath(new URL('tsc', import.meta.resolve('ts7/package.json'))).replace(
  /tsc$/,
  'bin/tsc',
)
const dist = process.argv[2] ?? `${HERE}/dist`

rmSync(dist, { recursive: true, force: true })
// Editors read the comments of the types; those of the scripts would be sent to browsers.
compile('--emitDeclarationOnly')
compile('--declaration', 'false', '--removeComments')
// The compiler leaves the imports of types as they are in the source.
for (const path of globSync('**/*.d.ts', { cwd: dist })) {
  const text = readFileSync(`${dist}/${path}`, 'utf8')
  writeFileSync(`${dist}/${path}`, text.replace(/(from '\..+?)\.ts'/g, "$1.js'"))
}

function compile(...options: readonly string[]): void {
  const args = [COMPILER, '-p', HERE, '--outDir', dist, ...options]
  execFileSync(process.execPath, args, { stdio: 'inherit' })
}
