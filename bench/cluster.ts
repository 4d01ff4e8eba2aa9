/**
 * The cost of a Citus cluster: authorizations over ISO 8583 on one server of PostgreSQL, on a
 * cluster with the tenant on one worker, and with two tenants on two workers. It needs a PostgreSQL
 * that has Citus. All servers are on the same cores, so CPU time says more than rates.
 */

import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import {
  addWorker,
  makeCoordinator,
  makeNode,
  spread,
  workerOf,
} from '../deploy/drills/cluster/servers.ts'
import { DrillFault } from '../deploy/drills/fault.ts'
import type { Running } from '../deploy/drills/programs.ts'
import { folderOf } from '../deploy/drills/stage/folder.ts'
import * as program from '../deploy/drills/stage/platform.ts'
import { makeServer, type Server } from '../deploy/drills/stage/postgres.ts'
import { Transcript } from '../deploy/drills/transcript.ts'
import type { Load, Measured } from './network_load.ts'
import { cpuOf } from './support/cpu.ts'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
const ROUNDS = Number(process.env['BENCH_RUNS'] ?? 3)
const WARM_UP_SECONDS = 8
/** Requests in flight for each tenant. */
const IN_FLIGHT = 256
const IDLE_SECONDS = 15
const IDLE_PARTS = 4
const CARDS = 60
/** The node of a tenant depends on its id: so many are made until each worker has one. */
const MOST_TENANTS = 12
const FIRST_BIN = 530_000

type Place = { name: string; running: Running; ports: program.Ports; servers: readonly Server[] }
/**
 * Cost of one load: decisions a second, and the CPU time of each process for one of them, in µs.
 */
type Cost = { per_second: number; node: number; servers: readonly number[]; declined: number }

/** The master key of each installation. */
const keys = new Map<string, string>()
const print = (line: string) => console.log(line)
const transcript = new Transcript(() => {})
await using stack = new AsyncDisposableStack()
const folder = folderOf(stack, transcript)

print('Making one server, and a coordinator with two workers …')
const plain = await openPlain()
const cluster = await openCluster()
print('Making tenants …')
const [alone] = await makeTenants(plain, 1)
const onWorkers = await makeTenants(cluster, 2)
const [first, second] = onWorkers
if (!alone || !first || !second) throw new Error('a tenant is missing')

await printIdle(plain)
await printIdle(cluster)
const loads = [
  { name: 'one server', place: plain, tenants: [alone] },
  { name: 'cluster, one tenant', place: cluster, tenants: [first] },
  { name: 'cluster, two tenants on two workers', place: cluster, tenants: [first, second] },
] as const
print(`Warming up, ${WARM_UP_SECONDS} s each …`)
for (const load of loads) await measure(load, WARM_UP_SECONDS)
const rounds: Cost[][] = []
for (let round = 1; round <= ROUNDS; round++) {
  print(`\nRound ${round} of ${ROUNDS}: ${IN_FLIGHT} in flight of each tenant, ${SECONDS} s each`)
  const costs: Cost[] = []
  for (const load of loads) {
    const cost = await measure(load, SECONDS)
    costs.push(cost)
    print(lineOf(load, cost))
  }
  rounds.push(costs)
}
printResults()

async function openPlain(): Promise<Place> {
  const server = await makeServer(join(folder, 'plain'))
  stack.defer(() => server.kill())
  return startOn('one server', [server])
}

async function openCluster(): Promise<Place> {
  const nodes = await Promise.all(['c', 'w1', 'w2'].map((name) => makeNode(join(folder, name))))
  const [coordinator, ...workers] = nodes
  if (!coordinator) throw new Error('a server is missing')
  stack.defer(() => Promise.all(nodes.map((node) => node.kill())).then(() => {}))
  await makeCoordinator(coordinator, transcript)
  for (const worker of workers) await addWorker(coordinator, worker, transcript)
  await spread(envOf('cluster', coordinator), transcript)
  return startOn('cluster', nodes)
}

function envOf(name: string, server: Server) {
  const MASTER_KEY = keys.get(name) ?? randomBytes(32).toString('hex')
  keys.set(name, MASTER_KEY)
  return { DATABASE_URL: server.url(), DATA_DIR: join(folder, `data ${name}`), MASTER_KEY }
}

async function startOn(name: string, servers: readonly Server[]): Promise<Place> {
  const [entry] = servers
  if (!entry) throw new Error('a server is missing')
  const ports = await program.freePorts()
  const running = await program.startProcess(envOf(name, entry), ports)
  stack.use(running)
  return { name, running, ports, servers }
}

/** Makes so many tenants, each on a worker of its own if there are workers. */
async function makeTenants({ name, ports, servers }: Place, count: number) {
  const [entry] = servers
  const operator = program.operatorKey(join(folder, `data ${name}`))
  const byWorker = new Map<number, program.Tenant>()
  for (let at = 0; byWorker.size < count; at++) {
    if (at === MOST_TENANTS) throw new DrillFault('all tenants are on one worker: run it again')
    const bin = String(FIRST_BIN + at)
    const tenant = await program.makeTenant(ports, operator, at < count ? CARDS : 1, bin)
    const worker = servers.length > 1 && entry ? await workerOf(entry, tenant.id) : 0
    if (byWorker.has(worker)) continue
    const whole = tenant.cards.length === CARDS
    byWorker.set(worker, whole ? tenant : await program.addCards(ports, tenant, CARDS - 1))
  }
  return [...byWorker.values()]
}

type Measuring = { place: Place; tenants: readonly program.Tenant[] }

async function measure({ place, tenants }: Measuring, seconds: number): Promise<Cost> {
  const { running, servers, ports } = place
  const pids = [running.pid, ...servers.map(({ pid }) => pid)]
  const before = pids.map(cpuOf)
  const pans = tenants.flatMap(({ cards }) => cards.map(({ pan }) => pan))
  const closed = IN_FLIGHT * tenants.length
  const answered = await drive({ port: ports.network, pans, seconds, closed })
  const after = pids.map(cpuOf)
  const [node = 0, ...used] = after.map((now, at) => (now - (before[at] ?? 0)) / answered.answered)
  const { per_second, declined } = answered
  return { per_second, node, servers: used, declined }
}

function drive(load: Load): Promise<Measured> {
  const child = fork(new URL('./network_load.ts', import.meta.url))
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as Measured))
    child.once('exit', (code) => reject(new Error(`the load ended with ${code}`)))
    child.send(load)
  })
}

/**
 * The CPU time of an idle minute, since work that a program does once a minute makes one part of it
 * the dearest.
 */
async function printIdle({ name, running, servers }: Place): Promise<void> {
  const pids = [running.pid, ...servers.map(({ pid }) => pid)]
  const parts: number[][] = []
  let before = pids.map(cpuOf)
  while (parts.length <= IDLE_PARTS) {
    await new Promise((resolve) => setTimeout(resolve, IDLE_SECONDS * 1000))
    const after = pids.map(cpuOf)
    parts.push(after.map((now, at) => (now - (before[at] ?? 0)) / 1e6))
    before = after
  }
  // The first part also has work that is left from making the tenants.
  const counted = parts.slice(1)
  const mean = pids.map((_, at) => sum(counted.map((used) => used[at] ?? 0)) / IDLE_PARTS)
  const each = mean.map((one) => one.toFixed(2)).join(' + ')
  const totals = counted.map((used) => sum(used).toFixed(2)).join(', ')
  print(
    `idle, ${name}: ${sum(mean).toFixed(2)} CPU s in ${IDLE_SECONDS} s ` +
      `(Node + servers: ${each}; of a minute: ${totals})`,
  )
}

function lineOf({ name }: { name: string }, cost: Cost): string {
  const { per_second, node, servers, declined } = cost
  const used = servers.map((one) => one.toFixed(0)).join(', ')
  const rate = Math.round(per_second).toLocaleString('en').padStart(7)
  const others = declined > 0 ? `; ${declined} were not 00` : ''
  return (
    `  ${name.padEnd(38)}${rate}/s   Node ${node.toFixed(0)} µs, servers ${used} µs a decision` +
    others
  )
}

function printResults(): void {
  const totalOf = ({ node, servers }: Cost) => node + sum(servers)
  const ratios = (of: (one: Cost, tenant: Cost, two: Cost) => number) =>
    rounds.flatMap(([one, tenant, two]) => (one && tenant && two ? [of(one, tenant, two)] : []))
  const line = (name: string, values: readonly number[]) => {
    const best = Math.max(...values).toFixed(2)
    print(`${name.padEnd(64)}${best} ×   of ${values.map((value) => value.toFixed(2)).join(', ')}`)
  }
  print('')
  line(
    'rate of the cluster against one server (wanted 0.5)',
    ratios((one, tenant) => tenant.per_second / one.per_second),
  )
  line(
    'CPU time of one server against the cluster',
    ratios((one, tenant) => totalOf(one) / totalOf(tenant)),
  )
  line('a worker bears with two tenants on two workers (wanted 1.6)', ratios(relief))
}

/**
 * The factor by which the busiest server has less to do for each decision if two workers share the
 * work.
 */
function relief(_: Cost, tenant: Cost, two: Cost): number {
  return Math.max(...tenant.servers) / Math.max(...two.servers)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0)
}
