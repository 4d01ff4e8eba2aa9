/**
 * A batch of cards on its way to the bureau: collected, with PINs for its mailers, made, encrypted,
 * signed and sent, with keys in software and in the simulator of a security module. The memory of
 * the program is that of a large batch beside a small one.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { launchScript } from '#lib/process/launch.ts'
import { onServer } from '#test/support/processes/server.ts'
import { openBureau, type TestBureau, ZPK } from '#test/support/services/bureau.ts'
import { imported } from '#test/support/services/hsm.ts'
import { missingSshd, openSshd } from '#test/support/services/sshd.ts'
import { type BenchTenant, type Body, openTarget, type Target } from './support/target.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 5_000)
const ROUNDS = Number(process.env['BENCH_RUNS'] ?? 3)
/** The small batch, whose memory that of the large one is compared with. */
const FEW = Math.ceil(CARDS / 10)
const POLL_MS = 20
const UNLIMITED = { rate_limit_per_second: 1e6, rate_limit_burst: 1e6 }

type Round = { sent: number; ordered: number; above: number; bytes: number }
type Stage = { target: Target; tenant: BenchTenant; bureau: TestBureau }

const print = (line: string) => console.log(line)
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

const way = missingSshd ? 'a folder (sshd is missing)' : 'SFTP'
print(`Batches of ${CARDS} cards with PIN mailers, by ${way}, ${ROUNDS} rounds after a small one …`)
await measure('software', {})
const module = await openModule()
await measure('a module', module.env)
await module.close()

async function measure(custody: string, given: Record<string, string>): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const bureau = stack.use(openBureau())
  const target = await openTarget({ ...(await settingsOf(stack, bureau)), ...given })
  stack.defer(() => target.close())
  const tenant = await target.tenant('bureau', 0, UNLIMITED)
  const stage = { target, tenant, bureau }
  const product = Object(tenant.card_body).card_product_id
  await made(stage, 'PUT', `/cardproducts/${product}`, { production: { pin_mailer: true } })

  print(`\nkeys in ${custody}`)
  await round(stage, FEW)
  const few = await round(stage, FEW)
  report(FEW, few)
  const rounds: Round[] = []
  for (let at = 0; at < ROUNDS; at += 1) {
    const one = await round(stage, CARDS)
    report(CARDS, one)
    rounds.push(one)
  }
  const median = (of: (one: Round) => number) =>
    rounds.map(of).toSorted((one, other) => one - other)[Math.floor(rounds.length / 2)] ?? 0
  const above = `${megabytes(median((one) => one.above))} (small: ${megabytes(few.above)})`
  print(`median: sent after ${seconds(median((one) => one.sent))}, wanted ≤ 10 s; memory ${above}`)
}

function report(count: number, { sent, ordered, above, bytes }: Round): void {
  print(
    `${count.toLocaleString('en').padStart(6)} cards: ${megabytes(bytes)} sent after ` +
      `${seconds(sent)}, all ORDERED after ${seconds(ordered)}; memory ${megabytes(above)} above`,
  )
}

async function settingsOf(stack: AsyncDisposableStack, { env }: TestBureau) {
  if (missingSshd) return env
  const { BUREAU_FOLDER: folder = '', ...keys } = env
  const sshd = stack.use(await openSshd())
  return {
    ...keys,
    BUREAU_SFTP: `sftp://${sshd.user}@${sshd.host}:${sshd.port}${folder}`,
    BUREAU_SFTP_HOST_KEY: sshd.host_key,
    BUREAU_SFTP_KEY: sshd.key,
  }
}

/** The simulator, a process of its own. */
async function openModule() {
  const running = launchScript(['apps/cli/bezant.mjs', 'hsm', '--port', '0', '--json'])
  await running.until(/\n\}\n/)
  const { address, port } = JSON.parse(running.output())
  const env = { HSM_ADDRESS: `${address}:${port}`, BUREAU_ZPK: imported('001', ZPK) }
  return { env, close: () => running[Symbol.asyncDispose]() }
}

/** Issues so many cards, and has them ordered at once. */
async function round(stage: Stage, count: number): Promise<Round> {
  const { target, tenant, bureau } = stage
  const { card_product_id } = Object(tenant.card_body)
  const request = { card_product_id, number_of_cards: count, name_on_card: 'LAYLA AZIZ' }
  const { id } = await made(stage, 'POST', '/bulkissuances', request)
  await until(async () => (await made(stage, 'GET', `/bulkissuances/${id}`)).status === 'COMPLETED')

  const memory = watch(target.pids.node)
  const begun = performance.now()
  const last = await newest(stage)
  const { operator_key } = target
  await made(stage, 'POST', '/operator/cardorders:send', { tenant_id: tenant.id }, operator_key)
  const order = await until(async () => {
    const { id, state, file_name, count, fault } = (await newest(stage)) ?? {}
    if (fault) throw new Error(fault)
    return id !== last?.id && state === 'SENT' && { id, file_name, count }
  })
  const sent = performance.now() - begun
  await until(() => areOrdered(target.database_url, order.id))
  const ordered = performance.now() - begun
  const above = memory.end()
  const path = join(bureau.folder, order.file_name)
  const { length } = bureau.recordsIn(bureau.decrypt(path))
  if (length !== count) throw new Error(`the file has ${length} of ${count} records`)
  return { sent, ordered, above, bytes: readFileSync(path).length }
}

async function made(
  { target, tenant }: Stage,
  method: string,
  path: string,
  body?: object,
  key = tenant.api_key,
): Promise<Body> {
  const [status, answer] = await target.ask(key, method, path, body)
  if (status !== 200) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(answer)}`)
  return answer
}

/** The newest batch; undefined where there is none. */
async function newest(stage: Stage): Promise<Body> {
  return (await made(stage, 'GET', '/cardorders?limit=1')).data[0]
}

function areOrdered(url: string, order: string): Promise<boolean> {
  return onServer(url, async (client) => {
    const text = `select from cards where card_order_id = $1 and fulfillment_status = 'CREATED'`
    return (await client.query(`${text} limit 1`, [order])).rowCount === 0
  })
}

async function until<Value>(is: () => Promise<Value | false>): Promise<Value> {
  for (;;) {
    const value = await is()
    if (value !== false) return value
    await pause(POLL_MS)
  }
}

/** The memory of a process: how far it comes above that of now. */
function watch(pid: number): { end: () => number } {
  const first = residentOf(pid)
  let most = first
  const look = () => {
    most = Math.max(most, residentOf(pid))
  }
  const timer = setInterval(look, POLL_MS)
  return {
    end() {
      clearInterval(timer)
      look()
      return most - first
    },
  }
}

/** Bytes of memory that a process has, as Linux counts them. */
function residentOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024
}
