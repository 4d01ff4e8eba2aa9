/** CPU time of the processes of a measurement, from /proc: steadier than rates on shared cores. */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { onServer } from '#test/support/processes/server.ts'

/** Linux counts the times of processes in hundredths of a second, on every architecture. */
const MICROSECONDS_OF_TICK = 10_000

/** Microseconds, user and system. `children` are those of this process, without the server's. */
export type Cpu = { postgres: number; own: number; children: number }

export type CpuMeter = {
  /**
   * Resolves with the CPU time that `work` used; undefined if the server's processes cannot be seen
   * from here.
   */
  measure: <Result>(work: () => Promise<Result>) => Promise<[Result, Cpu | undefined]>
}

type Stat = { pid: number; parent: number; used: number; ofEnded: number }

/** Microseconds that a process and those that it started have used; 0 where it cannot be seen. */
export function cpuOf(pid: number): number {
  const all = processes()
  const byPid = new Map(all.map((stat) => [stat.pid, stat]))
  const isPartOfIt = (id: number): boolean => {
    const parent = byPid.get(id)?.parent ?? 0
    return id === pid || (parent > 1 && isPartOfIt(parent))
  }
  const parts = all.filter((stat) => isPartOfIt(stat.pid))
  return parts.reduce((sum, { used, ofEnded }) => sum + used + ofEnded, 0)
}

/** The server of `url` is measured where it runs on this machine, under Linux. */
export async function openCpuMeter(url: string): Promise<CpuMeter> {
  const postmaster = await onServer(url, async (client) => {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory')
    return postmasterIn(rows[0]?.data_directory ?? '')
  })
  const read = () => (postmaster === undefined ? undefined : usedUntilNow(postmaster))
  return {
    async measure(work) {
      const before = read()
      const result = await work()
      const after = read()
      return [result, before && after && difference(before, after)]
    },
  }
}

const difference = (before: Cpu, after: Cpu): Cpu => ({
  postgres: after.postgres - before.postgres,
  own: after.own - before.own,
  children: after.children - before.children,
})

/** The process of the server of a data folder. */
function postmasterIn(folder: string): number | undefined {
  try {
    const [pid = ''] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n')
    return statOf(Number(pid))?.pid
  } catch {
    return undefined
  }
}

/** A process that has ended is counted by its parent, once the parent knows of its end. */
function usedUntilNow(postmaster: number): Cpu {
  const all = processes()
  const byPid = new Map(all.map((stat) => [stat.pid, stat]))
  const ancestors = new Set<number>()
  for (let pid = postmaster; pid > 1; pid = byPid.get(pid)?.parent ?? 0) ancestors.add(pid)
  const sum = (stats: readonly Stat[]) => stats.reduce((total, { used }) => total + used, 0)
  const own = byPid.get(process.pid)
  const server = byPid.get(postmaster)
  const ofServer = all.filter(({ pid, parent }) => pid === postmaster || parent === postmaster)
  const ofOwn = all.filter(({ pid, parent }) => parent === process.pid && !ancestors.has(pid))
  return {
    postgres: sum(ofServer) + (server?.ofEnded ?? 0),
    own: own?.used ?? 0,
    children: sum(ofOwn) + (own?.ofEnded ?? 0),
  }
}

/** All that run; none if there is no /proc. */
function processes(): Stat[] {
  if (!existsSync('/proc')) return []
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined
    return stat ? [stat] : []
  })
}

/** Undefined for a process that has just ended. proc(5): fields 4, and 14 to 17. */
function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = (from: number) =>
      (Number(fields[from]) + Number(fields[from + 1])) * MICROSECONDS_OF_TICK
    return { pid, parent: Number(fields[1]), used: ticks(11), ofEnded: ticks(13) }
  } catch {
    return undefined
  }
}

/** The CPU time of one of so many units of work. */
export const ofEach = ({ postgres, own, children }: Cpu, units: number): Cpu => ({
  postgres: postgres / units,
  own: own / units,
  children: children / units,
})

/** Microseconds a unit of work, as `72 + 43 µs`: PostgreSQL and the others. */
export function perUnit(cpu: Cpu | undefined, units: number): string {
  if (cpu === undefined) return 'not measured'
  const of = (used: number) => (used / units).toFixed(units > 0 && used / units < 10 ? 1 : 0)
  return `${of(cpu.postgres)} + ${of(cpu.own + cpu.children)} µs`
}

export const totalOf = ({ postgres, own, children }: Cpu): number => postgres + own + children
