/** A PostgreSQL of a test's own whose processes can be stopped and let go on. */

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { until } from '../services/receiver.ts'
import { dataFolder } from './process.ts'

export type Stoppable = {
  url: string
  /** Stops the server and every process of it, as a stopped machine would be. */
  freeze: () => void
  thaw: () => void
  /** Ends the server, in order or at once, and resolves when it is gone. */
  end: (how: 'SIGINT' | 'SIGKILL') => Promise<void>
  /** Starts it again where it was. */
  start: () => Promise<void>
  drop: () => Promise<void>
}

export async function openStoppable(): Promise<Stoppable> {
  const data_dir = dataFolder()
  let server = await startEmbedded({ data_dir })
  const { url } = server
  const signal = (name: NodeJS.Signals) => {
    const { pid } = server
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
    async end(how) {
      // Its supervisor is stopped with it, and would start it again at once.
      const { pid } = server
      const stopped = server.stop()
      if (how === 'SIGKILL') signal(how)
      await stopped
      await until(`process ${pid} is gone`, () => !existsSync(`/proc/${pid}`))
    },
    async start() {
      server = await startEmbedded({ data_dir })
      assert.equal(server.url, url)
    },
    async drop() {
      signal('SIGCONT')
      await server.stop()
    },
  }
}

/** Reads from /proc the field after the name, which is in brackets, and the state. */
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
