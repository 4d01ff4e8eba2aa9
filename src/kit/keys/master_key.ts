/** The master key of the sandbox: a file that only this account can read, created once. */

import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { makeFolder, syncFolder } from '#kit/files/folder.ts'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'
import { weaknessOfKey } from '#lib/key_strength.ts'
import { Secret } from '#lib/secret.ts'

export const MASTER_KEY_FILE = 'master.key'

/**
 * The 64 hexadecimal characters in `data_dir`/master.key, created at the first call. Two processes
 * that start at once get the same key. Throws a StartError for a file that others may read or that
 * has no key; a new key never replaces an old file, since all that it wrapped would be lost.
 */
export function keptMasterKey(data_dir: string): Secret {
  const path = join(data_dir, MASTER_KEY_FILE)
  try {
    return readKey(path) ?? makeKey(data_dir, path)
  } catch (error) {
    if (error instanceof StartError) throw error
    throw new StartError(
      `the master key ${path} can be neither read nor made (${codeOf(error) ?? lineOf(error)}): ` +
        'let this account read and write DATA_DIR, or set MASTER_KEY',
    )
  }
}

function readKey(path: string): Secret | null {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (!stat) return null
  if ((stat.mode & 0o077) !== 0) {
    throw new StartError(
      `the master key ${path} may be read by others: chmod 600 it, and change the key if it ` +
        'was read',
    )
  }
  const hex = readFileSync(path, 'utf8').trim()
  const weakness = weaknessOfKey(hex)
  if (weakness) {
    throw new StartError(`the master key in ${path} ${weakness}: restore the file from a backup`)
  }
  return new Secret(hex.toLowerCase())
}

/**
 * Written and flushed under a temporary name, then linked: the file never has half a key, and of
 * two processes only one can create it.
 */
function makeKey(data_dir: string, path: string): Secret {
  makeFolder(data_dir)
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  const file = openSync(draft, 'wx', 0o600)
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  syncFolder(data_dir)
  const key = readKey(path)
  if (!key) throw new StartError(`the master key ${path} vanished while it was made: start again`)
  return key
}
