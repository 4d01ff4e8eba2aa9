/**
 * `npm run release -- FILE`: an archive (.tar.gz) of what is committed, with the console built, so
 * that `npm ci --omit=dev` in its folder gives the whole program. Fails if a file is changed,
 * since the console would be of other files than the archive.
 */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'

const ROOT = resolve(import.meta.dirname, '..')
const FOLDER = 'bezant/'
const CONSOLE = 'apps/console/dist'
/** An archive of 30 MB passes through memory. */
const LARGEST = 256 * 1024 * 1024

const run = (command: string, args: readonly string[]) =>
  execFileSync(command, args, { cwd: ROOT, maxBuffer: LARGEST })

const file = fileOf()
if (file === undefined) fail('Name the file: npm run release -- bezant.tar.gz')
else if (run('git', ['status', '--porcelain']).length > 0) {
  fail('Files are changed: commit them or put them aside, then run it again.')
} else release(resolve(file))

/** Undefined if there is no file, more than one, or an option: it has none. */
function fileOf(): string | undefined {
  try {
    const { positionals } = parseArgs({ allowPositionals: true, options: {} })
    return positionals.length === 1 ? positionals[0] : undefined
  } catch {
    return undefined
  }
}

function release(path: string): void {
  run(process.execPath, ['apps/console/build.ts'])
  const scratch = mkdtempSync(join(tmpdir(), 'bezant-release-'))
  try {
    const archive = join(scratch, 'bezant.tar')
    writeFileSync(archive, run('git', ['archive', '--format=tar', `--prefix=${FOLDER}`, 'HEAD']))
    run('tar', ['--append', `--file=${archive}`, `--transform=s,^,${FOLDER},`, CONSOLE])
    const bytes = gzipSync(readFileSync(archive))
    writeFileSync(path, bytes)
    console.log(`${path}: ${(bytes.length / 1e6).toFixed(1)} MB`)
  } finally {
    rmSync(scratch, { recursive: true })
  }
}

function fail(line: string): void {
  console.error(line)
  process.exitCode = 1
}
