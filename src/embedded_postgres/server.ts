/** Starts the server of a cluster, whatever state the last one left, and shuts it down. */

import { execFile, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { syncFolder } from '#kit/files/folder.ts'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'
import { childOptions } from './account.ts'
import { type Binaries, binariesFor } from './binaries.ts'
import { draftOf, removeOldDrafts } from './drafts.ts'
import {
  assertOwnCluster,
  makeOwnFolder,
  makeSocketFolder,
  type Place,
  removeSocketFolder,
} from './place.ts'
import { readPostmaster, removeStale, stateOf } from './postmaster.ts'
import { type Settings, settingArguments } from './settings.ts'
import { answers } from './start_lock.ts'

/** The only role of the cluster, and the database made in it. */
export const USER = 'bezant'

const POLL_MS = 10

/** Replaying 2 GB of write-ahead log from a slow disk takes a minute or two. */
const LONGEST_RECOVERY_MS = 5 * 60_000

/** A server whose socket file is deleted (a cleaner of /tmp) cannot be used. */
const LONGEST_SILENCE_MS = 2_000

/** Processes of a killed server end within moments; until then a new one does not start. */
const LONGEST_LEFTOVER_MS = 15_000

const LONGEST_SHUTDOWN_MS = 60_000

/** A larger log file is renamed at a start; one older file is kept. */
const LOG_BYTES = 1_000_000

export type Running = { pid: number; socket_folder: string }
type Progress = (line: string) => void

/** To be called under the start lock. Throws a StartError that says what to do. */
export async function bringUp(
  place: Place,
  settings: Settings,
  onProgress: Progress,
): Promise<Running> {
  const binaries = binariesFor(place)
  if (!existsSync(join(place.cluster, 'PG_VERSION'))) await makeCluster(place, binaries, onProgress)
  assertOwnCluster(place)
  assertSameMajor(place, binaries)
  for (const end = Date.now() + LONGEST_LEFTOVER_MS; ; await pause(10 * POLL_MS)) {
    const adopted = await adopt(place.cluster, onProgress)
    if (adopted) return adopted
    const started = await start(place, binaries, settings, onProgress)
    if (typeof started !== 'string') return started
    if (!/lock file "[^"]*" already exists|still in use/.test(started) || Date.now() > end) {
      throw new StartError(`PostgreSQL did not start: ${started}; its log is ${logOf(place)}`)
    }
  }
}

/**
 * A fast shutdown: ends every connection, writes all to disk, needs no recovery. A server that has
 * crashed gets an immediate one: its recovery runs at the next start, and PostgreSQL 18 may never
 * end a recovery at a fast one (D-940).
 */
export async function shutDown(
  cluster: string,
  { pid, socket_folder }: Running,
  hasCrashed = false,
): Promise<void> {
  if (stateOf(pid, cluster) !== 'server') return
  process.kill(pid, hasCrashed ? 'SIGQUIT' : 'SIGINT')
  for (const end = Date.now() + LONGEST_SHUTDOWN_MS; Date.now() < end; await pause(POLL_MS)) {
    if (stateOf(pid, cluster) !== 'server') return removeSocketFolder(socket_folder)
  }
  throw new StartError(
    `PostgreSQL (process ${pid}) is still stopping after a minute: let it finish`,
  )
}

async function makeCluster(place: Place, { initdb }: Binaries, onProgress: Progress) {
  onProgress(`making the database in ${place.cluster}`)
  removeOldDrafts(place.parent)
  const draft = draftOf(place.cluster)
  const access = ['-U', USER, '--auth-local=trust', '--auth-host=reject']
  const locale = ['-E', 'UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
  try {
    makeOwnFolder(draft, place.account)
    await promisify(execFile)(
      initdb,
      ['-D', draft, ...access, ...locale, '--no-instructions'],
      childOptions(place.account),
    )
    renameSync(draft, place.cluster)
    syncFolder(place.parent)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw new StartError(
      `the database in ${place.cluster} cannot be made (${reasonOf(error)}): ` +
        'mend that, set DATA_DIR to another folder, or set DATABASE_URL',
    )
  }
}

/** The line of initdb, or of the server that it runs, which says why. */
function reasonOf(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr) : ''
  const lines = output.split('\n')
  const line =
    lines.find((text) => WORST.test(text)) ??
    lines.find((text) => /^initdb: (error: )?(?!warning|hint|detail|removing)/.test(text))
  if (line) return reasonIn(line.replace(/^initdb: (error: )?/, ''))
  return isMissing(error) ? 'its programs need glibc' : lineOf(error)
}

/** The program itself, not a folder. */
const isMissing = (error: unknown): boolean =>
  codeOf(error) === 'ENOENT' &&
  error instanceof Error &&
  'syscall' in error &&
  String(error.syscall).startsWith('spawn')

function assertSameMajor({ cluster }: Place, { major }: Binaries): void {
  const found = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  if (found === major) return
  throw new StartError(
    `${cluster} was made by PostgreSQL ${found} and this program contains PostgreSQL ${major}: ` +
      'start the program that made it, or move the folder away to begin anew',
  )
}

/**
 * The running server, after its recovery or its stop; null if none runs. Removes files of a dead
 * server that would prevent a start.
 */
async function adopt(cluster: string, onProgress: Progress): Promise<Running | null> {
  let last_alive = Date.now()
  let reported = false
  for (const end = Date.now() + LONGEST_RECOVERY_MS; Date.now() < end; await pause(POLL_MS)) {
    const found = readPostmaster(cluster)
    const state = found ? stateOf(found.pid, cluster) : 'gone'
    if (!found || state === 'gone') return null
    if (state !== 'server') {
      removeStale(cluster, found)
      return null
    }
    const socket_folder = dirname(found.socket)
    const running = { pid: found.pid, socket_folder }
    if (found.status !== 'ready') {
      if (!reported) onProgress(`waiting for PostgreSQL (process ${found.pid}): ${found.status}`)
      reported = true
      last_alive = Date.now()
    } else if (await answers(found.socket)) {
      return running
    } else if (Date.now() - last_alive > LONGEST_SILENCE_MS) {
      await shutDown(cluster, running)
    }
  }
  throw new StartError(`the PostgreSQL that runs in ${cluster} does not become ready: ${PATIENCE}`)
}

const PATIENCE = 'it may still be recovering, so start again later'

/** The started server, or the line of its log that states why it ended before it was ready. */
async function start(
  place: Place,
  { postgres }: Binaries,
  settings: Settings,
  onProgress: Progress,
): Promise<Running | string> {
  const socket_folder = makeSocketFolder(place)
  const { file, offset } = openLog(place)
  // Detached, so that Ctrl-C in the terminal does not stop it before its connections end.
  const child = spawn(
    postgres,
    ['-D', place.cluster, ...settingArguments(settings, socket_folder)],
    { ...childOptions(place.account), detached: true, stdio: ['ignore', file, file] },
  )
  closeSync(file)
  let failure: string | undefined
  child.once('error', (error) => {
    failure = lineOf(error)
  })
  child.once('exit', (code, signal) => {
    failure ??= `it ended with ${code ?? signal}`
  })
  child.unref()
  const began = Date.now()
  for (let reported = false; Date.now() - began < LONGEST_RECOVERY_MS; await pause(POLL_MS)) {
    if (failure !== undefined) {
      removeSocketFolder(socket_folder)
      return lastLogLine(place, offset) ?? failure
    }
    const now = readPostmaster(place.cluster)
    const ready = now?.status === 'ready' && now.pid === child.pid
    if (ready) return { pid: now.pid, socket_folder }
    if (!reported && Date.now() - began > 2_000) {
      onProgress('PostgreSQL is recovering what the last run left')
      reported = true
    }
  }
  throw new StartError(`PostgreSQL is not ready after five minutes: ${PATIENCE}`)
}

/** Begins a line of the log that says why a server ended. */
const WORST = /^.*?(FATAL|PANIC):\s*/

const reasonIn = (line: string): string => line.replace(WORST, '').slice(0, 300)

/** The newest line of the log by which the server that was started last has crashed, if it has. */
export function panicOf({ cluster }: Pick<Place, 'cluster'>): string | undefined {
  const path = logOf({ cluster })
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const last = text.slice(Math.max(0, text.lastIndexOf('starting PostgreSQL')))
  const line = last.split('\n').findLast((one) => one.includes('PANIC:'))
  return line && reasonIn(line)
}

function logOf({ cluster }: Pick<Place, 'cluster'>): string {
  return `${cluster}.log`
}

function openLog(place: Place): { file: number; offset: number } {
  const path = logOf(place)
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_BYTES) renameSync(path, `${path}.1`)
  return { file: openSync(path, 'a', 0o600), offset: size > LOG_BYTES ? 0 : size }
}

function lastLogLine(place: Place, offset: number): string | undefined {
  const lines = readFileSync(logOf(place)).subarray(offset).toString('utf8').trim().split('\n')
  const line = lines.findLast((text) => WORST.test(text)) ?? lines.at(-1)
  return (line && reasonIn(line)) || undefined
}
