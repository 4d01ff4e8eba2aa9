/** What verification needs of identifications, in one place. */

import { listIdentifications } from '#issuing/identifications/identifications.ts'
import type { Context } from '#kit/context.ts'
import { LIMIT_MAX } from '#lib/pages.ts'

export {
  hasStoredDocuments,
  reviewIdentification,
} from '#issuing/identifications/identifications.ts'

/** The newest identifications of a user, as many as a page can have. */
export async function documentsOf(ctx: Context, user_id: string) {
  return (await listIdentifications(ctx, user_id, { limit: LIMIT_MAX })).data
}
export type Document = Awaited<ReturnType<typeof documentsOf>>[number]
