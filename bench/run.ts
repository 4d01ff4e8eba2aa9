/**
 * `npm run bench -- <name>`: measures what is claimed about speed, side by side in one run. With
 * `all` each of them runs, one after another, but for `cluster`, which needs a PostgreSQL that has
 * Citus.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const benches: Record<string, () => Promise<unknown>> = {
  api: () => import('./api.ts'),
  authorizations: () => import('./authorizations.ts'),
  bulk: () => import('./bulk.ts'),
  bureau: () => import('./bureau.ts'),
  capacity: () => import('./capacity.ts'),
  checkouts: () => import('./checkouts.ts'),
  checks: () => import('./checks.ts'),
  clearing: () => import('./clearing.ts'),
  cluster: () => import('./cluster.ts'),
  custody: () => import('./custody.ts'),
  fairness: () => import('./fairness.ts'),
  groups: () => import('./groups.ts'),
  growth: () => import('./growth.ts'),
  responder: () => import('./responder.ts'),
  row_security: () => import('./row_security.ts'),
  screening: () => import('./screening.ts'),
  users: () => import('./users.ts'),
  webhooks: () => import('./webhooks.ts'),
}
const names = Object.keys(benches)

const name = process.argv[2] ?? ''
const bench = benches[name]
if (name === 'all') process.exitCode = await runAll(names.filter((one) => one !== 'cluster'))
else if (bench) await bench()
else {
  console.error(`Say which: npm run bench -- ${[...names, 'all'].join(' | ')}`)
  process.exitCode = 1
}

/** Each in a process of its own. 1 where one has failed, which holds up no other. */
async function runAll(each: readonly string[]): Promise<number> {
  const failed: string[] = []
  for (const [at, one] of each.entries()) {
    console.log(`\n== ${one} (${at + 1} of ${each.length})`)
    const begun = performance.now()
    const file = fileURLToPath(import.meta.url)
    const child = spawn(process.execPath, [file, one], { stdio: 'inherit' })
    const [code] = await once(child, 'close')
    console.log(`== ${one}: ${((performance.now() - begun) / 60_000).toFixed(1)} min`)
    if (code !== 0) failed.push(one)
  }
  if (failed.length > 0) console.error(`\nfailed: ${failed.join(', ')}`)
  return failed.length > 0 ? 1 : 0
}
