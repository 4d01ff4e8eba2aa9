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
  const unanswered = countUnanswered(far)
  const send = (message: Buffer) => {
    unanswered.sent(message)
    far.write(message)
  }
  const read = messageReader(0)
  let waiting: Buffer[] | undefined
  near.on('data', (chunk: Buffer) => {
    for (const message of read(chunk)) {
      const stall = waiting ? undefined : takeStall(message)
      if (stall) {
        waiting = []
        const end = () => (waiting = undefined)
        stall.stalled(stalledOf({ near, far, unanswered }, waiting, send, end))
      }
      const trap = !waiting && is('commit', message) ? takeTrap() : undefined
      if (trap) return void spring(trap, message, { near, far, unanswered })
      if (waiting) waiting.push(message)
      else send(message)
    }
  })
}

function stalledOf(
  { near, far }: Way,
  waiting: Buffer[],
  send: (message: Buffer) => void,
  end: () => void,
): Stalled {
  return {
    commits: () => waiting.filter((message) => is('commit', message)).length,
    pass() {
      end()
      for (const message of waiting) send(message)
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
        send(message)
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

type Unanswered = { sent: (message: Buffer) => void; none: () => Promise<void> }

/** Of the statements that the server was sent: each ends with ReadyForQuery. */
function countUnanswered(far: Socket): Unanswered {
  const read = messageReader(1)
  let count = 0
  let isOver: (() => void) | undefined
  far.on('data', (chunk: Buffer) => {
    for (const message of read(chunk)) if (message[0] === READY) count -= 1
    if (count <= 0) isOver?.()
  })
  return {
    sent(message) {
      if (message[0] === SYNC || message[0] === QUERY) count += 1
    },
    none: () => (count <= 0 ? Promise.resolve() : new Promise((resolve) => (isOver = resolve))),
  }
}

const READY = 'Z'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const QUERY = 'Q'.charCodeAt(0)

type Way = { near: Socket; far: Socket; unanswered: Unanswered }

/** The statements before the COMMIT have run by then, as if it had been sent after their answers. */
async function spring({ fate, sprung }: Trap, commit: Buffer, way: Way): Promise<void> {
  const { near, far, unanswered } = way
  near.removeAllListeners('close')
  // What was sent behind the COMMIT does not come to the server either.
  near.removeAllListeners('data')
  near.resume()
  far.unpipe(near)
  far.resume()
  await unanswered.none()
  const deliver = async () => {
    unanswered.sent(commit)
    const answered = commit[0] === QUERY ? unanswered.none() : once(far, 'data')
    far.write(commit)
    await answered
    far.destroy()
  }
  if (fate === 'answer lost') await deliver()
  if (fate === 'never sent') far.destroy()
  near.destroy()
  near.once('close', () => sprung({ deliver }))
}

/** The length of a message begins its text. */
const LENGTH_BYTES = 4

/**
 * Cuts what is sent into messages (PostgreSQL's protocol 3.0, without TLS): the first one of a
 * client has no letter.
 */
function messageReader(firstTypeBytes: 0 | 1): (chunk: Buffer) => Buffer[] {
  let left = Buffer.alloc(0)
  let typeBytes: number = firstTypeBytes
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
  return (
    text === `${command}\0` ||
    text === `\0${command}\0\0\0` ||
    text.startsWith(`${command}; set local bezant.tenant`)
  )
}
