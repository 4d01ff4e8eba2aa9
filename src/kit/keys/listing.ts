/** The data keys of a database as their rows, without the keys. */

import type { Db } from '#kit/db/database.ts'

export type ListedKey = {
  id: string
  /** One of `purposes`. */
  purpose: string
  generation: number
  /** Null: it opens, and does not seal yet. */
  activated: Date | null
  /** Since then it opens only. */
  retired: Date | null
}

/** All of them, by purpose and generation. */
export async function listDataKeys(db: Db): Promise<ListedKey[]> {
  return db
    .selectFrom('data_keys')
    .select(['id', 'purpose', 'generation', 'activated', 'retired'])
    .orderBy('purpose')
    .orderBy('generation')
    .execute()
}
