/** A question to the responder of a tenant, for the operations of sandbox/responder. */

import { newId } from '#lib/id.ts'
import type { TestTenant, World } from './world.ts'

const HOUR_MS = 60 * 60_000

/** A question about a stored transaction that no process asks. Answers its id. */
export async function insertQuestion(
  { db }: World,
  { id: tenant_id }: TestTenant,
  transaction: object,
): Promise<string> {
  const id = newId()
  const deadline = new Date(Date.now() + HOUR_MS)
  const row = { tenant_id, id, transaction: JSON.stringify(transaction), deadline }
  await db.insertInto('sandbox_responder_requests').values(row).execute()
  return id
}
