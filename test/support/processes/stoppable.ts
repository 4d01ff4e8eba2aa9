/** A PostgreSQL of a test's own whose processes can be stopped and let go on. */

import { readdirSync, readFileSync } from 'node:fs'
import { startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { dataFolder } from './process.ts'

export type Stoppable = {
  url: string
  /** Stops the server and every process of it, as a stopped machine would be. */
  freeze: () => void
  thaw: () => void
  drop: () => Promise<void>
}

export async function openStoppable(): Promise<Stoppable> {
  const { url, pid, stop } = await startEmbedded({ data_dir: dataFolder() })
  const signal = (name: NodeJS.Signals) => {
    // The postmaster first, so that it starts no process behind this list.
    for (const one of [pid, ...childrenOf(pid)]) {
      try {
        process.kill(one, name)
      } catch {
        // A process that has just ended needs no signal.
      }
    }
  }
  return {
    url,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    async drop() {
      signal('SIGCONT')
      await stop()
    },
  }
}

/** From /proc: the field after the name, which is in brackets, and the state. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(ppid) === parent ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
