/**
 * `npm run release [-- FOLDER]`: all files of a release of what is committed, in release/VERSION or
 * another folder. Two runs write equal bytes (D-998). It fails if a file is changed, since the
 * console would be of other files than the archive.
 */

import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeRelease } from './release/artefacts.ts'
import { ROOT, readManifest, run, runNode } from './release/tree.ts'

const NAME_LENGTH = 36

const folder = folderOf()
if (folder === undefined) fail('Name the folder: npm run release -- FOLDER')
else if (run('git', ['status', '--porcelain']).length > 0) {
  fail('Files are changed: commit them or put them aside, then run it again.')
} else {
  // Files of packages have the modes of those that they are made of.
  process.umask(0o022)
  runNode(['apps/console/build.ts'])
  for (const { name, bytes } of makeRelease(folder)) {
    console.log(`${name.padEnd(NAME_LENGTH)} ${(bytes / 1e6).toFixed(2)} MB`)
  }
  console.log(`in ${folder}`)
}

/** Undefined if there are two, or an option: it has none. */
function folderOf(): string | undefined {
  try {
    const { positionals } = parseArgs({ allowPositionals: true, options: {} })
    if (positionals.length > 1) return undefined
    return resolve(positionals[0] ?? join(ROOT, 'release', readManifest().version))
  } catch {
    return undefined
  }
}

function fail(line: string): void {
  console.error(line)
  process.exitCode = 1
}
