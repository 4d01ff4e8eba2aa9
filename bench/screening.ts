/**
 * Further checks of many users (D-1082): requests beside a round at the most that a pace allows,
 * and how fast a round goes through all users where nothing paces it. A portion in the middle is
 * left by a process that has gone; another one goes on from the row of the round.
 */

import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { createTenant } from '#issuing/tenants/tenants.ts'
import type { KycProvider } from '#issuing/verification/provider.ts'
import { roundStarts, screeningRounds } from '#issuing/verification/screening/rounds.ts'
import { claimDueRound } from '#issuing/verification/screening/rounds_store.ts'
import { subjectsOf } from '#issuing/verification/screening/subjects.ts'
import type { Context } from '#kit/context.ts'
import { createLog } from '#kit/log.ts'
import { readConfig } from '#src/config/config.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { assemble } from '#src/program/program.ts'
import { loadPopulation, Population } from './support/people.ts'
import { openPlatform } from './support/platform.ts'

const USERS = Number(process.argv[3] ?? 100_000)
const A_MINUTE = 600
const PORTION = 10
const SECONDS = 20
const RATE = 50
const LEASE_MS = 15 * 60_000
const RATIO_MAX = 2
const CONNECTIONS = 8

const print = (line: string) => console.log(line)
const number = (value: number) => Math.round(value).toLocaleString('en')
const pass = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const platform = await openPlatform(CONNECTIONS)
const settings = { rate_limit_per_second: 1e6, rate_limit_burst: 1e6 }
const { tenant, api_key } = await createTenant(platform.ctx(), { name: 'bench', settings })
const within = platform.ctx(tenant.id)
print(`Loading ${number(USERS)} users …`)
await loadPopulation(within, new Population(USERS, new Date()), USERS, () => {})
await platform.vacuum()
const program = assemble({
  mode: sandbox,
  config: readConfig({ PORT: '0', ROLES: 'api' }),
  db: within.db,
  batches: platform.services.db,
  keys: platform.services.keys,
  log: createLog('silent'),
})
const { port } = await program.listen()
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
const someone = (await within.db.selectFrom('users').select('id').limit(1_000).execute()).map(
  ({ id }) => id,
)

/** How often each user was asked about. */
const asked = new Map<string, number>()
const kyc: KycProvider = {
  name: 'bench',
  outside: true,
  async decide(_ctx, { person }) {
    asked.set(person.id, (asked.get(person.id) ?? 0) + 1)
    return { result: 'COMPLIANCE', matches: [] }
  },
}
const screening = { kyc, subjects: subjectsOf(async () => new Map()) }
const ongoing = { every_days: 30, a_minute: A_MINUTE }
const rounds = screeningRounds(screening, ongoing)
/** The tenant's time, which a bench moves as a sandbox does. */
let now = new Date()
const at = (): Context => ({ ...within, now })
await roundStarts(ongoing).run(at())

const alone = await measure(SECONDS)
const before = asked.size
const [beside] = await Promise.all([measure(SECONDS), goOnAtPace(SECONDS)])
const paced = asked.size - before
const ratio = beside.p99 / alone.p99
print(`requests alone            p50 ${ms(alone.p50)}  p99 ${ms(alone.p99)}`)
print(
  `requests beside a round   p50 ${ms(beside.p50)}  p99 ${ms(beside.p99)}  ${ratio.toFixed(1)} ×`,
)
print(`checked in ${SECONDS} s at ${A_MINUTE} a minute: ${paced}`)

const since = performance.now()
const begun = asked.size
let isLeft = false
while (!(await hasEnded())) {
  now = new Date(now.getTime() + 1_000)
  if (!isLeft && asked.size >= USERS / 2) {
    // The claim of a process that goes away before it has saved its place.
    isLeft = true
    await claimDueRound(at(), new Date(now.getTime() + LEASE_MS))
    await rounds.run(at())
    now = new Date(now.getTime() + LEASE_MS)
  }
  await rounds.run(at())
}
const seconds = (performance.now() - since) / 1000
const again = [...asked.values()].filter((times) => times > 1).length
print(`a whole round without a pace: ${number((asked.size - begun) / seconds)} users a second`)
print(`asked about: ${number(asked.size)} of ${number(USERS)}, again about ${again}`)
print(`a round at ${A_MINUTE} a minute: ${(USERS / A_MINUTE / 60).toFixed(1)} h`)
const met = ratio <= RATIO_MAX && paced <= (A_MINUTE / 60) * SECONDS + 2 * PORTION
const whole = asked.size >= USERS * 0.97 && again <= PORTION
print(met && whole ? '\nAll targets are met.' : '\nTargets missed.')

agent.destroy()
await program.close()
await platform.close()

async function hasEnded(): Promise<boolean> {
  const row = await within.db
    .selectFrom('screening_rounds')
    .select('ended')
    .where('tenant_id', '=', tenant.id)
    .executeTakeFirst()
  return row?.ended != null
}

/** A sweep that looks every tenth of a second. */
async function goOnAtPace(seconds: number): Promise<void> {
  const end = performance.now() + seconds * 1000
  while (performance.now() < end) {
    now = new Date(Math.max(now.getTime(), Date.now()))
    await rounds.run(at())
    await pass(100)
  }
}

type Times = { p50: number; p99: number }

/** So many reads a second, each measured from when it was due. */
async function measure(seconds: number): Promise<Times> {
  const start = performance.now()
  const all: Promise<number>[] = []
  for (let sent = 0; sent < RATE * seconds; sent += 1) {
    const due = start + (sent * 1000) / RATE
    if (due > performance.now()) await pass(due - performance.now())
    all.push(read().then(() => performance.now() - due))
  }
  const times = (await Promise.all(all)).sort((one, other) => one - other)
  const of = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0
  return { p50: of(0.5), p99: of(0.99) }
}

function read(): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const path = `/v1/users/${someone[randomInt(someone.length)]}`
  const sent = request({ agent, port, path, headers: { apikey: api_key } }, (response) => {
    response.resume()
    response.on('end', () =>
      response.statusCode === 200 ? resolve() : reject(new Error(`${response.statusCode}`)),
    )
  })
  sent.on('error', reject)
  sent.end()
  return promise
}

function ms(value: number): string {
  return `${value.toFixed(1)} ms`.padStart(10)
}
