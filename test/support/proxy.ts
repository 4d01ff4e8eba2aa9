/** A way to the database of a test that can be cut and mended, and that can lose a COMMIT. */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'

/**
 * What becomes of a COMMIT, and with it of its connection: the server keeps it but its answer is
 * lost, it is lost on the way there, or it comes to the server only when the test lets it.
 */
export type Fate = 'answer lost' | 'never sent' | 'held back'

/** A connection on which nothing goes to the server any more until the test decides. */
export type Stalled = {
  /** COMMITs that wait. */
  commits: () => number
  /** Everything goes on. */
  pass: () => void
  /** The first so many transactions come to the server; their answers and the rest are lost. */
  loseAfter: (transactions: number) => Promise<void>
  /** The client loses its connection, and the server notices nothing until `end`. */
  strand: () => { end: () => void }
}

export type Proxy = {
  /** The same database, by way of the proxy. */
  url: string
  /** Ends every connection and takes no other. */
  cut: () => void
  /** Ends every connection, and takes no other, once an answer to COMMIT has gone through. */
  cutAfterCommit: () => void
  mend: () => void
  /**
   * Decides over the next COMMIT, or the n-th from now on. Resolves once that has happened, and the
   * client's connection is gone, with what delivers a COMMIT that was held back.
   */
  lose: (fate: Fate, nth?: number) => Promise<{ deliver: () => Promise<void> }>
  /** Stalls the connection of the next BEGIN or COMMIT, which waits first. */
  stall: (at: 'begin' | 'commit') => Promise<Stalled>
  close: () => Promise<void>
}

/** How PostgreSQL ends its answer to a COMMIT. */
const COMMITTED = Buffer.from('COMMIT\0')
type Trap = { fate: Fate; left: number; sprung: (held: { deliver: () => Promise<void> }) => void }

export async function openProxy(database_url: string): Promise<Proxy> {
  const upstream = new pg.Client({ connectionString: database_url })
  const where = upstream.host.startsWith('/')
    ? { path: `${upstream.host}/.s.PGSQL.${upstream.port}` }
    : { host: upstream.host, port: upstream.port }
  const sockets = new Set<Socket>()
  const traps: Trap[] = []
  const stalls: Stall[] = []
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
      socket.on('close', () => sockets.delete(socket))
    }
    relay(near, far, {
      takeTrap() {
        const [next] = traps
        if (!next) return undefined
        next.left -= 1
        return next.left === 0 ? traps.shift() : undefined
      },
      takeStall: (message) => (stalls[0] && is(stalls[0].at, message) ? stalls.shift() : undefined),
    })
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
    lose: (fate, nth = 1) => new Promise((sprung) => traps.push({ fate, left: nth, sprung })),
    stall: (at) => new Promise((stalled) => stalls.push({ at, stalled })),
    async close() {
      end()
      server.close()
      await once(server, 'close')
    },
  }
}

type Stall = { at: 'begin' | 'commit'; stalled: (stalled: Stalled) => void }
type Taken = {
  takeTrap: () => Trap | undefined
  takeStall: (message: Buffer) => Stall | undefined
}

function relay(near: Socket, far: Socket, { takeTrap, takeStall }: Taken): void {
  const endBoth = () => {
    near.destroy()
    far.destroy()
  }
  near.on('close', endBoth)
  far.on('close', endBoth)
  far.pipe(near)
  const read = messageReader()
  let waiting: Buffer[] | undefined
  near.on('data', (chunk: Buffer) => {
    for (const message of read(chunk)) {
      const stall = waiting ? undefined : takeStall(message)
      if (stall) {
        waiting = []
        stall.stalled(stalledOf(near, far, waiting, () => (waiting = undefined)))
      }
      const trap = !waiting && is('commit', message) ? takeTrap() : undefined
      if (trap) return spring(trap, message, near, far)
      if (waiting) waiting.push(message)
      else far.write(message)
    }
  })
}

function stalledOf(near: Socket, far: Socket, waiting: Buffer[], end: () => void): Stalled {
  return {
    commits: () => waiting.filter((message) => is('commit', message)).length,
    pass() {
      end()
      for (const message of waiting) far.write(message)
    },
    strand() {
      near.removeAllListeners()
      near.destroy()
      return { end: () => far.destroy() }
    },
    async loseAfter(transactions) {
      near.removeAllListeners()
      far.unpipe(near)
      let left = transactions
      for (const message of waiting) {
        if (left === 0) break
        far.write(message)
        if (is('commit', message)) left -= 1
      }
      // Once the server has read all of it, it ends its side.
      far.end(TERMINATE)
      far.resume()
      await once(far, 'close')
      near.destroy()
    },
  }
}

const TERMINATE = Buffer.from([0x58, 0, 0, 0, 4])

function spring({ fate, sprung }: Trap, commit: Buffer, near: Socket, far: Socket): void {
  // What was sent behind the COMMIT does not come to the server either.
  near.removeAllListeners('close')
  near.removeAllListeners('data')
  near.resume()
  far.unpipe(near)
  const deliver = async () => {
    far.write(commit)
    far.resume()
    await once(far, 'data')
    far.destroy()
  }
  const isLost = fate === 'answer lost' ? deliver() : Promise.resolve()
  void isLost.then(() => {
    if (fate === 'never sent') far.destroy()
    near.destroy()
    near.once('close', () => sprung({ deliver }))
  })
}

/** The length of a message begins its text; all but the first have a letter before it. */
const LENGTH_BYTES = 4

/** Cuts what a client sends into its messages (PostgreSQL's protocol 3.0, without TLS). */
function messageReader(): (chunk: Buffer) => Buffer[] {
  let left = Buffer.alloc(0)
  let typeBytes = 0
  return (chunk) => {
    left = Buffer.concat([left, chunk])
    const messages: Buffer[] = []
    while (left.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + left.readInt32BE(typeBytes)
      if (left.length < end) break
      messages.push(left.subarray(0, end))
      left = left.subarray(end)
      typeBytes = 1
    }
    return messages
  }
}

/** As a simple query, or prepared under no name. */
function is(command: 'begin' | 'commit', message: Buffer): boolean {
  const text = message.subarray(1 + LENGTH_BYTES).toString('latin1')
  return text === `${command}\0` || text === `\0${command}\0\0\0`
}
