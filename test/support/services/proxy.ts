/**
 * A way to the database of a test that can be cut and mended, and that can lose a COMMIT: the
 * statement, or the end of a group of statements that is a transaction of its own.
 */

import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import pg from 'pg'
import { endOf, isAnswered, messageReader, type Unit, unitReader } from './wire_units.ts'

/**
 * The fate of a COMMIT, and with it of its connection: the server keeps it but its answer is lost,
 * it is lost on the way there, or it comes to the server only when the test lets it.
 */
export type Fate = 'answer lost' | 'never sent' | 'held back'

/** A connection on which nothing goes to the server any more until the test decides. */
export type Stalled = {
  /** COMMITs that wait. */
  commits: () => number
  /** Everything goes on, or the first so many transactions do and the rest waits. */
  pass: (transactions?: number) => void
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
  /**
   * Stalls the connection of the next BEGIN or COMMIT, which waits first; resolves once what comes
   * before it has run.
   */
  stall: (at: 'begin' | 'commit') => Promise<Stalled>
  close: () => Promise<void>
}

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
      takeStall: (unit) => (stalls[0] && is(stalls[0].at, unit) ? stalls.shift() : undefined),
      onCommitted() {
        if (!cutsAfterCommit) return
        isCut = true
        // Answers before this still reach the program; nothing after it does.
        near.end(() => setImmediate(end))
        for (const socket of sockets) if (socket !== near && socket !== far) socket.destroy()
      },
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
  takeStall: (unit: Unit) => Stall | undefined
  onCommitted: () => void
}

const is = (at: Stall['at'], { begins, commits }: Unit): boolean =>
  at === 'begin' ? begins : commits

function relay(near: Socket, far: Socket, { takeTrap, takeStall, onCommitted }: Taken): void {
  const endBoth = () => {
    near.destroy()
    far.destroy()
  }
  near.on('close', endBoth)
  far.on('close', endBoth)
  far.pipe(near)
  const answers = answersOf(far, onCommitted)
  const way = { near, far, answers }
  const send = (unit: Unit) => sendTo(way, unit)
  const read = unitReader()
  let waiting: Unit[] | undefined
  near.on('data', (chunk: Buffer) => {
    for (const unit of read(chunk)) {
      const stall = waiting ? undefined : takeStall(unit)
      if (stall) {
        waiting = []
        const end = () => (waiting = undefined)
        const stalled = stalledOf(way, waiting, send, end)
        waiting.push(stall.at === 'commit' ? endOf(unit) : unit)
        if (stall.at === 'begin') stall.stalled(stalled)
        else void runStatements(unit, way).then(() => stall.stalled(stalled))
        continue
      }
      const trap = !waiting && unit.commits ? takeTrap() : undefined
      if (trap) return void spring(trap, unit, way)
      if (waiting) waiting.push(unit)
      else send(unit)
    }
  })
}

type Way = { near: Socket; far: Socket; answers: Answers }

function sendTo({ far, answers }: Way, unit: Unit): void {
  answers.sent(unit)
  far.write(Buffer.concat([...unit.statements, unit.last]))
}

function stalledOf(
  { near, far }: Way,
  waiting: Unit[],
  send: (unit: Unit) => void,
  end: () => void,
): Stalled {
  return {
    commits: () => waiting.filter(({ commits }) => commits).length,
    pass(transactions = Number.POSITIVE_INFINITY) {
      if (transactions === Number.POSITIVE_INFINITY) end()
      for (let left = transactions; left > 0 && waiting.length > 0; ) {
        const [unit] = waiting.splice(0, 1)
        if (unit) send(unit)
        if (unit?.commits) left -= 1
      }
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
      for (const unit of waiting) {
        if (left === 0) break
        send(unit)
        if (unit.commits) left -= 1
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
/** The server sends what it has to say so far. */
const FLUSH = Buffer.from([0x48, 0, 0, 0, 4])

type Answers = {
  sent: (unit: Unit) => void
  /** Once all that was sent is answered. */
  all: () => Promise<void>
  /** Once so many statements of a group have been run, or one of them has failed. */
  run: (statements: number) => Promise<void>
}

function answersOf(far: Socket, onCommitted: () => void): Answers {
  const read = messageReader(1)
  const unanswered: Unit[] = []
  let run = 0
  let onAnswer: () => void = () => {}
  const until = async (isOver: () => boolean) => {
    while (!isOver()) await new Promise<void>((resolve) => (onAnswer = resolve))
  }
  far.on('data', (chunk: Buffer) => {
    for (const message of read(chunk)) {
      const type = String.fromCharCode(message[0] ?? 0)
      if (type === 'C') run += 1
      if (type === 'E') run = Number.POSITIVE_INFINITY
      if (type !== 'Z') continue
      const { commits } = unanswered.shift() ?? {}
      if (commits && run !== Number.POSITIVE_INFINITY) onCommitted()
      run = 0
    }
    onAnswer()
  })
  return {
    sent(unit) {
      if (isAnswered(unit)) unanswered.push(unit)
    },
    all: () => until(() => unanswered.length === 0),
    run: (statements) => until(() => run >= statements),
  }
}

/** Sends the statements before a COMMIT, and resolves once they have run, or one has failed. */
async function runStatements(unit: Unit, { far, answers }: Way): Promise<void> {
  await answers.all()
  if (unit.executes === 0) return
  far.write(Buffer.concat([...unit.statements, FLUSH]))
  await answers.run(unit.executes)
}

/** The statements before the COMMIT have run by then, as if it had been sent after their answers. */
async function spring({ fate, sprung }: Trap, unit: Unit, way: Way): Promise<void> {
  const { near, far, answers } = way
  near.removeAllListeners('close')
  // Bytes sent behind the COMMIT do not come to the server either.
  near.removeAllListeners('data')
  near.resume()
  far.unpipe(near)
  far.resume()
  await runStatements(unit, way)
  const deliver = async () => {
    sendTo(way, endOf(unit))
    await answers.all()
    far.destroy()
  }
  if (fate === 'answer lost') await deliver()
  if (fate === 'never sent') far.destroy()
  near.destroy()
  near.once('close', () => sprung({ deliver }))
}
