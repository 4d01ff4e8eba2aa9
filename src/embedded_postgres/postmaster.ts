/** Reads postmaster.pid of a cluster and checks it. */

import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '#kit/start_error.ts'

export type Postmaster = {
  pid: number
  socket: string
  /** `starting`, `ready`, `stopping`, `standby`, or empty for a moment at the start. */
  status: string
}

export const SOCKET = '.s.PGSQL.5432'

/** Line by line as PostgreSQL's miscadmin.h describes the file; null if there is none. */
export function readPostmaster(cluster: string): Postmaster | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const pid = Number(lines[0])
    if (!Number.isInteger(pid) || pid <= 1) return null
    return { pid, socket: join(lines[4] ?? '', SOCKET), status: lines[7]?.trim() ?? '' }
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  }
}

/**
 * The process under the number of a pid file: this cluster's server; nothing; a killed server that
 * its parent has not reaped yet; or another program that got the number since.
 */
export function stateOf(pid: number, cluster: string): 'server' | 'gone' | 'zombie' | 'other' {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return 'gone'
  }
  const found = process.platform === 'linux' ? lookInProc(pid) : lookWithPs(pid)
  if (found === null) return 'gone'
  if (found.state === 'Z') return 'zombie'
  return `${found.command} `.includes(`${cluster} `) ? 'server' : 'other'
}

type ProcessState = { state: string; command: string } | null

function lookInProc(pid: number): ProcessState {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const state = stat.charAt(stat.lastIndexOf(')') + 2)
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return { state, command }
  } catch {
    return null
  }
}

function lookWithPs(pid: number): ProcessState {
  try {
    const [, state = '', command = ''] =
      /^(\S)\S*\s+(\S.*)?$/.exec(
        execFileSync('ps', ['-ww', '-o', 'stat=,command=', '-p', String(pid)], {
          encoding: 'utf8',
        }).trim(),
      ) ?? []
    return { state, command }
  } catch {
    return null
  }
}

/**
 * Removes the files of a server that is certainly dead. PostgreSQL does so itself, except if the
 * number is that of a zombie or of another program. If a process of the old server still held its
 * shared memory, the new server would find that and not start.
 */
export function removeStale(cluster: string, postmaster: Postmaster): void {
  rmSync(join(cluster, 'postmaster.pid'), { force: true })
  rmSync(`${postmaster.socket}.lock`, { force: true })
}
