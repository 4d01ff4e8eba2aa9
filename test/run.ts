/**
 * Runs the tests on a PostgreSQL of their own, started once:
 *
 *   node test/run.ts [files…] [--system | --all | --module] [--deep]
 *
 * Without files it runs those of `npm test`, with --system the others, with --all both (D-987).
 * With --module the keys of cards are in a security module; without files it runs those that use
 * them.
 * With DATABASE_URL set, that server is used instead; only databases made here are touched. Chance
 * is the same in every run; --deep takes another each time, and SEED=… has one again.
 */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSchema } from '#src/program/partitioned.ts'
import { notedIn, setCoverageFolder } from './support/contract/coverage.ts'
import { testEnvironment } from './support/processes/environment.ts'
import { type Job, jobsOf, runJobs } from './support/processes/jobs.ts'
import { forgetSeen, keepSeen } from './support/processes/kept.ts'
import { LEFT_OUT, moduleFiles } from './support/processes/module_suite.ts'
import { databaseUrl, onServer, passServerToTests } from './support/processes/server.ts'
import { filesOf, SUITES, type Suite } from './support/processes/suites.ts'
import { openTemporaryServer, type TemporaryServer } from './support/processes/temporary_server.ts'
import { checkStatements } from './support/statements/check.ts'
import { folderOf, statementsIn } from './support/statements/folder.ts'
import { readSpread } from './support/statements/spread.ts'

/** The log of all databases that are made would fill 2 GB. */
const SETTINGS = { max_connections: '400', max_wal_size: '512MB' }

/** So many of the files that took longest are named. */
const SLOWEST = 10

const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: 'boolean', default: false },
    deep: { type: 'boolean', default: false },
    module: { type: 'boolean', default: false },
    system: { type: 'boolean', default: false },
  },
})
const suites: readonly Suite[] = values.all ? SUITES : [values.system ? 'system' : 'core']
process.exitCode = await main()

async function main(): Promise<number> {
  if (named.length > 0) {
    const jobs = named.map((file) => [file])
    return onServerOfOwn({ isDurable: true }, () => runIn(scratch(), jobs))
  }
  if (values.module) {
    for (const { file, name, why } of LEFT_OUT) console.log(`left out: ${file}: ${name}\n  ${why}`)
    return onServerOfOwn({ isDurable: false }, () => runIn(scratch(), jobsOf(moduleFiles())))
  }
  let code = 0
  for (const suite of suites) {
    // Only tests of the other suite start the program on the server, or kill what uses it.
    const isDurable = suite === 'system'
    const failed = await onServerOfOwn({ isDurable }, (url) => runSuite(suite, url))
    code = Math.max(code, failed)
  }
  return code
}

/** With a server whose template the tests copy; `work` gets the URL of that. */
async function onServerOfOwn(
  { isDurable }: { isDurable: boolean },
  work: (url: string) => Promise<number>,
): Promise<number> {
  const server = await startServer()
  const template = `t_template_${randomBytes(6).toString('hex')}`
  try {
    await onServer(server.url, (client) => client.query(`create database ${template}`))
    const url = databaseUrl(server.url, template)
    await createSchema(url)
    if (!isDurable) await server.forgoSync()
    passServerToTests(server.url, template)
    return await work(url)
  } finally {
    await onServer(server.url, (client) => client.query(`drop database if exists ${template}`))
    await server.stop()
  }
}

type Scratch = { coverage: string; statements: string }

/** Folders for what the processes note, which go also where a signal ends the run. */
function scratch(): Scratch {
  const coverage = mkdtempSync(join(tmpdir(), 'bezant-coverage-'))
  const given = folderOf(process.env)
  const statements = given ?? mkdtempSync(join(tmpdir(), 'bezant-statements-'))
  process.once('exit', () => {
    rmSync(coverage, { recursive: true, force: true })
    if (given === undefined) rmSync(statements, { recursive: true, force: true })
  })
  return { coverage, statements }
}

/** No statement of a whole run may be one that a cluster refuses (D-688). */
async function runSuite(suite: Suite, url: string): Promise<number> {
  forgetSeen(suite)
  const folders = scratch()
  const code = await runIn(folders, jobsOf(filesOf(suite, values.deep)))
  const statements = statementsIn(folders.statements)
  const { text, refused, needed } = await checkStatements(
    statements,
    await onServer(url, readSpread),
  )
  console.log(`\n${text}`)
  keepSeen(suite, { noted: notedIn(folders.coverage), needed, statements })
  return Math.max(code, refused === 0 ? 0 : 1)
}

async function startServer(): Promise<TemporaryServer> {
  const url = process.env['DATABASE_URL']
  if (url) return { url, forgoSync: async () => {}, stop: async () => {} }
  return openTemporaryServer('bezant-test-', SETTINGS)
}

function reportSlowest(durations: ReadonlyMap<string, number>): void {
  const sorted = [...durations].sort(([, a], [, b]) => b - a)
  console.log('\nthe slowest files:')
  for (const [file, ms] of sorted.slice(0, SLOWEST)) {
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}`)
  }
}

async function runIn({ coverage, statements }: Scratch, jobs: readonly Job[]): Promise<number> {
  const env = testEnvironment(statements, values)
  setCoverageFolder(coverage, env)
  console.log(`SEED=${env['SEED']}`)
  const begun = performance.now()
  const { tests, pass, fail, cancelled, code, failures, durations } = await runJobs(jobs, env)
  if (named.length === 0) reportSlowest(durations)
  for (const failure of failures) console.log(`\n✖ ${failure}`)
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(
    `\n${tests} tests: ${pass} passed, ${fail} failed, ${cancelled} cancelled, ${seconds} s`,
  )
  return code
}
