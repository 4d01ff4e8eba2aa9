/** The wrong tries of cards as they are stored (D-122); listCards reads them with the cards. */

import { sql } from 'kysely'
import type { Tx } from '#kit/context.ts'
import { instantArray, plainArray, textArray } from '#kit/db/arrays.ts'
import { ifUnchanged } from '#kit/db/conflict.ts'
import { Write } from '#kit/db/write.ts'
import type { CardTries } from '../../decide/state/tries.ts'

/**
 * Writes the tries of these cards with the next version. The statement fails (kit/db/conflict.ts)
 * if they have another version than they were read at.
 */
export function upsertTries({ db, tenant_id }: Tx, cards: readonly CardTries[]): Write {
  if (cards.length === 0) return Write.of(db)
  const ids = plainArray(cards.map(({ card_id }) => card_id))
  const written = textArray(cards.map(({ tries }) => instantArray(tries)))
  const versions = plainArray(cards.map(({ version }) => version + 1n))
  const version = ifUnchanged(sql`excluded.version`, sql`t.version = excluded.version - 1`)
  const upserted = sql`
    insert into card_verification_tries as t (tenant_id, card_id, tries, version)
    select anchor.tenant_id, given.card_id, given.tries::timestamptz[], given.version
    from tenant_anchors anchor
    cross join unnest(${ids}::uuid[], ${written}::text[], ${versions}::bigint[])
      as given (card_id, tries, version)
    where anchor.tenant_id = ${tenant_id}
    on conflict (tenant_id, card_id) do update
      set tries = excluded.tries, version = ${version}`
  return Write.of(db, upserted)
}
