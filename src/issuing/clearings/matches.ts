/** The authorizations that the presentments of a portion claim. */

import { kindOf } from '#issuing/authorization/rules.ts'
import type { Context } from '#kit/context.ts'
import type { WaitingRecord } from './claim_store.ts'
import { listCandidates, listReferred } from './match_store.ts'
import { matchOf, sureMatchOf } from './rules/matching.ts'
import { presentmentOf } from './rules/requests.ts'

/**
 * The ids of the authorizations, by what `keyOf` names a record by. Nearly all are found by their
 * retrieval reference; the newest of a card are read for the others alone.
 */
export async function findMatches(
  ctx: Context,
  records: readonly WaitingRecord[],
  keyOf: (record: WaitingRecord) => string,
): Promise<Map<string, string>> {
  const presented = records.flatMap(presentedOf)
  const referred = Map.groupBy(await listReferred(ctx, presented), cardOf)
  const found = new Map<string, string>()
  const unsure = presented.filter((one) => {
    const match = sureMatchOf(one, referred.get(one.card_id) ?? [])
    if (match) found.set(keyOf(one), match.id)
    return match === undefined
  })
  const others = Map.groupBy(await listCandidates(ctx, unsure), cardOf)
  for (const one of unsure) {
    const match = matchOf(one, others.get(one.card_id) ?? [])
    if (match) found.set(keyOf(one), match.id)
  }
  return found
}

const cardOf = ({ card_id }: { card_id: string }) => card_id

function presentedOf(record: WaitingRecord) {
  const { kind, card_id, amount, currency, facts } = record
  if (kind !== 'PRESENTMENT' || card_id === null || amount === null || currency === null) return []
  const posted = { ...record, card_id, amount, currency }
  const { type: transaction_type } = kindOf(presentmentOf(posted, undefined))
  return [{ ...facts, ...posted, transaction_type }]
}
