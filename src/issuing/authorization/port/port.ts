/**
 * The ISO 8583 listener (docs/iso8583.md 7, D-123). It accepts connections and holds them;
 * session.ts serves each of them. The engine that decides is an option.
 */

import { createServer, type Server, type Socket } from 'node:net'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import type { DialectName } from '#iso8583/dialects.ts'
import type { Header } from '#iso8583/framing.ts'
import type { WireLog } from '#issuing/wire_messages/wire_messages.ts'
import { BoundedLines } from '#kit/bounded_lines.ts'
import type { Log } from '#kit/log.ts'
import type { PairContents } from '#kit/net/certificates.ts'
import type { OwnSockets } from '#kit/net/own_sockets.ts'
import type { Address } from '#kit/settings/shapes.ts'
import { metrics } from '../metrics.ts'
import { openAdmission } from './admission.ts'
import { type PortClock, systemClock } from './clock.ts'
import { type Dialing, startDialing } from './dialing.ts'
import { defaultLimits, type Limits } from './limits.ts'
import { type NetworkProfile, plainProfile } from './profile.ts'
import { type NetworkEngine, openReversals } from './reversals.ts'
import { openSession, type Session } from './session.ts'
import { type PortState, Tally } from './tally.ts'
import { openHandshakes } from './tls.ts'

export type PortOptions = {
  host: string
  /** 0 lets the system choose. */
  port: number
  dialect: DialectName
  header: Header
  /**
   * The settings of a network of NETWORKS_FILE; left out, those of the dialect and header alone.
   */
  profile?: NetworkProfile
  /** Connections are made to these addresses, and none is accepted. */
  connect?: readonly Address[]
  engine: NetworkEngine
  log: Log
  limits?: Partial<Limits>
  /** Addresses and CIDR blocks that may connect; left out or null, all may. */
  allow?: readonly string[] | null
  /** Left out or null, connections are plain. */
  tls?: PairContents | null
  /**
   * The connections of this process to this port: always accepted, plain and without taking a
   * place, so that no peer can block the merchant API.
   */
  own?: Pick<OwnSockets, 'isOwn'>
  clock?: PortClock
  /** Gets every exchange that belongs to a transaction; left out or null, none is recorded. */
  wire?: Pick<WireLog, 'put'> | null
}

export type NetworkPort = {
  /** Rejects with the system's error if the address is not available. */
  listen(): Promise<{ port: number }>
  /**
   * Accepts no more connections, answers 91 to messages that still come, waits for the answers in
   * flight and closes. Connections that have not ended within the limit are cut.
   */
  close(): Promise<void>
  /** How many are open. */
  connections(): number
  /** Its connections, and messages without effect since it was made. */
  state(): PortState
  /** Uses another pair for TLS connections to come; those that are open go on (D-550). */
  use(pair: PairContents): void
}

export const createNetworkPort = (options: PortOptions): NetworkPort => new Port(options)

class Port implements NetworkPort {
  readonly #options: PortOptions
  readonly #limits: Limits
  readonly #profile: NetworkProfile
  #dialing: Dialing | undefined
  #isOpen = false
  #isLooking = false
  readonly #clock: PortClock
  readonly #tally: Tally
  readonly #server: Server
  readonly #lines: BoundedLines
  readonly #sessions = new Set<Session>()
  /** Closed connections whose decisions are under way: these may need reversing. */
  readonly #deciding = new Set<Session>()
  /** Accepted, and not yet a session: the TLS handshake is under way. */
  readonly #early = new Set<Socket>()
  readonly #reversals: ReturnType<typeof openReversals>
  readonly #admission: ReturnType<typeof openAdmission>
  readonly #handshakes: ReturnType<typeof openHandshakes> | null
  #stopLooking = () => {}

  constructor(options: PortOptions) {
    const { engine, limits, allow = null, tls = null, clock = systemClock } = options
    this.#profile = options.profile ?? plainProfile(options.dialect, options.header)
    const log = options.log.child({ network: this.#profile.name })
    this.#options = { ...options, log }
    this.#lines = new BoundedLines(log)
    this.#limits = { ...defaultLimits, ...limits }
    this.#clock = clock
    this.#tally = new Tally(this.#profile.name, clock)
    this.#reversals = openReversals(engine, log)
    // A counter that appears with its first event shows no increase between two scrapes.
    const { name: network } = this.#profile
    for (const reason of ['mac', 'key']) metrics.networkFaults.inc({ network, reason }, 0)
    this.#admission = openAdmission(this.#limits, allow)
    const { handshake } = this.#limits
    const onFailure = () => this.#reject('handshake')
    this.#handshakes = tls && openHandshakes(tls, { handshake, onFailure })
    this.#server = createServer({ noDelay: true, keepAlive: true })
    this.#server.on('connection', (socket: Socket) => void this.#receive(socket))
  }

  async listen(): Promise<{ port: number }> {
    const { connect } = this.#options
    // A sign-on needs its code at once.
    await this.#profile.keys?.open()
    const bound = connect ? this.#dial(connect) : await listen(this.#server, this.#options)
    this.#isOpen = true
    const look = () => {
      for (const session of this.#sessions) session.look()
      void this.#lookForKeys()
    }
    this.#stopLooking = this.#clock.every(this.#limits.look, look)
    return bound
  }

  connections = (): number => this.#sessions.size

  state = (): PortState => this.#tally.state()

  use = (pair: PairContents): void => this.#handshakes?.use(pair)

  async close(): Promise<void> {
    const { closing } = this.#limits
    this.#isOpen = false
    this.#dialing?.stop()
    const stopped = stop(this.#server)
    for (const socket of this.#early) socket.destroy()
    await Promise.all([...this.#sessions].map((session) => session.close()))
    await stopped
    this.#stopLooking()
    const late = wait(closing, undefined, { ref: false })
    await Promise.race([Promise.all([...this.#deciding].map(({ settled }) => settled)), late])
    // A write that failed reports it a turn later.
    await turn()
    await this.#reversals.settle(closing)
  }

  async #receive(socket: Socket): Promise<void> {
    const opened = this.#clock.now()
    // A socket that breaks before it has a session must not end the process.
    socket.on('error', (error) => this.#options.log.debug({ err: error }, 'network connection'))
    this.#early.add(socket)
    socket.once('close', () => this.#early.delete(socket))
    if (await this.#options.own?.isOwn(socket)) this.#open(socket, socket, opened)
    else this.#admit(socket, opened)
  }

  #admit(socket: Socket, opened: number): void {
    // The peer may be gone already; then there is nothing to reject.
    if (socket.destroyed || socket.remoteAddress === undefined) return void socket.destroy()
    const entry = this.#admission.enter(socket.remoteAddress)
    if (entry.rejected !== null) {
      this.#reject(entry.rejected)
      return void socket.destroy()
    }
    socket.once('close', entry.leave)
    if (this.#handshakes === null) this.#open(socket, socket, opened)
    else this.#handshakes.begin(socket, (secured) => this.#open(socket, secured, opened))
  }

  /** `accepted` is the system's socket, `socket` carries the messages: the same, or TLS over it. */
  #open(accepted: Socket, socket: Socket, opened: number): void {
    this.#early.delete(accepted)
    if (socket.destroyed || !this.#isOpen) return void socket.destroy()
    this.#serve(socket, opened)
  }

  #serve(socket: Socket, opened: number): Session {
    const { engine, log, wire = null } = this.#options
    const { tally, begin, end } = this.#tally.line(addressOf(socket), opened)
    const session = openSession({
      socket,
      tally,
      profile: this.#profile,
      engine,
      log,
      lines: this.#lines,
      opened,
      wire,
      limits: this.#limits,
      reversals: this.#reversals,
      clock: this.#clock,
    })
    this.#sessions.add(session)
    begin(() => session.isSignedOn === true)
    void session.closed.then(end)
    this.#deciding.add(session)
    void session.closed.then(() => this.#sessions.delete(session))
    void session.settled.then(() => this.#deciding.delete(session))
    return session
  }

  /** Reads keys that other processes took, and asks for one that an operator wants. */
  async #lookForKeys(): Promise<void> {
    const { keys } = this.#profile
    if (!keys || this.#isLooking) return
    this.#isLooking = true
    try {
      await keys.read()
      // A network may want the sign-on with the code that the first key makes.
      const open = [...this.#sessions].filter(({ isSignedOn }) => isSignedOn !== undefined)
      const session = open.find(({ isSignedOn }) => isSignedOn) ?? open[0]
      const use = session && (await keys.claim())
      if (use) session?.askForKey(use)
    } catch (error) {
      this.#lines.writeFailure(error, {}, 'the keys of a network were not read')
    } finally {
      this.#isLooking = false
    }
  }

  /** The first address stands for all. */
  #dial(addresses: readonly Address[]): { port: number } {
    const { name: network } = this.#profile
    const { log } = this.#options
    this.#dialing = startDialing({
      addresses,
      serve: async (socket) => {
        if (this.#isOpen) await this.#serve(socket, this.#clock.now()).closed
        else socket.destroy()
      },
      onLost: ({ host, port }, reason) => {
        this.#tally.fault('not_connected')
        const members = { address: `${host}:${port}`, reason }
        this.#lines.write('warn', `not connected ${network}`, members, 'a network is not connected')
        log.debug(members, 'a network is not connected')
      },
    })
    return { port: addresses[0]?.port ?? 0 }
  }

  #reject(reason: string): void {
    this.#tally.fault(reason)
    this.#options.log.debug({ reason }, 'network connection rejected')
  }
}

const addressOf = ({ remoteAddress = '', remotePort = 0 }: Socket): string =>
  `${remoteAddress.replace(/^::ffff:/, '')}:${remotePort}`

function listen(server: Server, { port, host }: PortOptions): Promise<{ port: number }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      const address = server.address()
      resolve({ port: typeof address === 'object' && address !== null ? address.port : port })
    })
  })
}

/** Resolves when every connection is closed; at once when it never listened. */
function stop(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()))
}
