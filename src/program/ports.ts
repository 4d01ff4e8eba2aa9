/**
 * The ports of a process by its roles: HTTP with or without TLS, the address of its health, and the
 * card network's. Opens them, and closes them in the order of their dependencies.
 */

import { setTimeout as pause } from 'node:timers/promises'
import {
  createNetworkPort,
  createTenantFinder,
  type Engine,
  type NetworkPort,
} from '#issuing/authorization/authorization.ts'
import { NetworkKeys, type NetworkState, readZoneMasterKey } from '#issuing/networks/networks.ts'
import type { WireLog } from '#issuing/wire_messages/wire_messages.ts'
import type { ClockWatch } from '#kit/db/clock_skew.ts'
import type { ApiModule } from '#kit/http/api_module.ts'
import { type App, createApp } from '#kit/http/app.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { openSecureServer, type SecureServer } from '#kit/http/secure_server.ts'
import type { Sweeper } from '#kit/jobs/sweeper.ts'
import type { Log } from '#kit/log.ts'
import type { Pair } from '#kit/net/certificates.ts'
import type { OwnSockets } from '#kit/net/own_sockets.ts'
import { watchPair } from '#kit/net/renewal.ts'
import type { Address } from '#kit/settings/shapes.ts'
import { type Config, withBoundPorts } from '#src/config/config.ts'
import { type Certified, httpPair, portPair } from '#src/config/tls.ts'
import { httpListener, type Listener, listenOrExplain } from './listening.ts'

/**
 * Times from the beginning of the stop: HTTP takes at most the first 4,250 ms, calls to webhooks
 * 5,000. The rest of the 9,500 ms that the process has is for the database.
 */
const SWEEPS_ENDED_MS = 6_000
const NETWORK_ENDED_MS = 8_000
const ENGINE_ENDED_MS = 8_500

export type Ports = {
  /** Serves the APIs of this process. */
  app: App
  /** Serves its health and metrics: `app`, or another with ADMIN_PORT (D-145). */
  health: App
  /**
   * Returns the configuration with the ports that the system chose. Throws a StartError if one
   * cannot be opened.
   */
  listen: () => Promise<Config>
  /** Open connections of the card network. */
  connections: () => number
  /** The networks of NETWORKS_FILE as this process has them. */
  networks: () => readonly NetworkState[]
  /** Requests, sweeps, the network port, the engine, health (D-354). */
  close: (sweeper: Sweeper) => Promise<void>
}

export type ApiModules = [issuing: ApiModule, merchant: ApiModule, portal: ApiModule]

type Parts = {
  apis: ApiModules
  engine: Engine
  wire: WireLog | null
  services: Services
  own: OwnSockets
  clock: ClockWatch
  log: Log
}

/** Throws a StartError if a certificate cannot be used. */
export function openPorts(config: Config, parts: Parts): Ports {
  const { apis, engine, clock, log } = parts
  const [https, tls] = [httpPair(config, clock.now()), portPair(config, clock.now())]
  const secure = https ? openSecureServer(https.pair) : undefined
  const { app, health } = createServers(config, apis, secure, log)
  const http = httpListener(app, config, secure)
  const admin = config.admin ? httpListener(health, config.admin) : undefined
  const isNetwork = config.roles.includes('network')
  const network = isNetwork ? createPort(config, tls, parts) : undefined
  const named = isNetwork ? namedPorts(config, tls, parts) : []
  const watches: (() => void)[] = []
  const watch = (read: Certified | null, use: ((pair: Pair) => void) | undefined) => {
    if (read && use) watches.push(watchPair({ ...read, log, use, time: clock.now }))
  }
  return {
    app,
    health,
    connections: () =>
      [network, ...named].reduce((sum, port) => sum + (port?.connections() ?? 0), 0),
    networks: () => named.map((port) => ({ name: port.name, ...port.state() })),
    async listen() {
      const bound = await listenOn(config, { http, network, admin, named })
      watch(https, secure?.use)
      watch(tls, (pair) => {
        for (const port of [network, ...named]) port?.use(pair)
      })
      return bound
    },
    async close(sweeper) {
      for (const stop of watches) stop()
      await closeInOrder({ sweeper, http, network, admin, engine, named })
    },
  }
}

/**
 * A process without the role of the API serves its health alone, with the same error format. At
 * ADMIN_PORT it has any name: probes and scrapers call it by one of the operator's network.
 */
function createServers(
  { roles, trusted_proxies, hosts, admin }: Config,
  apis: ApiModules,
  secure: SecureServer | undefined,
  log: Log,
): { app: App; health: App } {
  const none = { ...apis[0], routes: [] }
  const options = { trusted_proxies, secure }
  const app = createApp(roles.includes('api') ? apis : [none], log, { ...options, hosts })
  return { app, health: admin ? createApp([none], log) : app }
}

/** With NETWORKS_FILE it is for the payments of this process alone, which are always accepted. */
function createPort(config: Config, tls: Certified | null, parts: Parts) {
  const { engine, wire, services, own, log } = parts
  const { host, port, dialect, header } = config.network
  const allow = config.networks ? [] : config.network.allow
  const { connections, connections_per_address } = config.network
  return createNetworkPort({
    host,
    port,
    dialect,
    header,
    allow,
    own,
    log,
    wire,
    limits: { connections, connections_per_address },
    tls: tls?.pair ?? null,
    engine: {
      submit: (tenant_id, job) => engine.submit(tenant_id, job),
      tenantOfPan: createTenantFinder(services),
    },
  })
}

/** The ports of NETWORKS_FILE (D-1030). */
function namedPorts(config: Config, tls: Certified | null, parts: Parts): NamedPort[] {
  const { engine, wire, services, log } = parts
  const tenantOfPan = createTenantFinder(services)
  return (config.networks ?? []).map((network) => {
    const { addresses, role, dialect, header, allow, connections_per_address, echo_s } = network
    const { connections, name } = network
    const [{ host, port } = config.network] = addresses
    const keys = network.zmk_file
      ? new NetworkKeys(services, name, readZoneMasterKey(name, network.zmk_file))
      : null
    const opened = createNetworkPort({
      ...{ host, port, dialect, header, allow, wire },
      profile: { ...network, keys },
      ...(role === 'connect' && { connect: addresses }),
      log,
      limits: { connections, connections_per_address, silence: echo_s * 1_000 },
      tls: role === 'listen' ? (tls?.pair ?? null) : null,
      engine: { submit: (tenant_id, job) => engine.submit(tenant_id, job), tenantOfPan },
    })
    return Object.assign(opened, { name, address: { host, port } })
  })
}

type NamedPort = NetworkPort & { name: string; address: Address }

type Listeners = {
  http: Listener
  network: Listener | undefined
  admin: Listener | undefined
  named: readonly NamedPort[]
}

/**
 * HTTP comes after the network port, and health last: a client that finds it ready may use
 * everything.
 */
async function listenOn(
  config: Config,
  { http, network, admin, named }: Listeners,
): Promise<Config> {
  const { host, port } = config
  const follows = config.network.host === host
  const networkNames = { port: 'NETWORK_PORT', host: follows ? 'HOST' : 'NETWORK_HOST' }
  const network_port = network
    ? await listenOrExplain(network, config.network, networkNames)
    : config.network.port
  for (const port of named) {
    const where = `NETWORKS_FILE: the addresses of ${port.name}`
    await listenOrExplain(port, port.address, { port: where, host: where })
  }
  const bound = {
    network_port,
    port: await listenOrExplain(http, { host, port }, { port: 'PORT', host: 'HOST' }),
  }
  if (!admin || !config.admin) return withBoundPorts(config, bound)
  const adminNames = { port: 'ADMIN_PORT', host: 'ADMIN_HOST' }
  const admin_port = await listenOrExplain(admin, config.admin, adminNames)
  return withBoundPorts(config, { ...bound, admin_port })
}

type Closing = Listeners & { sweeper: Sweeper; engine: Engine }

/** Requests and sweeps may need the port, over the acquirer's connection, to the end (D-354). */
async function closeInOrder({
  sweeper,
  http,
  network,
  admin,
  engine,
  named,
}: Closing): Promise<void> {
  const since = performance.now()
  const within = (ms: number, work: Promise<unknown> | undefined) => {
    const left = Math.max(since + ms - performance.now(), 0)
    return Promise.race([work, pause(left, undefined, { ref: false })])
  }
  sweeper.prepareStop()
  await http.close()
  await within(SWEEPS_ENDED_MS, sweeper.stop())
  const ports = [network, ...named].map(async (port) => port?.close())
  await within(NETWORK_ENDED_MS, Promise.all(ports))
  await within(ENGINE_ENDED_MS, Promise.all([engine.drain(), admin?.close()]))
}
