/** Wraps the data keys under another master key or key service; sealed data is unchanged. */

import type { Db } from '#kit/db/database.ts'
import type { Log } from '#kit/log.ts'
import { type KeyWrapper, keyName, unwrapOrExplain } from './keyring.ts'

type Parts = { db: Db; log: Log; from: KeyWrapper; to: KeyWrapper }

/**
 * Rewraps all data keys in one transaction, so that one wrapper opens all of them at any time.
 * Running processes have theirs open; they must be restarted with the new wrapper before a rotation
 * makes a key under it, which they could not open. Returns the ids of the keys.
 */
export async function rewrapKeys({ db, log, from, to }: Parts): Promise<string[]> {
  const keys = await db.selectFrom('data_keys').selectAll().orderBy('id').execute()
  // Outside the transaction, since a key service is slow.
  const rewrapped = await Promise.all(
    keys.map(async (key) => {
      const clear = await unwrapOrExplain(from, key)
      const wrapped = await to.wrap(clear, keyName(key))
      const opened = await to.unwrap(wrapped, keyName(key))
      if (!opened.equals(clear)) throw new Error(`data key ${key.id} does not come back the same`)
      return { ...key, old: key.wrapped, wrapped }
    }),
  )
  await db.runTransaction(async (tx) => {
    for (const { id, old, wrapped } of rewrapped) {
      const { numUpdatedRows } = await tx
        .updateTable('data_keys')
        .set({ wrapped })
        .where('id', '=', id)
        .where('wrapped', '=', old)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows !== 1n) throw new Error(`data key ${id} was changed meanwhile: run again`)
    }
  })
  for (const { id, purpose, generation } of rewrapped) {
    log.info({ data_key: id, purpose, generation }, 'the data key was wrapped anew')
  }
  log.info('start the program again with the new wrapper in place of the old one')
  return rewrapped.map(({ id }) => id)
}
