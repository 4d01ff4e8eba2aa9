/** A process with all that it has started. */

import { readdirSync, readFileSync } from 'node:fs'

/**
 * Ends a process and its children, and theirs, at once. Without /proc only the process itself is
 * found.
 */
export function killTree(pid: number): void {
  // A process that is stopped starts no others meanwhile.
  signal(pid, 'SIGSTOP')
  for (const one of [...descendantsOf(pid), pid]) signal(one, 'SIGKILL')
}

/** Stops all of them: their connections stay open and get no answer, as of a machine cut off. */
export function freezeTree(pid: number): void {
  signal(pid, 'SIGSTOP')
  for (const one of descendantsOf(pid)) signal(one, 'SIGSTOP')
}

/** Lets all of them go on. */
export function thawTree(pid: number): void {
  for (const one of [...descendantsOf(pid), pid]) signal(one, 'SIGCONT')
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended by itself.
  }
}

function descendantsOf(root: number): number[] {
  const children = Map.groupBy(processes(), ({ parent }) => parent)
  const found: number[] = []
  for (const waiting = [root]; waiting.length > 0; ) {
    const own = (children.get(waiting.pop() ?? 0) ?? []).map(({ pid }) => pid)
    found.push(...own)
    waiting.push(...own)
  }
  return found
}

function processes(): { pid: number; parent: number }[] {
  try {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
    return pids.flatMap((name) => {
      const parent = parentOf(name)
      return parent === undefined ? [] : [{ pid: Number(name), parent }]
    })
  } catch {
    return []
  }
}

function parentOf(pid: string): number | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program may contain spaces and brackets.
    return Number(line.slice(line.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return undefined
  }
}
