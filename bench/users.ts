/** Users found among a million: each kind of search, and lists at their beginning and far down. */

import { randomInt } from 'node:crypto'
import { Agent, request } from 'node:http'
import { createTenant } from '#issuing/tenants/tenants.ts'
import { createLog } from '#kit/log.ts'
import { readConfig } from '#src/config/config.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { assemble } from '#src/program/program.ts'
import { commonFirstNames, IMPORTED_NAME, loadPopulation, Population } from './support/people.ts'
import { openPlatform } from './support/platform.ts'

const USERS = Number(process.argv[3] ?? 1_000_000)
const REQUESTS = 500
const WARM_UP = 50
const CONNECTIONS = 8
const SEARCH_P99_MS = 20
const PAGE = 200
const FAR_PAGE = Math.min(1_000, Math.floor(USERS / PAGE))
/** A page far down may take this share longer than the first before it counts as slower. */
const PAGE_SLACK = 1.25
const COMMON_NAMES = 10

const print = (line: string) => console.log(line)
if (!Number.isSafeInteger(USERS) || USERS < 2 * PAGE || USERS > 10_000_000) {
  print(`The number of users is from ${2 * PAGE} to 10,000,000: npm run bench -- users 100000`)
  process.exit(1)
}

const platform = await openPlatform(CONNECTIONS)
// The bench asks faster than a client may.
const settings = { rate_limit_per_second: 1e6, rate_limit_burst: 1e6 }
const { tenant, api_key } = await createTenant(platform.ctx(), { name: 'bench', settings })
const population = new Population(USERS, new Date())
const number = (value: number) => value.toLocaleString('en')
print(`Loading ${number(USERS)} users …`)
await loadPopulation(platform.ctx(tenant.id), population, USERS, (loaded) =>
  print(`  ${number(loaded)} of ${number(USERS)}`),
)
print('Vacuum and statistics …')
await platform.vacuum()

const program = assemble({
  mode: sandbox,
  config: readConfig({ PORT: '0', ROLES: 'api' }),
  db: platform.ctx().db,
  batches: platform.services.db,
  keys: platform.services.keys,
  log: createLog('silent'),
})
const { port } = await program.listen()
const agent = new Agent({ keepAlive: true, maxSockets: 1 })

const someone = () => population.person(randomInt(USERS))
/** Searches for a person, not for a business. */
const named = (make: (first_name: string, last_name: string, email: string) => object) => () => {
  for (;;) {
    const { first_name, last_name, email } = someone()
    if (first_name && last_name) return make(first_name, last_name, email)
  }
}
const common = commonFirstNames(COMMON_NAMES)
const letter = () => String.fromCharCode(97 + randomInt(26))

print(`Asking, one at a time, ${REQUESTS} times each …\n`)
print(`                                                  p50       p99   users    target`)
const searches: [what: string, make: () => object][] = [
  ['mobile', () => ({ mobile: someone().mobile })],
  ['e-mail', () => ({ email: someone().email })],
  ['name, first and last', named((first, last) => ({ name: `${first} ${last}` }))],
  ['name, last', named((_first, last) => ({ name: last }))],
  ['name, beginning of a last', named((_first, last) => ({ name: last.slice(0, 4) }))],
  ['name, first of the ten commonest', () => ({ name: common[randomInt(COMMON_NAMES)] })],
  ['name, one letter', () => ({ name: letter() })],
  ['name, no match', () => ({ name: `xx${letter()}${letter()}` })],
  ['name, of the oldest 2 % only', () => ({ name: IMPORTED_NAME })],
  ['name and e-mail', named((first, _last, email) => ({ name: first, email }))],
]
let missed = 0
for (const [what, make] of searches) {
  const measured = await measure(() => ask('POST', '/v1/users:search', make()))
  report(`search by ${what}`, measured, `p99 ≤ ${SEARCH_P99_MS} ms`, measured.p99 <= SEARCH_P99_MS)
}

const first = await measure(() => ask('GET', `/v1/users?limit=${PAGE}`))
report(`list, page 1 of ${PAGE}`, first, '', true)
const cursor = await walkTo(FAR_PAGE)
const far = await measure(() => ask('GET', `/v1/users?limit=${PAGE}&after=${cursor}`))
const isAsFast = far.p50 <= first.p50 * PAGE_SLACK
report(`list, page ${number(FAR_PAGE)} of ${PAGE}`, far, 'as page 1', isAsFast)
print(missed === 0 ? '\nAll targets are met.' : `\nTargets missed: ${missed}.`)

agent.destroy()
await program.close()
await platform.close()

type UsersPage = { data: object[]; after?: string }
type Measured = { p50: number; p99: number; users: number }

async function measure(once: () => Promise<UsersPage>): Promise<Measured> {
  for (let at = 0; at < WARM_UP; at++) await once()
  const times: number[] = []
  let users = 0
  for (let at = 0; at < REQUESTS; at++) {
    const since = performance.now()
    users += (await once()).data.length
    times.push(performance.now() - since)
  }
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? 0
  return { p50: at(0.5), p99: at(0.99), users: users / REQUESTS }
}

function report(what: string, { p50, p99, users }: Measured, target: string, isMet: boolean): void {
  if (!isMet) missed += 1
  const ms = (value: number) => `${value.toFixed(1)} ms`.padStart(10)
  const found = users.toFixed(1).padStart(8)
  print(`${what.padEnd(43)}${ms(p50)}${ms(p99)}${found}    ${target}${isMet ? '' : ' MISSED'}`)
}

/** The cursor that opens a page, taken from the one before it as a client does. */
async function walkTo(page: number): Promise<string> {
  let after = ''
  for (let at = 1; at < page; at++) {
    const cursor = after === '' ? '' : `&after=${after}`
    after = (await ask('GET', `/v1/users?limit=${PAGE}${cursor}`)).after ?? ''
  }
  return after
}

/** Measures from the first byte sent to the last one read, over one connection that stays open. */
function ask(method: string, path: string, body?: object): Promise<UsersPage> {
  const { promise, resolve, reject } = Promise.withResolvers<UsersPage>()
  const headers = { apikey: api_key, ...(body && { 'content-type': 'application/json' }) }
  const sent = request({ agent, port, method, path, headers }, (response) => {
    const chunks: Buffer[] = []
    response.on('data', (chunk: Buffer) => chunks.push(chunk))
    response.on('end', () => {
      const text = Buffer.concat(chunks).toString()
      if (response.statusCode === 200) resolve(JSON.parse(text))
      else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`))
    })
  })
  sent.on('error', reject)
  sent.end(body && JSON.stringify(body))
  return promise
}
