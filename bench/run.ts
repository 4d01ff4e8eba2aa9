/** `npm run bench -- <name>`: measures what is claimed about speed, side by side in one run. */

const benches: Record<string, () => Promise<unknown>> = {
  api: () => import('./api.ts'),
  authorizations: () => import('./authorizations.ts'),
  bulk: () => import('./bulk.ts'),
  capacity: () => import('./capacity.ts'),
  checkouts: () => import('./checkouts.ts'),
  checks: () => import('./checks.ts'),
  cluster: () => import('./cluster.ts'),
  fairness: () => import('./fairness.ts'),
  groups: () => import('./groups.ts'),
  growth: () => import('./growth.ts'),
  responder: () => import('./responder.ts'),
  row_security: () => import('./row_security.ts'),
  users: () => import('./users.ts'),
  webhooks: () => import('./webhooks.ts'),
}

const name = process.argv[2] ?? ''
const bench = benches[name]
if (!bench) {
  console.error(`Say which: npm run bench -- ${Object.keys(benches).join(' | ')}`)
  process.exit(1)
}
await bench()
