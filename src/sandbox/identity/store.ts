/** The SQL of the sandbox's own provider: every statement within one tenant. */

import type { Insertable, Selectable } from 'kysely'
import type { Context, Tx } from '#kit/context.ts'
import type { Database } from '#kit/db/tables.ts'

export type ApplicantRow = Selectable<Database['sandbox_applicants']>
export type NewMedium = Omit<
  Insertable<Database['sandbox_media']>,
  'tenant_id' | 'applicant_id' | 'created'
>

export async function insertApplicant(
  { db, tenant_id, now }: Context,
  applicant: { id: string; checks: string[] },
): Promise<void> {
  await db
    .insertInto('sandbox_applicants')
    .values({ ...applicant, tenant_id, created: now, modified: now })
    .execute()
}

/** Replaces the token before, which is then invalid, and allows a new submission. */
export async function updateToken(
  { db, tenant_id, now }: Context,
  id: string,
  token: { token_hash: Buffer; token_expires: Date },
): Promise<void> {
  await db
    .updateTable('sandbox_applicants')
    .set({ ...token, submitted: null, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

export function findApplicantByToken(
  { db, tenant_id }: Context,
  token_hash: Buffer,
): Promise<ApplicantRow | undefined> {
  return db
    .selectFrom('sandbox_applicants')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
}

/** False when there was a submission under this token already. */
export async function updateSubmitted(
  { db, tenant_id, now }: Tx,
  { id, token_hash }: ApplicantRow,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sandbox_applicants')
    .set({ submitted: now, modified: now })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .where('token_hash', '=', token_hash)
    .where('submitted', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function insertMedia(
  { db, tenant_id, now }: Tx,
  applicant_id: string,
  media: readonly NewMedium[],
): Promise<void> {
  const rows = media.map((medium) => ({ ...medium, tenant_id, applicant_id, created: now }))
  await db.insertInto('sandbox_media').values(rows).execute()
}

export async function hasMedia({ db, tenant_id }: Context, applicant_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('sandbox_media')
    .select('id')
    .where('tenant_id', '=', tenant_id)
    .where('applicant_id', '=', applicant_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
