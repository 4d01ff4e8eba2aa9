/** The two commands of tests, and which files each of them runs (D-987). */

import { globSync } from 'node:fs'

/** `npm test`, within minutes after each change, and `npm run test:system`. */
export type Suite = 'core' | 'system'

export const SUITES: readonly Suite[] = ['core', 'system']

const EVERY = ['src/**/*.test.ts', 'apps/cli/**/*.test.ts', 'test/**/*.test.ts']
/** Tests of pages, of started programs, of what is killed, and of many payments at one time. */
const SYSTEM = [
  'test/{browser,cli,client,deploy,e2e,fuzz,orders}/**/*.test.ts',
  'test/{programme,reliability,simulator,startup,tenancy,upgrade}/**/*.test.ts',
  'test/support/processes/*.test.ts',
  // They call every operation with faults of all kinds, for half a minute each.
  'test/contract/{after_commit,every_rule,statuses}.test.ts',
  // Every expression of the program against long texts, and files and messages with any byte wrong.
  'test/contract/expressions.test.ts',
  'src/clearing/hostile.test.ts',
  'src/issuing/authorization/port/{poison,port}.test.ts',
  // They wait for what is slow, is lost or does not answer.
  'src/adapters/**/*.test.ts',
  'src/issuing/cards/sweeps.test.ts',
  // Files go to the other side and come back.
  'src/issuing/clearings/{answered_disputes,outgoing/exporting}.test.ts',
  'src/issuing/authorization/engine/{crossing,doubt}.test.ts',
  'src/kit/{db/database,db/ddl,jobs/away_tenants}.test.ts',
  'test/http_kit_{guesses,http2,pace}.test.ts',
  'src/embedded_postgres/*.test.ts',
  // It asks the server for its durability.
  'src/kit/db/migrations.test.ts',
  'src/**/*.{large,properties,races}.test.ts',
  'src/issuing/identifications/{content,large,uploads}.test.ts',
  'src/issuing/webhooks/{kills,outages}.test.ts',
]
/** A story of each application in a browser. */
const STORIES = [
  'test/browser/console/story.test.ts',
  'test/browser/checkout/outcome.test.ts',
  'test/browser/widgets.test.ts',
]
/** Files that load the machine for minutes, and prove what a deep run asks for. */
export const DEEP_ONLY = new Set([
  'test/reliability/fault_mix.test.ts',
  'test/reliability/rotation_load.test.ts',
])

/** The test files of a command, in the order of their names. Each file is in one of them. */
export function filesOf(suite: Suite, deep: boolean): string[] {
  const ofSystem = new Set(globSync(SYSTEM))
  for (const story of STORIES) ofSystem.delete(story)
  return globSync(EVERY)
    .filter((file) => deep || !DEEP_ONLY.has(file))
    .filter((file) => ofSystem.has(file) === (suite === 'system'))
    .sort()
}
