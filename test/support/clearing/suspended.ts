/** Clearing files with one record, which is in suspense: its card is nobody's. */

import assert from 'node:assert/strict'
import type { World } from '#test/support/world.ts'
import { openClearer } from './clearer.ts'
import { clearingFile, presentment } from './clearing_file.ts'

/** Its number in the file, behind the header. */
export const SUSPENDED = 2

export async function importSuspended(world: World, tenant_id: string): Promise<string> {
  const file = await clearingFile([presentment('4000000000000002', 12_500n)])
  const { status, body, text } = await openClearer(world).upload(file, tenant_id)
  assert.equal(status, 201, text)
  await world.sweeper.runDueJobs(tenant_id)
  return body.id
}

/** An outgoing clearing file, with the message about such a record that was returned. */
export async function exportReturned(world: World, tenant_id: string): Promise<string> {
  const { ask, resolve } = openClearer(world)
  const file = await importSuspended(world, tenant_id)
  const resolved = await resolve(file, SUSPENDED, { action: 'RETURN', note: 'no such card' })
  assert.equal(resolved.status, 200, resolved.text)
  const { status, body, text } = await ask('POST', ':export', { tenant_id })
  assert.equal(status, 200, text)
  return body.id
}
