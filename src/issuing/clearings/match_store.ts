/** Rows that records of a clearing file are compared with. */

import { sql } from 'kysely'
import type { Context } from '#kit/context.ts'
import { plainArray, textArray } from '#kit/db/arrays.ts'
import { firstIdAt } from '#lib/id.ts'
import type { Facts } from './rules/facts.ts'
import type { Candidate } from './rules/matching.ts'

/** Authorizations that a presentment may come for, and how many of a card are looked at. */
const CANDIDATE_DAYS = 60
const OF_A_CARD = 200
const DAY_MS = 86_400_000

/** The references of a presentment to the authorization that it claims. */
export type Claim = { card_id: string } & Pick<Facts, 'rrn' | 'approval_code' | 'trace_id'>

/**
 * The recent authorizations of these cards with one of what is claimed: by the retrieval reference
 * all of them, which an index has, and by a code the newest. To read the details of one takes many
 * times as long as to search their text, in which codes stand as they were written.
 */
export async function listCandidates(
  { db, tenant_id, now }: Context,
  claims: readonly Claim[],
): Promise<Candidate[]> {
  if (claims.length === 0) return []
  const first = firstIdAt(now.getTime() - CANDIDATE_DAYS * DAY_MS)
  const quoted = (of: (claim: Claim) => string | undefined) =>
    textArray(claims.map((claim) => JSON.stringify(of(claim)) ?? null))
  const { rows } = await sql<Candidate & { approval_code: string | null }>`
    select t.id, t.card_id, t.transaction_type, t.status, t.amount, t.currency, t.rrn,
      d.approval_code, d.asked ->> 'trace_id' as trace_id, d.merchant ->> 'id' as merchant_id,
      array(select e ->> 'approval_code' from json_array_elements(d.events) e
        where e ->> 'approval_code' is not null) as approval_codes
    from unnest(${plainArray(claims.map(({ card_id }) => card_id))}::uuid[],
      ${textArray(claims.map(({ rrn }) => rrn ?? null))}::text[],
      ${quoted((claim) => claim.approval_code)}::text[],
      ${quoted((claim) => claim.trace_id)}::text[]) as given (card_id, rrn, approval_code, trace_id)
    cross join lateral (
      select * from (
        select * from transactions
        where tenant_id = ${tenant_id} and card_id = given.card_id and id >= ${first}::uuid
        order by id desc limit ${sql.lit(OF_A_CARD)}) newest
      where newest.rrn is distinct from given.rrn
      union all
      select * from transactions
      where tenant_id = ${tenant_id} and card_id = given.card_id and id >= ${first}::uuid
        and rrn collate "C" = given.rrn) t
    cross join lateral json_to_record(t.details) as d (message_type text, approval_code text,
      events json, asked json, merchant json)
    where (t.rrn = given.rrn or position(given.approval_code in t.details::text) > 0
        or position(given.trace_id in t.details::text) > 0)
      and d.message_type in ('0100', '0120', '0200')`.execute(db)
  return rows.map(({ approval_code, approval_codes, ...row }) => ({
    ...row,
    approval_codes: [...approval_codes, ...(approval_code === null ? [] : [approval_code])],
  }))
}

/**
 * The transactions that the presentments of these acquirer reference data have posted, also those
 * that were reversed later: their chargebacks are answered as others are.
 */
export async function listPresented(
  { db, tenant_id }: Context,
  ards: readonly string[],
): Promise<{ ard: string; transaction_id: string }[]> {
  if (ards.length === 0) return []
  const { rows } = await sql<{ ard: string; transaction_id: string }>`
    select distinct ard, transaction_id from clearing_records
    where tenant_id = ${tenant_id} and ard = any (${textArray(ards)}::text[])
      and kind = 'PRESENTMENT' and transaction_id is not null
      and (state = 'POSTED' or resolution = 'POSTED')`.execute(db)
  return rows
}

/** Cards whose account is not active, with what is available of it. */
export async function listClosedAccounts(
  { db, tenant_id }: Context,
  card_ids: readonly string[],
): Promise<Map<string, bigint>> {
  if (card_ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; available: bigint }>`
    select c.id, a.balance - a.held as available
    from cards c join accounts a on a.tenant_id = c.tenant_id and a.id = c.account_id
    where c.tenant_id = ${tenant_id} and c.id = any (${plainArray(card_ids)}::uuid[])
      and a.status <> 'ACTIVE'`.execute(db)
  return new Map(rows.map(({ id, available }) => [id, available]))
}
