/** A way to the database of a test on which one COMMIT or its answer is lost. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

export type CommitCutter = {
  /** The same database, by way of the cutter. */
  url: string
  /**
   * Breaks the connection at the n-th COMMIT from now on: after it was carried out (`kept`), or
   * before it arrived (`lost`).
   */
  cut: (nth: number, what: 'kept' | 'lost') => void
  /** How many COMMITs it has broken. */
  broken: () => number
  close: () => Promise<void>
}

const COMMIT = Buffer.from('commit\0')

export async function openCommitCutter(database_url: string): Promise<CommitCutter> {
  const upstream = new pg.Client({ connectionString: database_url })
  const where = upstream.host.startsWith('/')
    ? { path: `${upstream.host}/.s.PGSQL.${upstream.port}` }
    : { host: upstream.host, port: upstream.port }
  const sockets = new Set<Socket>()
  let armed: { left: number; what: 'kept' | 'lost' } | undefined
  let broken = 0
  const server = createServer((near) => {
    const far = connect(where)
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(socket)
          end()
        })
    }
    let deaf = false
    near.on('data', (chunk) => {
      const isIt = armed && chunk.includes(COMMIT) && --armed.left === 0
      if (!isIt) {
        far.write(chunk)
        return
      }
      broken += 1
      deaf = armed?.what === 'kept'
      armed = undefined
      if (deaf) far.write(chunk)
      else end()
    })
    far.on('data', (chunk) => {
      if (deaf) end()
      else near.write(chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(database_url)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')
  url.search = ''
  return {
    url: url.href,
    cut(nth, what) {
      armed = { left: nth, what }
    },
    broken: () => broken,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
