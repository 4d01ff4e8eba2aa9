/** Composes the program: APIs, sweeps, pages and ports on one database. */

import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import {
  createNetworkPort,
  createTenantFinder,
  Engine,
  Responder,
} from '#issuing/authorization/authorization.ts'
import { RunningClock } from '#kit/clock.ts'
import type { Context } from '#kit/context.ts'
import { type ClockWatch, watchClock } from '#kit/db/clock_skew.ts'
import { hearOthers } from '#kit/db/connections/announcements.ts'
import type { Listen } from '#kit/db/connections/pulse.ts'
import type { Db } from '#kit/db/database.ts'
import { problemOf } from '#kit/http/answers/problems.ts'
import type { ApiModule } from '#kit/http/api_module.ts'
import { type App, createApp } from '#kit/http/app.ts'
import { CALLERS, CallerCache } from '#kit/http/callers/caller_cache.ts'
import {
  callerOf,
  type KeyCache,
  knownCallerOf,
  NO_TENANT,
  presentedKey,
  type Services,
  tenantContext,
} from '#kit/http/callers/callers.ts'
import { createSweeper, type Sweeper } from '#kit/jobs/sweeper.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import type { Log } from '#kit/log.ts'
import { type OwnSockets, openOwnSockets } from '#kit/net/own_sockets.ts'
import { PROFILES } from '#kit/profile.ts'
import {
  catalogueOfSlices,
  eventKindsOf,
  reactionsOf,
  routesOf,
  type Slice,
  sweepsOf,
} from '#kit/slice.ts'
import { createListener, type ResponderListener } from '#sandbox/responder/listener.ts'
import { type Config, withBoundPorts } from '#src/config/config.ts'
import { issuerDial, portTls } from '#src/config/tls.ts'
import { ISSUING_PREFIX, issuingSlices } from '#src/issuing.ts'
import {
  type BearerCache,
  merchantModule,
  merchantOperatorSlice,
  merchantSlices,
} from '#src/merchant.ts'
import { contractsOf } from './documents.ts'
import { httpListener, type Listener, listenOrExplain } from './listening.ts'
import { servePages } from './pages/pages.ts'

/**
 * From the beginning of the stop; HTTP takes at most the first 4,250 ms, calls to webhooks 5,000.
 * The rest of the 9,500 ms that the process has is for the database.
 */
const SWEEPS_ENDED_MS = 6_000
const NETWORK_ENDED_MS = 8_000
const ENGINE_ENDED_MS = 8_500

export type Program = {
  app: App
  engine: Engine
  sweeper: Sweeper
  clock: ClockWatch
  services: Services
  /** Returns the configuration with the chosen ports, once the program listens. */
  bind: (bound: Config) => void
  /**
   * Opens the ports of this process's roles and starts its sweeps. Returns the configuration with
   * the ports that the system chose; throws a StartError where one cannot be opened.
   */
  listen: () => Promise<Config>
  /**
   * Finishes work under way and stops, in the order of the dependencies: requests, sweeps, the
   * acquirer's connection, the port, the engine. The caller closes the database.
   */
  close: () => Promise<void>
}

/** `wall` is the clock of this process, which only its watch reads. */
type Parts = {
  config: Config
  db: Db
  batches: Db
  keys: Keyring
  log: Log
  /** For the notifications of other processes. */
  listen?: Listen
  wall?: () => number
}

export function assemble({ config, db, batches, keys, log, listen, wall }: Parts): Program {
  let current = config
  const clock = watchClock(db, log, wall)
  const callers = openCallers()
  const services: Services = {
    db,
    keys,
    profile: PROFILES[config.mode],
    notify: (...notice) => notifyAll([callers, sweeper, listener], notice),
    runDueJobs: (tenant_id) => sweeper.runDueJobs(tenant_id),
    react: (tx, event) => react(tx, event),
  }
  const parts = { config: () => current, log }
  const own = openOwnSockets()
  const merchants = merchantSlices({ ...parts, dial: issuerDial(config, own) })
  const listener = createListener(services)
  const engine = createEngine({ ...services, db: batches }, listener)
  const slices = slicesOf({ ...parts, engine, listener }, merchants)
  const issuing = inMode([...slices, merchantOperatorSlice], config)
  const react = reactionsOf([...issuing, ...merchants])
  const sweeper = createSweeper({
    ...{ db, log, isPaused: () => clock.fault() !== undefined },
    contextOf: (tenant_id) => sweepContext(services, clock, tenant_id),
    sweeps: [...sweepsOf(issuing), ...sweepsOf(merchants)],
    sweptElsewhere: !config.roles.includes('worker'),
  })
  const apis: [ApiModule, ApiModule] = [
    issuingModule(issuing, services, clock, () => current, callers.ofKeys),
    merchantModule(merchants, services, clock, callers.ofTokens),
  ]
  const app = createServer(apis, config, log)
  let stopping = false
  servePages(app, {
    db,
    clock,
    isStopping: () => stopping,
    contracts: config.roles.includes('api') ? () => contractsOf(config) : undefined,
  })
  mountPages(app, services, config.roles.includes('api') ? [...issuing, ...merchants] : [])

  const bind = (bound: Config) => {
    current = bound
  }
  const http = httpListener(app, config)
  const network = networkListener(config, { engine, services, own, log })
  return {
    ...{ app, engine, sweeper, clock, services, bind },
    async listen() {
      await clock.start()
      bind(await listenOn(config, http, network))
      sweeper.start(config.roles.includes('worker'))
      if (listen) hearOthers(listen, services.notify)
      return current
    },
    async close() {
      stopping = true
      await closeInOrder({ sweeper, http, network, engine })
      await clock.stop()
    },
  }
}

const createEngine = (services: Services, listener: ResponderListener): Engine =>
  new Engine(services, {}, new Responder(undefined, undefined, listener))

type SliceParts = Omit<Parameters<typeof issuingSlices>[0], 'otherEvents'>

const slicesOf = (parts: SliceParts, merchants: readonly Slice[]): Slice[] =>
  issuingSlices({ ...parts, otherEvents: eventKindsOf(merchants) })

/** The audit records of the operator belong to no tenant, and are chained like those of one. */
async function sweepContext(
  services: Services,
  clock: ClockWatch,
  tenant_id: string,
): Promise<Context> {
  const actor = { kind: 'system', id: 'sweep' } as const
  if (tenant_id !== NO_TENANT) return tenantContext(services, tenant_id, actor)
  return { ...services, db: services.db.forTenant(NO_TENANT), tenant_id, now: clock.now(), actor }
}

/** What this process knows of the callers of both APIs. */
function openCallers() {
  const time = new RunningClock()
  const ofKeys: KeyCache = new CallerCache(time)
  const ofTokens: BearerCache = new CallerCache(time)
  const notify = (channel: string) => {
    if (channel !== CALLERS) return
    ofKeys.drop()
    ofTokens.drop()
  }
  return { ofKeys, ofTokens, notify }
}

function notifyAll(
  listeners: readonly Pick<Services, 'notify'>[],
  notice: Parameters<Services['notify']>,
): void {
  for (const listener of listeners) listener.notify(...notice)
}

function mountPages(app: App, services: Services, slices: readonly Slice[]): void {
  for (const { pages } of slices) pages?.(app, services)
}

type Closing = { sweeper: Sweeper; http: Listener; network: Listener | undefined; engine: Engine }

/** Requests and sweeps may need the port, over the acquirer's connection, to the end (D-354). */
async function closeInOrder({ sweeper, http, network, engine }: Closing): Promise<void> {
  const since = performance.now()
  const within = (ms: number, work: Promise<unknown> | undefined) => {
    const left = Math.max(since + ms - performance.now(), 0)
    return Promise.race([work, pause(left, undefined, { ref: false })])
  }
  sweeper.prepareStop()
  await http.close()
  await within(SWEEPS_ENDED_MS, sweeper.stop())
  await within(NETWORK_ENDED_MS, network?.close())
  await within(ENGINE_ENDED_MS, engine.drain())
}

/** A process without the role of the API serves its health alone, with the same error format. */
function createServer(
  [issuing, merchant]: [ApiModule, ApiModule],
  { roles, trusted_proxies }: Config,
  log: Log,
): App {
  const options = { trusted_proxies }
  if (roles.includes('api')) return createApp([issuing, merchant], log, options)
  return createApp([{ ...issuing, routes: [] }], log, options)
}

type NetworkParts = { engine: Engine; services: Services; own: OwnSockets; log: Log }

/** None in a process without the role. */
function networkListener(config: Config, parts: NetworkParts): Listener | undefined {
  if (!config.roles.includes('network')) return undefined
  const { engine, services, own, log } = parts
  const { host, port, dialect, header, allow } = config.network
  const { connections, connections_per_address } = config.network
  return createNetworkPort({
    ...{ host, port, dialect, header, allow, own, log },
    limits: { connections, connections_per_address },
    tls: portTls(config),
    engine: {
      submit: (tenant_id, job) => engine.submit(tenant_id, job),
      tenantOfPan: createTenantFinder(services),
    },
  })
}

/** HTTP comes last: a client that finds it ready may use everything. */
async function listenOn(config: Config, http: Listener, network: Listener | undefined) {
  const { host, port } = config
  const follows = config.network.host === host
  const networkNames = { port: 'NETWORK_PORT', host: follows ? 'HOST' : 'NETWORK_HOST' }
  const network_port = network
    ? await listenOrExplain(network, config.network, networkNames)
    : config.network.port
  return withBoundPorts(config, {
    port: await listenOrExplain(http, { host, port }, { port: 'PORT', host: 'HOST' }),
    network_port,
  })
}

/** Operations that simulate the outside world do not exist in live (D-14). */
function inMode(slices: Slice[], { mode }: Config): Slice[] {
  if (mode === 'sandbox') return slices
  return slices.map((slice) => ({
    ...slice,
    routes: (slice.routes ?? []).filter(({ sandbox }) => !sandbox),
  }))
}

export function issuingModule(
  slices: Slice[],
  services: Services,
  clock: ClockWatch,
  config: () => Config,
  cache: KeyCache = new CallerCache(new RunningClock()),
): ApiModule {
  return {
    name: 'issuing',
    prefix: ISSUING_PREFIX,
    routes: routesOf(slices),
    errors: catalogueOfSlices(slices),
    knownCaller: ({ headers }) => knownCallerOf(services, presentedKey(headers), cache),
    authenticate: ({ headers }: FastifyRequest) => callerOf(services, presentedKey(headers), cache),
    openContext: (): Context => ({
      ...services,
      tenant_id: NO_TENANT,
      now: clock.now(),
      actor: { kind: 'system', id: 'open' },
    }),
    idempotencyHeader: `x-${config().operator_name}-idempotency-key`,
    formatError: (fault, request_id) => ({
      content_type: 'application/problem+json; charset=utf-8',
      body: JSON.stringify(problemOf(fault, config().public_url, request_id)),
    }),
  }
}
