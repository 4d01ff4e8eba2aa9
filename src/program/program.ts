/** Composes the program: APIs, sweeps, pages and ports on one database. */

import { Engine, Responder } from '#issuing/authorization/authorization.ts'
import { createMessenger } from '#issuing/challenges/challenges.ts'
import { takeFileIn } from '#issuing/clearings/clearings.ts'
import { type CardCryptography, softwareCustody } from '#issuing/vault/vault.ts'
import * as webhooks from '#issuing/webhooks/webhooks.ts'
import { WireLog } from '#issuing/wire_messages/wire_messages.ts'
import { type ClockWatch, watchClock } from '#kit/db/clock_skew.ts'
import { hearOthers } from '#kit/db/connections/announcements.ts'
import type { Listen } from '#kit/db/connections/pulse.ts'
import type { Db } from '#kit/db/database.ts'
import type { App } from '#kit/http/app.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { idempotencyHeader } from '#kit/http/idempotency_header.ts'
import type { Route } from '#kit/http/route.ts'
import type { Backlog } from '#kit/jobs/backlogs.ts'
import { JobRecords } from '#kit/jobs/job_records.ts'
import type { Sweep } from '#kit/jobs/sweep.ts'
import type { Sweeper } from '#kit/jobs/sweeper.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import type { Log } from '#kit/log.ts'
import { openOwnSockets } from '#kit/net/own_sockets.ts'
import type { Profile } from '#kit/profile.ts'
import { isLoopback } from '#kit/settings/shapes.ts'
import { backlogsOf, eventKindsOf, reactionsOf, type Slice, sweepsOf } from '#kit/slice.ts'
import type { IssuerLink } from '#merchant/acquirer/acquirer.ts'
import type { Config } from '#src/config/config.ts'
import { issuingModule, issuingSlices } from '#src/program/apis/issuing.ts'
import { merchantModule, merchantSlices } from '#src/program/apis/merchant.ts'
import { portalModule, portalSlices } from '#src/program/apis/portal.ts'
import { evidenceStore } from './apis/evidence.ts'
import { operatorSlices } from './apis/operator.ts'
import { type Callers, openCallers } from './callers.ts'
import { contractsOf, VERSION } from './documents.ts'
import { createHeartbeat, type HeartbeatLoop } from './heartbeat.ts'
import { type Issuers, openIssuers } from './issuers.ts'
import type { Mode, World } from './modes/mode.ts'
import { type Gauged, setGauges } from './pages/gauges.ts'
import { serveHealth } from './pages/health.ts'
import { servePages } from './pages/pages.ts'
import { type ApiModules, openPorts, type Ports } from './ports.ts'
import { openSweeper } from './sweeping.ts'

export type Program = {
  app: App
  engine: Engine
  sweeper: Sweeper
  clock: ClockWatch
  services: Services
  /** The records that this process has of its jobs. */
  records: JobRecords
  issuers: Omit<Issuers, 'link'>
  /** The waiting work of all slices in the database. */
  backlogs: readonly Backlog[]
  sweeps: readonly Sweep[]
  /** Returns the configuration with the chosen ports, once the program listens. */
  bind: (bound: Config) => void
  /**
   * Opens the ports of this process's roles and starts its sweeps. Returns the configuration with
   * the ports that the system chose; throws a StartError if one cannot be opened.
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
  /** The mode of the configuration, loaded. */
  mode: Mode
  db: Db
  batches: Db
  keys: Keyring
  /** The place of the keys of cards; in software if none is given. */
  custody?: CardCryptography
  log: Log
  /** Listens to the notifications of other processes. */
  listen?: Listen
  wall?: () => number
  /** In tests only (kit/jobs/sweeper.ts). */
  checksDueWork?: boolean
}

/** A caller from elsewhere reaches nothing of this machine by the program (D-1004). */
function profileOf({ host, public_url }: Config, { profile }: Mode): Profile {
  const isOwn = isLoopback(host) && isLoopback(new URL(public_url).hostname)
  return { ...profile, private_endpoints: profile.private_endpoints && isOwn }
}

export function assemble(whole: Parts): Program {
  const { config, mode, db, batches, keys, log, listen, checksDueWork } = whole
  let [current, stopping] = [config, false]
  const clock = watchClock(db, log, whole.wall)
  const services: Services = {
    db,
    keys,
    custody: whole.custody ?? softwareCustody,
    profile: profileOf(config, mode),
    notify: (...notice) => notifyAll([callers, sweeper, world.listener], notice),
    runDueJobs: (tenant_id) => sweeper.runDueJobs(tenant_id),
    react: (tx, event) => react(tx, event),
  }
  const callers = openCallers(services, () => current, log)
  const parts = { config: () => current, log, wire: wireLogOf(config, db, log) }
  const own = openOwnSockets()
  const { link, ...issuers } = openIssuers({ ...parts, own, time: clock.now })
  const world = mode.open(services)
  const engine = createEngine({ ...services, db: batches }, world)
  const routes = () => apis.flatMap((api) => api.routes)
  const slices = openSlices({ ...parts, engine, services }, { mode, world, link, issuers, routes })
  const all = [...slices.issuing, ...slices.merchants, ...slices.portal]
  const react = reactionsOf([...slices.issuing, ...slices.merchants])
  const records = new JobRecords()
  const sweeper = openSweeper(all, { config, db, log, services, clock, records, checksDueWork })
  const apis = modulesOf(slices, { services, clock, callers, config: parts.config })
  const ports = openPorts(config, { ...parts, apis, engine, services, own, clock })
  const heartbeat = heartbeatOf({ config, db, log, ports, records, clock })
  ports.app.addHook('onClose', () => Promise.all([callers.uses.flush(), parts.wire?.flush()]))
  const measured = { records, sweeper, engine, pools: { requests: db, batches } }
  serveHealthOf(ports, { db, clock, isStopping: () => stopping }, { config, mode, ...measured })
  servePagesOf(all, { app: ports.app, config: parts.config, mode, services })

  return {
    app: ports.app,
    backlogs: backlogsOf(all),
    sweeps: sweepsOf(all),
    engine,
    sweeper,
    clock,
    services,
    records,
    issuers,
    bind(bound) {
      current = bound
    },
    async listen() {
      await clock.start()
      current = await ports.listen()
      sweeper.start(config.roles.includes('worker'))
      if (listen) hearOthers(listen, services.notify)
      await heartbeat.start()
      issuers.start()
      return current
    },
    async close() {
      stopping = true
      await end({ issuers, ports, sweeper, heartbeat, clock, wire: parts.wire })
    },
  }
}

type Open = Pick<Program, 'issuers' | 'sweeper' | 'clock'> & {
  ports: Ports
  heartbeat: HeartbeatLoop
  wire: WireLog | null
}

async function end({ issuers, ports, sweeper, heartbeat, clock, wire }: Open): Promise<void> {
  issuers.stop()
  await ports.close(sweeper)
  await heartbeat.stop()
  await Promise.all([clock.stop(), wire?.flush()])
}

type Slices = Readonly<Record<'issuing' | 'merchants' | 'portal', Slice[]>>
type Mounting = {
  services: Services
  clock: ClockWatch
  callers: Callers
  config: () => Config
}

function modulesOf({ issuing, merchants, portal }: Slices, mounting: Mounting): ApiModules {
  const { services, clock, callers, config } = mounting
  const { ofKeys, ofTokens, sessions } = callers
  const issuingApi = issuingModule(issuing, services, clock, config, ofKeys, callers)
  const idempotencyAlias = idempotencyHeader(config())
  const merchantHeader = `x-${config().operator_name}-merchant`
  return [
    issuingApi,
    merchantModule(merchants, services, clock, ofTokens, {
      sessions,
      merchantHeader,
      idempotencyAlias,
    }),
    portalModule(portal, { ...issuingApi, sessions }),
  ]
}

const createEngine = (services: Services, { listener }: World): Engine =>
  new Engine(services, {}, new Responder(undefined, undefined, listener))

const wireLogOf = ({ wire_log }: Config, db: Db, log: Log): WireLog | null =>
  wire_log ? new WireLog(db, log) : null

type Beating = Pick<Parts, 'config' | 'db' | 'log'> & {
  ports: Ports
  records: JobRecords
  clock: ClockWatch
}

const heartbeatOf = ({ config, db, log, ports, records, clock }: Beating) =>
  createHeartbeat({
    db,
    log,
    roles: config.roles,
    version: VERSION,
    read: () => ({
      connections: ports.connections(),
      networks: ports.networks(),
      jobs: records.read(clock.now()),
    }),
  })

type Health = Omit<Parameters<typeof serveHealth>[1], 'measure'>
type Measured = Omit<Gauged, 'version' | 'clock' | 'connections'> & { mode: Mode }

function serveHealthOf(ports: Ports, health: Health, measured: Measured): void {
  const { clock } = health
  const { connections } = ports
  const measure = () => setGauges({ ...measured, version: VERSION, clock, connections })
  const { config, mode } = measured
  const isServed = config.admin !== null || mode.profile.metrics_beside_apis
  serveHealth(ports.health, { ...health, measure: isServed ? measure : undefined })
}

type Served = { app: App; config: () => Config; mode: Mode; services: Services }

function servePagesOf(slices: readonly Slice[], { app, config, mode, services }: Served): void {
  if (!config().roles.includes('api')) return
  servePages(
    app,
    () => contractsOf(config(), mode),
    () => config().public_url,
  )
  for (const { pages } of slices) pages?.(app, services)
}

type SliceParts = Pick<
  Parameters<typeof issuingSlices>[0],
  'config' | 'engine' | 'wire' | 'log'
> & {
  services: Services
}
type Beside = {
  mode: Mode
  world: World
  link: IssuerLink
  issuers: Pick<Issuers, 'names'>
  routes: () => readonly Route[]
}

function openSlices(parts: SliceParts, { mode, world, link, issuers, routes }: Beside): Slices {
  const merchants = merchantSlices({
    ...parts,
    link,
    evidence: evidenceStore(parts.config(), mode.providers),
    takeIn: takeFileIn,
    webhooks,
    ...world.payments,
  })
  const issuing = issuingSlices({
    ...parts,
    messengerOf: (mailer) => createMessenger({ ...parts, mailer }),
    otherEvents: eventKindsOf(merchants),
    providers: mode.providers,
    simulated: mode.slices({ ...parts, listener: world.listener }),
  })
  return {
    issuing: inMode([...issuing, ...operatorSlices(parts.config, issuers.names)], parts.config()),
    merchants,
    portal: portalSlices({ ...parts, profile: mode.profile, routes }),
  }
}

function notifyAll(
  listeners: readonly (Pick<Services, 'notify'> | undefined)[],
  notice: Parameters<Services['notify']>,
): void {
  for (const listener of listeners) listener?.notify(...notice)
}

/** Operations that simulate the outside world do not exist in live (D-14). */
function inMode(slices: Slice[], { mode }: Config): Slice[] {
  if (mode === 'sandbox') return slices
  return slices.map((slice) => ({
    ...slice,
    routes: (slice.routes ?? []).filter(({ sandbox }) => !sandbox),
  }))
}
