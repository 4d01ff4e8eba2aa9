/**
 * The servers that an address names: one, or several of which one takes writes at a time, as with a
 * primary and its standbys (D-661). All connections of a process go to one of them, until it is
 * left; so a former primary that comes back gets none while another serves.
 */

import pg from 'pg'
import type { Preparation } from './cluster.ts'
import type { Sockets } from './sockets.ts'

/** The text before the hosts, the hosts with their ports, and the rest. */
const ADDRESS = /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s
const TAKES_WRITES = /[?&]target_session_attrs=read-write(&|$)/

export type Servers = {
  /** An address for each of them; at least one. */
  urls: readonly [string, ...string[]]
  /** Whether a server that takes no writes is to be left. */
  takesWrites: boolean
}

/** Reads `postgresql://user:password@one:5432,two:5432/database`, in the syntax of libpq. */
export function serversOf(url: string): Servers {
  const [, before = '', hosts = '', rest = ''] = ADDRESS.exec(url) ?? []
  const takesWrites = TAKES_WRITES.test(rest)
  if (!hosts.includes(',')) return { urls: [url], takesWrites }
  const [first = '', ...others] = hosts.split(',').map((host) => `${before}${host}${rest}`)
  return { urls: [first, ...others], takesWrites: true }
}

/** Refuses a connection of its own to a server that is in recovery, or read-only by its settings. */
export class TakesNoWrites extends Error {
  override name = 'TakesNoWrites'
}

export class Hosts {
  readonly count: number
  readonly #servers: Servers
  #at = 0

  constructor(servers: Servers) {
    this.#servers = servers
    this.count = servers.urls.length
  }

  /** The address of new connections. */
  get url(): string {
    return this.#servers.urls[this.#at] ?? this.#servers.urls[0]
  }

  /** It was of no use: the next one is tried, unless another attempt has left it already. */
  leave(url: string): void {
    if (url === this.url) this.#at = (this.#at + 1) % this.count
  }

  /** It answers and is of use: new connections go there. */
  keep(url: string): void {
    this.#at = Math.max(0, this.#servers.urls.indexOf(url))
  }

  /** Rejects if the server should take writes and does not. One in recovery says so here too. */
  async prove(client: pg.ClientBase): Promise<void> {
    if (!this.#servers.takesWrites) return
    const { rows } = await client.query<{ setting: string }>(READ_ONLY)
    if (rows[0]?.setting !== 'off') throw new TakesNoWrites('the server takes no writes')
  }
}

const READ_ONLY = "select current_setting('transaction_read_only') as setting"

type Way = { hosts: Hosts; sockets: Sockets; prepare: Preparation['prepare'] }

/** A pool to the server that takes writes. If one is of no use, each of the others is tried. */
export function openPool({ hosts, sockets, prepare }: Way, config: pg.PoolConfig): pg.Pool {
  class Client extends pg.Client {
    constructor(given: pg.ClientConfig) {
      const { url } = hosts
      super({ ...given, connectionString: url, stream: () => sockets.open(url) })
    }
  }

  class Pool extends pg.Pool {
    override connect(): Promise<pg.PoolClient>
    override connect(callback: Callback): void
    override connect(callback?: Callback): Promise<pg.PoolClient> | undefined {
      if (callback) {
        this.#try(hosts.count, callback)
        return undefined
      }
      const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>()
      this.#try(hosts.count, (error, client) => (client ? resolve(client) : reject(error)))
      return promise
    }

    #try(left: number, callback: Callback): void {
      const { url } = hosts
      super.connect((error, client, release) => {
        // A full pool is no fault of the server.
        const isFault = error !== undefined && !isFull(error)
        if (isFault) hosts.leave(url)
        if (isFault && left > 1) this.#try(left - 1, callback)
        else callback(error, client, release)
      })
    }
  }

  return new Pool({
    ...config,
    Client,
    async onConnect(client: pg.ClientBase) {
      await hosts.prove(client)
      await prepare(client)
    },
  } as unknown as pg.PoolConfig)
}

type Callback = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (broken?: boolean | Error) => void,
) => void

/** The driver's words for a pool without a free connection. */
const isFull = ({ message }: Error): boolean =>
  message === 'timeout exceeded when trying to connect'
