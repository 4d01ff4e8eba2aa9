/**
 * Replays the statements of the last runs of tests on a cluster, and runs tests (docs/cluster.md):
 *
 *   npm run test:citus -- COORDINATOR'S-URL [WORKERS'-URLS…] [files… | --all | --none]
 *
 * `--all` runs every file that uses a database, but for those that cluster/files.ts leaves out.
 * With `--no-replay` tests alone run, and no recording is needed.
 *
 * The first URL is the coordinator's, as a superuser that all nodes admit. Without URLs of workers
 * they are those that the coordinator's database knows. Only databases made here are touched.
 */

import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { urlOf } from '#kit/db/connections/nodes.ts'
import { filesOnClusters, LEFT_OUT } from './support/cluster/files.ts'
import { closeTemplate, createTemplate, dropTemplate } from './support/cluster/template.ts'
import { testEnvironment } from './support/processes/environment.ts'
import { type Job, runJobs } from './support/processes/jobs.ts'
import { allStatements } from './support/processes/kept.ts'
import { databaseUrl, onServer, passServerToTests } from './support/processes/server.ts'
import { isTriedOnClusters, mayCost, patternOf } from './support/statements/check.ts'
import type { Recorded } from './support/statements/folder.ts'
import { replay } from './support/statements/replay.ts'

/** Money, its limits, what happens at one time, the feed, shops, and doctor over all of it. */
const USUAL = [
  'src/issuing/ledger/ledger.test.ts',
  'src/issuing/ledger/reserve.test.ts',
  'src/issuing/ledger/store.test.ts',
  'src/issuing/limits/movements.test.ts',
  'src/issuing/limits/routes.test.ts',
  'src/issuing/authorization/engine/chain.test.ts',
  'src/issuing/authorization/engine/doubt.test.ts',
  'src/issuing/authorization/engine/engine.test.ts',
  'src/issuing/authorization/engine/limits.test.ts',
  'src/issuing/authorization/engine/locked.test.ts',
  'src/issuing/webhooks/expansion.test.ts',
  'src/issuing/webhooks/feed/feed.test.ts',
  'src/kit/db/codes.test.ts',
  'src/kit/db/counters.test.ts',
  'src/kit/db/locks.test.ts',
  'src/merchant/checkouts/routes.test.ts',
  'src/merchant/merchants/routes.test.ts',
  'test/e2e/orders.test.ts',
  'test/reliability/races.test.ts',
  'test/startup/doctor_money.test.ts',
]

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const servers = await serversOf(args.filter((one) => one.includes('://')))
  const files = args.filter((one) => !one.includes('://') && !one.startsWith('--'))
  const jobs = args.includes('--none')
    ? []
    : args.includes('--all')
      ? filesOnClusters().map((file) => [file])
      : (files.length > 0 ? files : USUAL).map((file) => [file])
  const [coordinator = '', ...workers] = servers
  const template = `t_template_${randomBytes(6).toString('hex')}`
  try {
    const begun = performance.now()
    await createTemplate(servers, template)
    const seconds = ((performance.now() - begun) / 1000).toFixed(0)
    console.log(`a database is spread over ${workers.length} workers (${seconds} s)`)
    const faults = args.includes('--no-replay')
      ? 0
      : await replayAll(databaseUrl(coordinator, template))
    await closeTemplate(servers, template)
    passServerToTests(coordinator, template, workers)
    const failed = await runEach(jobs)
    if (args.includes('--all')) reportLeftOut()
    return Math.max(faults, failed)
  } finally {
    await dropTemplate(servers, template)
  }
}

async function serversOf(given: readonly string[]): Promise<string[]> {
  const [coordinator, ...workers] = given
  if (coordinator === undefined) throw new Error('name the URL of the coordinator')
  if (workers.length > 0) return [...given]
  const { rows } = await onServer(coordinator, (client) =>
    client.query<{ host: string; port: number }>(
      `select nodename as host, nodeport as port from pg_dist_node
      where shouldhaveshards and noderole = 'primary' and groupid <> 0`,
    ),
  ).catch(() => ({ rows: [] }))
  if (rows.length === 0) throw new Error('the coordinator knows no workers: name their URLs')
  return [coordinator, ...rows.map((node) => urlOf(coordinator, node))]
}

/** 1 where a statement fails, or costs more than its share without a reason of exceptions.ts. */
async function replayAll(url: string): Promise<number> {
  const distinct = new Map(allStatements().map((one) => [patternOf(one.text), one]))
  const replayed = await replay(url, [...distinct.values()].filter(isTriedOnClusters))
  const failed = replayed.filter(({ fault }) => fault !== undefined)
  const costly = replayed.filter((one) => one.cost !== undefined && !mayCost(one))
  for (const one of failed) report(one, one.fault ?? '')
  for (const one of costly) report(one, one.cost ?? '')
  console.log(
    `${replayed.length} statements, ${failed.length} fail, ${costly.length} cost too much`,
  )
  return failed.length + costly.length > 0 ? 1 : 0
}

function report({ site, by, text }: Recorded, what: string): void {
  console.log(`${site} ${by}: ${what}\n  ${patternOf(text).slice(0, 300)}`)
}

function reportLeftOut(): void {
  for (const [file, reason] of Object.entries(LEFT_OUT)) console.log(`left out  ${file}: ${reason}`)
}

/** One after another: the faults of each are printed with it. */
async function runEach(jobs: readonly Job[]): Promise<number> {
  const statements = mkdtempSync(join(tmpdir(), 'bezant-statements-'))
  const env = testEnvironment(statements)
  let failed = 0
  const sum = { files: 0, tests: 0, pass: 0 }
  try {
    for (const job of jobs) {
      const begun = performance.now()
      const { tests, pass, code, failures } = await runJobs([job], env, { print: () => {} })
      const seconds = ((performance.now() - begun) / 1000).toFixed(0)
      console.log(
        `${code === 0 ? 'ok    ' : 'FAILED'} ${pass} of ${tests}  ${job.join(' ')} (${seconds} s)`,
      )
      for (const failure of failures) console.log(`✖ ${failure}`)
      sum.files += code === 0 ? 1 : 0
      sum.tests += tests
      sum.pass += pass
      failed = Math.max(failed, code)
    }
  } finally {
    rmSync(statements, { recursive: true, force: true })
  }
  console.log(`${sum.files} of ${jobs.length} files passed, with ${sum.pass} of ${sum.tests} tests`)
  return failed
}
