/** A way to the database of a test that can be cut and mended. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

export type Proxy = {
  /** The same database, by way of the proxy. */
  url: string
  /** Ends every connection and takes no other. */
  cut: () => void
  /** Ends every connection, and takes no other, once an answer to COMMIT has gone through. */
  cutAfterCommit: () => void
  mend: () => void
  close: () => Promise<void>
}

/** How PostgreSQL ends its answer to a COMMIT. */
const COMMITTED = Buffer.from('COMMIT\0')

export async function openProxy(database_url: string): Promise<Proxy> {
  const upstream = new pg.Client({ connectionString: database_url })
  const where = upstream.host.startsWith('/')
    ? { path: `${upstream.host}/.s.PGSQL.${upstream.port}` }
    : { host: upstream.host, port: upstream.port }
  const sockets = new Set<Socket>()
  let isCut = false
  let cutsAfterCommit = false
  const server = createServer((near) => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(where)
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        near.destroy()
        far.destroy()
      })
    }
    near.pipe(far)
    far.pipe(near)
    far.on('data', (bytes: Buffer) => {
      if (!cutsAfterCommit || !bytes.includes(COMMITTED)) return
      isCut = true
      // What was answered still reaches the program; nothing after it does.
      near.end(() => setImmediate(end))
      for (const socket of sockets) if (socket !== near && socket !== far) socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const url = new URL(database_url)
  url.hostname = '127.0.0.1'
  url.port = String(typeof address === 'object' ? address?.port : '')
  url.search = ''
  const end = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: url.href,
    cut() {
      isCut = true
      end()
    },
    cutAfterCommit() {
      cutsAfterCommit = true
    },
    mend() {
      isCut = false
      cutsAfterCommit = false
    },
    async close() {
      end()
      server.close()
      await once(server, 'close')
    },
  }
}
