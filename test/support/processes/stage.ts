/**
 * The program as a process on an embedded server that keeps everything, for who looks at it all.
 */

import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { clusterOf, startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import type { SandboxFile } from '#sandbox/seed/file.ts'
import { type Clients, createClients, type Message } from '../clients.ts'
import { BASE_TABLES } from '../inspection/base_tables.ts'
import { keepIn } from '../keeper.ts'
import { dataFolder, launch, sandboxIn } from './process.ts'

/** Every statement with its parameters, and a log from which rows could be read back. */
const TALKATIVE = {
  wal_level: 'logical',
  log_statement: 'all',
  log_error_verbosity: 'default',
  log_parameter_max_length: '-1',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
}

export type Exchange = { what: string; status: number; text: string; meant: boolean }

export type Stage = {
  data_dir: string
  /** The folder for temporary files of the process. */
  temporary: string
  cluster: string
  sandbox: SandboxFile
  clients: Clients
  client: pg.Client
  /** Every answer, and whether it may contain what is secret elsewhere. */
  exchanges: Exchange[]
  ask: (message: Partial<Message> & { url: string; meant?: boolean }) => Promise<Exchange>
  output: () => string
  serverLog: () => string
  /** Ends the process by an error whose message is this text. */
  crash: (text: string) => Promise<void>
  close: () => Promise<void>
}

export async function openStage(): Promise<Stage> {
  await using opened = new AsyncDisposableStack()
  const data_dir = dataFolder()
  const temporary = join(dirname(data_dir), 'temporary')
  mkdirSync(temporary, { recursive: true })
  const embedded = await startEmbedded({ data_dir, settings: TALKATIVE })
  opened.defer(() => embedded.stop())
  const cluster = clusterOf(data_dir)
  const crash_file = join(dirname(data_dir), 'crash.txt')
  const running = launch({
    DATA_DIR: data_dir,
    TMPDIR: temporary,
    LOG_LEVEL: 'debug',
    CRASH_FILE: crash_file,
    NODE_OPTIONS: `--import ${new URL('./crash.ts', import.meta.url).href}`,
  })
  opened.defer(() => running.kill('SIGKILL'))
  await running.ready
  const sandbox = sandboxIn(data_dir)
  const clients = keepIn(opened, createClients(Number(new URL(sandbox.base_url).port)))
  const client = new pg.Client({ connectionString: embedded.url })
  opened.defer(() => client.end())
  await client.connect()
  const kept = opened.move()
  const exchanges: Exchange[] = []
  return {
    data_dir,
    temporary,
    cluster,
    sandbox,
    clients,
    client,
    exchanges,
    async ask({ method = 'GET', url, headers = {}, body, meant = false }) {
      const { status, text, headers: answered } = await clients.ask({ method, url, headers, body })
      const one = { what: `${method} ${url}`, status, text, meant }
      exchanges.push(one, { ...one, text: JSON.stringify(answered) })
      return one
    },
    output: () => `${running.output()}${running.errors().join('\n')}`,
    serverLog: () => readFileSync(`${cluster}.log`, 'utf8'),
    async crash(text) {
      writeFileSync(crash_file, text)
      running.kill('SIGUSR2')
      assert.equal(await running.ended, 1, 'it ended as after an unexpected error')
    },
    close: () => kept.disposeAsync(),
  }
}

/** Every row of every table, as JSON: bytes are hex. */
export async function dumpTables(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select schema || '.' || name as name from (${BASE_TABLES}) t`,
  )
  const texts: string[] = []
  for (const { name } of tables) {
    const { rows } = await client.query(`select row_to_json(t)::text as row from ${name} t`)
    texts.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return texts.join('\n')
}
