/**
 * The baseline: TPC-B-like transactions of pgbench's default script, on tables of the same size as
 * the platform's. It has more branches than connections, so its own locks do not slow it.
 */

import { execFile } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { onServer } from '#test/support/processes/server.ts'

const run = promisify(execFile)

const BRANCHES = 100
const TELLERS = 1_000
const ACCOUNTS = 100_000

export async function makeTpcbTables(url: string): Promise<void> {
  await onServer(url, async (client) => {
    await client.query(`
      create table tpcb_branches (bid int primary key, balance int) with (fillfactor = 50);
      create table tpcb_tellers (tid int primary key, bid int, balance int) with (fillfactor = 50);
      create table tpcb_accounts (aid int primary key, bid int, balance int, filler char(84))
        with (fillfactor = 90);
      create table tpcb_history (tid int, bid int, aid int, delta int, at timestamp,
        filler char(22));
      insert into tpcb_branches select i, 0 from generate_series(1, ${BRANCHES}) i;
      insert into tpcb_tellers select i, 1, 0 from generate_series(1, ${TELLERS}) i;
      insert into tpcb_accounts select i, 1, 0, '' from generate_series(1, ${ACCOUNTS}) i`)
    await client.query('vacuum analyze')
  })
}

/** One transaction as statements; `:name` is replaced by a random value. */
export const tpcb: readonly string[] = [
  'begin',
  'update tpcb_accounts set balance = balance + :delta where aid = :aid',
  'select balance from tpcb_accounts where aid = :aid',
  'update tpcb_tellers set balance = balance + :delta where tid = :tid',
  'update tpcb_branches set balance = balance + :delta where bid = :bid',
  `insert into tpcb_history (tid, bid, aid, delta, at)
   values (:tid, :bid, :aid, :delta, localtimestamp)`,
  'commit',
]

/** Every client updates the same row and commits. */
export const hotRow: readonly string[] = [
  'update tpcb_accounts set balance = balance + :delta where aid = 1',
]

export type Rate = { per_second: number; client: string }

/** Runs a script with `clients` connections for `seconds`; pgbench drives it where there is one. */
export async function drive(
  url: string,
  script: readonly string[],
  clients: number,
  seconds: number,
): Promise<Rate> {
  const pgbench = findPgbench()
  return pgbench
    ? driveByPgbench(pgbench, url, script, clients, seconds)
    : driveByNode(url, script, clients, seconds)
}

function findPgbench(): string | undefined {
  const places = globSync('/usr/lib/postgresql/*/bin/pgbench').sort().toReversed()
  return [...places, '/usr/bin/pgbench', '/usr/local/bin/pgbench'].find((path) => existsSync(path))
}

async function driveByPgbench(
  pgbench: string,
  url: string,
  script: readonly string[],
  clients: number,
  seconds: number,
): Promise<Rate> {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-pgbench-'))
  const file = join(folder, 'script.sql')
  const variables = [
    `\\set aid random(1, ${ACCOUNTS})`,
    `\\set tid random(1, ${TELLERS})`,
    `\\set bid random(1, ${BRANCHES})`,
    '\\set delta random(-5000, 5000)',
  ]
  const lines = script.map((statement) => `${statement.replace(/\s+/g, ' ')};`)
  writeFileSync(file, [...variables, ...lines, ''].join('\n'))
  const args = ['-n', '-M', 'prepared', '-f', file, '-c', clients, '-j', 2, '-T', seconds, url]
  try {
    const { stdout } = await run(pgbench, args.map(String))
    const rate = /tps = ([\d.]+) \(without/.exec(stdout)?.[1]
    if (rate === undefined) throw new Error(`unexpected output of pgbench: ${stdout}`)
    return { per_second: Number(rate), client: 'pgbench -M prepared' }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function driveByNode(
  url: string,
  script: readonly string[],
  clients: number,
  seconds: number,
): Promise<Rate> {
  const pool = new pg.Pool({ connectionString: url, max: clients })
  const end = performance.now() + seconds * 1000
  let done = 0
  const worker = async () => {
    const client = await pool.connect()
    while (performance.now() < end) {
      for (const [at, statement] of script.entries()) await client.query(prepared(statement, at))
      done += 1
    }
    client.release()
  }
  await Promise.all(Array.from({ length: clients }, worker))
  await pool.end()
  return { per_second: done / seconds, client: 'Node' }
}

function prepared(statement: string, at: number): pg.QueryConfig {
  const values: number[] = []
  const text = statement.replace(/:([a-z]+)/g, (_whole, name: string) => {
    values.push(randomOf(name))
    return `$${values.length}`
  })
  return { name: `tpcb_${at}_${statement.length}`, text, values }
}

function randomOf(name: string): number {
  const limits: Record<string, number> = { aid: ACCOUNTS, tid: TELLERS, bid: BRANCHES, delta: 5000 }
  return 1 + Math.floor(Math.random() * (limits[name] ?? 1))
}
