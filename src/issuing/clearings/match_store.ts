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

const AUTHORIZATIONS = sql`('0100', '0120', '0200')`

/** The first id of the authorizations that are looked at. */
const firstAt = (now: Date) => firstIdAt(now.getTime() - CANDIDATE_DAYS * DAY_MS)

const CODE = '"approval_code":'
const TRACE = '"trace_id":'

/** The text that the details have where a member has this value. */
const written = (
  claims: readonly Claim[],
  name: string,
  of: (claim: Claim) => string | undefined,
) =>
  textArray(
    claims.map((claim) => {
      const value = of(claim)
      return value === undefined ? null : `${name}${JSON.stringify(value)}`
    }),
  )

/**
 * The recent authorizations of these cards with the retrieval reference of what is claimed, which
 * an index has. They have the codes and trace ids that are claimed, and no others: to search the
 * text of the details takes a part of the time of reading them.
 */
export async function listReferred(
  { db, tenant_id, now }: Context,
  claims: readonly Claim[],
): Promise<Candidate[]> {
  const referred = claims.filter(({ rrn }) => rrn !== undefined)
  if (referred.length === 0) return []
  const [code, trace] = [({ approval_code }: Claim) => approval_code, (one: Claim) => one.trace_id]
  const { rows } = await sql<Omit<Candidate, 'merchant_id'>>`
    select t.id, t.card_id, t.transaction_type, t.status, t.amount, t.currency, t.rrn,
      case when position(given.coded in t.details::text) > 0 then array[given.code]
        else '{}' end as approval_codes,
      case when position(given.traced in t.details::text) > 0 then given.trace end as trace_id
    from unnest(${plainArray(referred.map(({ card_id }) => card_id))}::uuid[],
      ${textArray(referred.map(({ rrn }) => rrn ?? null))}::text[],
      ${textArray(referred.map((claim) => code(claim) ?? null))}::text[],
      ${written(referred, CODE, code)}::text[],
      ${textArray(referred.map((claim) => trace(claim) ?? null))}::text[],
      ${written(referred, TRACE, trace)}::text[])
      as given (card_id, rrn, code, coded, trace, traced)
    cross join lateral (
      select * from transactions
      where tenant_id = ${tenant_id} and card_id = given.card_id and id >= ${firstAt(now)}::uuid
        and rrn collate "C" = given.rrn offset 0) t
    where t.details ->> 'message_type' in ${AUTHORIZATIONS}`.execute(db)
  return rows.map((row) => ({ ...row, merchant_id: null }))
}

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
  const first = firstAt(now)
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
      and d.message_type in ${AUTHORIZATIONS}`.execute(db)
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
