/** A world of its own for a test file: a fresh database and the whole program before it. */

import { AssertionError } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfiguredAdapter } from '#adapters/adapter.ts'
import { makeApiKey } from '#callers/api_keys.ts'
import type { Context } from '#kit/context.ts'
import { type Db, openDatabase } from '#kit/db/database.ts'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import type { App } from '#kit/http/app.ts'
import { tenantContext } from '#kit/http/callers/callers.ts'
import { type Keyring, type KeyWrapper, masterKeyWrapper, openKeyring } from '#kit/keys/keyring.ts'
import { createLog, type Log } from '#kit/log.ts'
import { newId } from '#lib/id.ts'
import { type Config, readConfig } from '#src/config/config.ts'
import { openCustody } from '#src/program/modes/custody.ts'
import { loadMode } from '#src/program/modes/load.ts'
import { assemble, type Program } from '#src/program/program.ts'
import { type Contract, contractOf } from './contract/contract.ts'
import { createMasking, type Masking } from './inspection/masking.ts'
import { keepIn } from './keeper.ts'
import { createTestDatabase } from './processes/server.ts'
import { openTestCustody } from './services/custody.ts'

const CONNECTIONS = 12
/** On a busy machine much waits that waits nowhere else; waits that are too long have tests. */
const PATIENT = { wait_ms: 20_000, longest_ms: 60_000 }
/** Tests ask faster than a client may; the limit has tests of its own. */
const UNLIMITED = JSON.stringify({ rate_limit_per_second: 1e6, rate_limit_burst: 1e6 })

export type Answer = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers member by member.
  body: any
  text: string
  headers: Record<string, unknown>
}
export type TestTenant = { id: string; api_key: string }
/** `from` is the address that a request comes from: another one each time where it is left out. */
type Options = { key?: string | null; headers?: Record<string, string>; from?: string }

export type World = Program & {
  config: Config
  db: Db
  /** The URL of its database. */
  url: string
  log: Log
  /** Every line that was logged. */
  logged: string[]
  tenant: TestTenant
  operator_key: string
  request: (method: string, path: string, body?: unknown, options?: Options) => Promise<Answer>
  /** Another tenant of the same platform. */
  otherTenant: (settings?: object) => Promise<TestTenant>
  ctx: (tenant_id?: string) => Promise<Context>
  /** From now on the program knows these networks of NETWORKS_FILE; it opens no port for them. */
  setNetworks: (networks: Config['networks']) => void
  /** The Origin that a browser sends on a page of the program. */
  origin: () => string
  [Symbol.asyncDispose]: () => Promise<void>
}

type WorldOptions = {
  env?: Record<string, string>
  /** Settings of the first tenant. */
  settings?: object
  wrapper?: KeyWrapper
  /** Adapters beside those of the registry. */
  adapters?: readonly ConfiguredAdapter[]
}

/** Everything in it ends with the world, and when the world cannot be opened. */
export async function openWorld(options: WorldOptions = {}): Promise<World> {
  await using opened = new AsyncDisposableStack()
  const data_dir = mkdtempSync(join(tmpdir(), 'bezant-world-'))
  opened.defer(() => rmSync(data_dir, { recursive: true, force: true }))
  const database = await createTestDatabase()
  opened.defer(database.drop)
  const own = keepIn(
    opened,
    openDatabase(database.url, CONNECTIONS, { role: USUAL_ROLE, ...PATIENT }),
  )
  // Tests read and prepare the rows of every tenant; the program has its role.
  const { db } = keepIn(opened, openDatabase(database.url, CONNECTIONS, PATIENT))
  const { env: modules, close: closeModules } = await openTestCustody()
  opened.defer(closeModules)
  const ports = { PORT: '0', NETWORK_PORT: '0' }
  const read = readConfig({ ...ports, DATA_DIR: data_dir, ...modules, ...options.env })
  const config = { ...read, adapters: [...read.adapters, ...(options.adapters ?? [])] }
  const logged: string[] = []
  const log = createLog('debug', { write: (line: string) => logged.push(line) })
  const wrapper = options.wrapper ?? masterKeyWrapper(randomBytes(32))
  const keys = await openKeyring(db, wrapper, new Date())
  const masking = createMasking()
  opened.defer(() => checkMasking(masking, db, keys))
  const dbs = { db: own.db, batches: own.batches }
  const mode = await loadMode(config.mode)
  const { custody, close } = await openCustody(config, log, new Date())
  opened.defer(async () => close())
  const program = assemble({ ...dbs, config, mode, keys, custody, log, checksDueWork: true })
  opened.defer(() => program.sweeper.stop())
  opened.defer(() => program.app.close())
  await program.app.ready()

  const operator_key = await insertKey(db, null, ['operator'])
  const otherTenant = (settings: object = {}) => insertTenant(db, settings)
  const tenant = await insertTenant(db, { pci_compliant: true, ...options.settings })
  let bound: Config = config
  const bind = (next: Config) => {
    bound = next
    program.bind(next)
  }
  const kept = opened.move()
  return {
    ...program,
    bind,
    setNetworks: (networks) => bind({ ...bound, networks }),
    async listen() {
      bound = await program.listen()
      return bound
    },
    origin: () => new URL(bound.public_url).origin,
    config,
    db,
    url: database.url,
    log,
    logged,
    tenant,
    operator_key,
    otherTenant,
    ctx: (tenant_id = tenant.id) =>
      tenantContext(program.services, tenant_id, { kind: 'system', id: 'test' }),
    request: requester(program.app, tenant.api_key, contractOf(config, options.env ?? {}), masking),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function checkMasking(masking: Masking, db: Db, keys: Keyring): Promise<void> {
  // A test may have taken the database away.
  const reported = await masking.check(db, keys).catch((error: unknown) => error)
  if (reported instanceof AssertionError) throw reported
}

let addresses = 0

/** Clients of tests are many: none of them uses up what an address may fail (D-361). */
function nextAddress(): string {
  addresses += 1
  return `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses & 255}`
}

/**
 * Asks an app without a port; `usual` is the key of requests that name none. Every answer is held
 * against the contract, where there is one.
 */
export function requester(
  app: App,
  usual: string,
  contract?: Contract,
  masking?: Masking,
): World['request'] {
  return async (method, path, body, { key = usual, headers = {}, from = nextAddress() } = {}) => {
    const reply = await app.inject({
      method: method as 'GET',
      url: path,
      remoteAddress: from,
      headers: { ...(key !== null && { apikey: key }), ...headers },
      ...(body !== undefined && { payload: body as object }),
    })
    const json = /json/.test(String(reply.headers['content-type']))
    const { statusCode: status, body: text, headers: answered } = reply
    contract?.check(method, path, { status, text, headers: answered })
    masking?.see(`${method} ${path}`, text)
    return {
      status,
      body: json && text !== '' ? JSON.parse(text) : undefined,
      text,
      headers: answered,
    }
  }
}

async function insertTenant(db: Db, settings: object): Promise<TestTenant> {
  const now = new Date()
  const id = newId()
  const merged = JSON.stringify({ ...JSON.parse(UNLIMITED), ...settings })
  await db
    .insertInto('tenants')
    .values({ id, name: `tenant ${id}`, settings: merged, created: now, modified: now })
    .execute()
  await db.insertInto('tenant_anchors').values({ tenant_id: id }).execute()
  return { id, api_key: await insertKey(db, id, ['read', 'write', 'cards:reveal', 'cards:widget']) }
}

async function insertKey(db: Db, tenant_id: string | null, permissions: string[]) {
  const { key, key_hash, hint } = makeApiKey()
  await db
    .insertInto('api_keys')
    .values({ id: newId(), tenant_id, key_hash, hint, permissions, created: new Date() })
    .execute()
  return key
}
