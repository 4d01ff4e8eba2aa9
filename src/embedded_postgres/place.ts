/** The place of the cluster of a data folder. */

import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { makeFolder, syncFolder } from '#kit/files/folder.ts'
import { codeOf, StartError } from '#kit/start_error.ts'
import { type Account, canEnter, chooseAccount } from './account.ts'

/** The folder for clusters whose account cannot enter the data folder of root. */
export const SYSTEM_FOLDER = '/var/lib/bezant'

const NOTE = 'postgres-location.txt'

/** The longest path of a Unix socket that every system accepts, without its ending zero. */
const LONGEST_SOCKET = 103

export type Place = {
  /** The cluster's folder; it may not exist yet. */
  cluster: string
  /** The parent folder of the cluster. */
  parent: string
  account: Account
}

/**
 * Normally `data_dir`/postgres. If root starts the program and the data folder is below one that
 * only root can enter (a project in root's home), the cluster is in /var/lib/bezant under a name
 * made from the data folder's path, and a note in the data folder names it. The note then decides:
 * a copied or moved data folder must not open, or silently lose, that cluster.
 */
export function placeOf(data_dir: string): Place {
  makeFolder(data_dir)
  const real = realpathSync(data_dir)
  const inside = join(real, 'postgres')
  const outside = join(SYSTEM_FOLDER, hashOf(real))
  const noted = readNote(real)
  if (noted !== null) {
    if (noted !== outside) throw new StartError(movedMessage(real, noted, outside))
    if (!existsSync(noted)) throw new StartError(lostMessage(real, noted))
    return placed(noted, SYSTEM_FOLDER)
  }
  const account = chooseAccount(inside)
  openToAccount(real, account)
  if (canEnter(real, account)) return placed(inside, real)
  if (existsSync(inside)) {
    throw new StartError(
      `the account of ${inside} cannot enter ${real}: ` +
        'chmod o+x the folders above it, or set DATA_DIR to another folder',
    )
  }
  makeFolder(SYSTEM_FOLDER)
  chmodSync(SYSTEM_FOLDER, 0o755)
  return placed(outside, SYSTEM_FOLDER)
}

/**
 * Lets the account enter the data folder itself, which a strict umask may have closed: others may
 * then enter, not list, and secret files in it have mode 0600. Folders above are not changed.
 */
function openToAccount(data_dir: string, account: Account): void {
  const { uid, mode } = statSync(data_dir)
  if (account === null || uid !== 0 || canEnter(data_dir, account)) return
  if (canEnter(dirname(data_dir), account)) chmodSync(data_dir, (mode & 0o777) | 0o011)
}

function placed(cluster: string, parent: string): Place {
  return { cluster, parent, account: chooseAccount(cluster) }
}

/** Writes the note once the cluster exists, for a place outside the data folder. */
export function notePlace(data_dir: string, place: Place): void {
  const real = realpathSync(data_dir)
  if (place.parent === real || readNote(real) !== null) return
  writeFileSync(
    join(real, NOTE),
    `${place.cluster}\n\nThe database of this folder is there, because PostgreSQL does not run ` +
      'as root and its account cannot enter this folder.\n' +
      'Keep this note: it is read at each start.\n',
    { flush: true },
  )
  syncFolder(real)
}

function readNote(data_dir: string): string | null {
  const note = join(data_dir, NOTE)
  if (!existsSync(note)) return null
  return readFileSync(note, 'utf8').split('\n')[0]?.trim() ?? ''
}

function movedMessage(data_dir: string, noted: string, outside: string): string {
  return (
    `${data_dir} has been moved or copied, and its database is still ${noted}: stop what uses ` +
    `it, move it to ${outside} and correct ${NOTE}; or, to begin anew, remove ${NOTE}`
  )
}

function lostMessage(data_dir: string, noted: string): string {
  return (
    `the database of ${data_dir} was in ${noted}, which is gone: restore that folder; ` +
    `or, to begin anew, remove ${join(data_dir, NOTE)}`
  )
}

/**
 * A folder for the server's socket that only its account can enter. It is not in the data folder,
 * since a socket's path must be short; the account's number in its name distinguishes users.
 */
export function makeSocketFolder({ cluster, account }: Place): string {
  const uid = account?.uid ?? process.getuid?.() ?? 0
  const name = `bezant-${uid}-${hashOf(cluster)}`
  // /tmp before TMPDIR, so that processes with different environments agree.
  const base = ['/tmp', tmpdir()].find(
    (candidate) =>
      existsSync(candidate) &&
      canEnter(candidate, account) &&
      Buffer.byteLength(join(candidate, name, '.s.PGSQL.5432.lock')) <= LONGEST_SOCKET,
  )
  if (!base) throw new StartError('there is no folder for a socket: make /tmp, or set DATABASE_URL')
  const folder = join(base, name)
  makeOwnFolder(folder, account)
  const { uid: owner } = lstatSync(folder)
  if (!lstatSync(folder).isDirectory() || owner !== uid) {
    throw new StartError(`${folder} belongs to another user: remove it, or set TMPDIR`)
  }
  chmodSync(folder, 0o700)
  return folder
}

/** Removes the folder unless another server still has its socket there. */
export function removeSocketFolder(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    if (codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'ENOENT') throw error
  }
}

/** Makes the folder for the account alone; an existing one is left unchanged. */
export function makeOwnFolder(path: string, account: Account): void {
  if (existsSync(path)) return
  mkdirSync(path, { mode: 0o700 })
  if (account) chownSync(path, account.uid, account.gid)
}

/** Throws a StartError for a cluster of another account, unless this process is root. */
export function assertOwnCluster({ cluster }: Place): void {
  const uid = process.getuid?.()
  const owner = statSync(cluster).uid
  if (uid === 0 || uid === owner) return
  throw new StartError(
    `${cluster} belongs to another account (number ${owner}): start as that account or as root, ` +
      'or set DATA_DIR to another folder',
  )
}

/**
 * Throws a StartError for a cluster that has disappeared while the program runs: a new one would be
 * an empty database.
 */
export function assertClusterExists({ cluster }: Place): void {
  if (existsSync(join(cluster, 'PG_VERSION'))) return
  throw new StartError(`${cluster} is not there any more: bring it back`)
}

/** Sixteen hexadecimal characters that identify a path. */
export function hashOf(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}
