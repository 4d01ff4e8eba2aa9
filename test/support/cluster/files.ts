/** The test files that run on a cluster, one after another: all that use the tests' database. */

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { DEEP_ONLY } from '../processes/suites.ts'

/** Every file that makes a database of tests imports this one. */
const SERVER = 'test/support/processes/server.ts'
const IMPORT = /^(?:import|export)\s(?!type\b)(?:[^;'"=(]*?\sfrom\s)?'([^']+)'/gm

/**
 * Tests that do not run on a cluster, with the reason: they are about one server, or about no
 * database.
 */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'src/kit/db/connections/nodes.test.ts':
    'it gives a database the tables and functions by which Citus says where rows are',
  'src/kit/jobs/away_tenants.test.ts':
    'it gives a database the tables and functions by which Citus says where rows are',
  'src/kit/db/node_access.test.ts': 'it gives a database functions by which Citus connects',
  'src/kit/db/node_differences.test.ts':
    'it gives two databases the table in which Citus lists what is spread',
  'src/kit/db/distribution.test.ts': 'it plans how the tables of one server are spread',
  'test/contract/examples.test.ts': 'it has the examples that one server makes',
  'test/contract/fresh.test.ts': 'it writes the schema of one server, which Citus adds to',
  'test/contract/round_trips.test.ts':
    'it has the numbers of statements of one server; a request takes one more (D-654)',
  'test/reliability/stalls.test.ts': 'it holds up a PostgreSQL of its own',
  'test/reliability/stopped.test.ts': 'it stops a PostgreSQL of its own',
  'test/reliability/versions.test.ts': 'it compares ids of transactions, which are of one server',
}

/** Files in the order of their names. Pages in a browser use the database by the program alone. */
export function filesOnClusters(): string[] {
  return globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
    .filter((file) => !file.startsWith('test/browser/') && !DEEP_ONLY.has(file))
    .filter((file) => !(file in LEFT_OUT) && reaches(file, SERVER))
    .sort()
}

/** Whether a file imports another, by whatever way. */
function reaches(file: string, other: string, seen = new Set<string>()): boolean {
  if (file === other) return true
  if (seen.has(file)) return false
  seen.add(file)
  return importsOf(file).some((one) => reaches(one, other, seen))
}

const known = new Map<string, string[]>()
const roots = Object.entries<string>(JSON.parse(readFileSync('package.json', 'utf8')).imports)

/** The paths of what a file of the project imports of the project, but for types alone. */
function importsOf(file: string): string[] {
  const before = known.get(file)
  if (before) return before
  const found = [...readFileSync(file, 'utf8').matchAll(IMPORT)]
    .map(([, from = '']) => pathOf(file, from))
    .filter((path) => path !== undefined)
  known.set(file, found)
  return found
}

function pathOf(file: string, from: string): string | undefined {
  if (!from.endsWith('.ts')) return undefined
  if (from.startsWith('.')) return join(dirname(file), from)
  for (const [name, path] of roots) {
    const root = name.replace('*', '')
    if (from.startsWith(root)) return join(path.replace('*', ''), from.slice(root.length))
  }
  return undefined
}
