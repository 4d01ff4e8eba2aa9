/** Clearing files with one record, which is in suspense: no card of the platform has its number. */

import assert from 'node:assert/strict'
import type { World } from '#test/support/world.ts'
import { openClearer } from './clearer.ts'
import { clearingFile, presentment } from './clearing_file.ts'

/** Its number in the file, behind the header. */
export const SUSPENDED = 2

export async function importSuspended(world: World, tenant_id: string): Promise<string> {
  const file = await clearingFile([presentment('4000000000000002', 12_500n)])
  const { status, body, text } = await openClearer(world).upload(file, tenant_id)
  assert.equal(status, 200, text)
  await world.sweeper.runDueJobs(tenant_id)
  return body.id
}

/** A tenant of its own with an outgoing clearing file, and a message for the next one. */
export async function createExporting(world: World) {
  const { id: tenant_id } = await world.otherTenant()
  const clearing_export = await exportReturned(world, tenant_id)
  await returnSuspended(world, tenant_id)
  return { exporting: tenant_id, clearing_export }
}

/** An outgoing clearing file, with the message about such a record that was returned. */
export async function exportReturned(world: World, tenant_id: string): Promise<string> {
  await returnSuspended(world, tenant_id)
  const { status, body, text } = await openClearer(world).ask('POST', ':export', { tenant_id })
  assert.equal(status, 200, text)
  return String(body.id)
}

async function returnSuspended(world: World, tenant_id: string): Promise<void> {
  const file = await importSuspended(world, tenant_id)
  const resolution = { action: 'RETURN', note: 'no such card' }
  const { status, text } = await openClearer(world).resolve(file, SUSPENDED, resolution)
  assert.equal(status, 200, text)
}
