/**
 * Runs the tests on a PostgreSQL of their own, started once: node test/run.ts [files…] [--deep]
 * With DATABASE_URL set, that server is used instead; only databases made here are touched. Chance
 * is the same in every run; --deep takes another each time, and SEED=… has one again.
 */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSchema } from '#src/program/partitioned.ts'
import { coverageIn, setCoverageFolder } from './support/contract/coverage.ts'
import { testEnvironment } from './support/processes/environment.ts'
import { allJobs, type Job, runJobs } from './support/processes/jobs.ts'
import { databaseUrl, onServer, passServerToTests } from './support/processes/server.ts'
import { checkStatements } from './support/statements/check.ts'
import { folderOf, RECORDED, statementsIn } from './support/statements/folder.ts'
import { readSpread } from './support/statements/spread.ts'

/** The log of all databases that are made would fill 2 GB. */
const SETTINGS = { max_connections: '400', max_wal_size: '512MB' }

const deep = process.argv.includes('--deep')
const named = process.argv.slice(2).filter((word) => word !== '--deep')
process.exitCode = await main()

async function main(): Promise<number> {
  const server = await startServer()
  const coverage = mkdtempSync(join(tmpdir(), 'bezant-coverage-'))
  const statements = folderOf(process.env) ?? mkdtempSync(join(tmpdir(), 'bezant-statements-'))
  // Also where a signal ends the run.
  process.once('exit', () => {
    rmSync(coverage, { recursive: true, force: true })
    if (folderOf(process.env) === undefined) rmSync(statements, { recursive: true, force: true })
  })
  const template = `t_template_${randomBytes(6).toString('hex')}`
  try {
    await onServer(server.url, (client) => client.query(`create database ${template}`))
    await createSchema(databaseUrl(server.url, template))
    passServerToTests(server.url, template)
    setCoverageFolder(coverage)
    const code = await runTests(statements)
    if (named.length > 0) return code
    const found = await reportStatements(statements, databaseUrl(server.url, template))
    return Math.max(code, reportCoverage(coverage), found)
  } finally {
    await onServer(server.url, (client) => client.query(`drop database if exists ${template}`))
    await server.stop()
  }
}

/** A full run must see the operations and statuses that the OpenAPI documents contain. */
function reportCoverage(folder: string): number {
  const { text, enough } = coverageIn(folder)
  console.log(`\n${text}${enough ? '' : '\nthe coverage is too low'}`)
  return enough ? 0 : 1
}

/** No statement of a full run may be one that a cluster refuses (D-688). */
async function reportStatements(folder: string, url: string): Promise<number> {
  const recorded = statementsIn(folder)
  writeFileSync(RECORDED, recorded.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const spread = await onServer(url, readSpread)
  const { text, refused } = await checkStatements(recorded, spread, { whole: true })
  console.log(`\n${text}`)
  return refused === 0 ? 0 : 1
}

async function startServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const url = process.env['DATABASE_URL']
  if (url) return { url, stop: async () => {} }
  const { openTemporaryServer } = await import('./support/processes/temporary_server.ts')
  return openTemporaryServer('bezant-test-', SETTINGS)
}

function reportSlowest(durations: readonly [number, Job][]): void {
  console.log('\nthe slowest processes:')
  for (const [ms, [file, ...others]] of durations.toSorted(([a], [b]) => b - a).slice(0, 20)) {
    const rest = others.length > 0 ? ` and ${others.length} more` : ''
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${file}${rest}`)
  }
}

async function runTests(statements: string): Promise<number> {
  const env = testEnvironment(statements, deep)
  console.log(`SEED=${env['SEED']}`)
  const jobs = named.length > 0 ? named.map((file) => [file]) : allJobs(deep)
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
