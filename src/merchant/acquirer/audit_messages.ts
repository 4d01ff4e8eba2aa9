/** The invariants of messages to the issuer (I4): each that has no outcome yet comes to one. */

import { sql } from 'kysely'
import { CLOCKS, FINDINGS_MAX, type Finding } from '#kit/audit.ts'
import { tenantNow } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { auditFiles } from './files/audit.ts'
import { APPROVED } from './rules.ts'

/** Longer than the wait before the next sending. */
const SOON = sql`interval '15 minutes'`

/** Cases of message `m`: `a` is its authorization, `v` the reversed message, `b` its bookings, `f` its place. */
const ofContent = sql`when m.fields ->> '3' is distinct from case when m.mti = '0200' then '200000'
        when v.id is not null then v.fields ->> '3' else '000000' end
      then 'is a ' || m.mti || ' with the processing code ' || coalesce(m.fields ->> '3', 'none')
    when left(m.fields ->> '90', 20) <>
        coalesce(v.mti || (v.fields ->> '11') || (v.fields ->> '7'),
          '0100' || (a.fields ->> '11') || (a.fields ->> '7'))
      then 'names another message than it is about: ' || (m.fields ->> '90')
    when m.status = 'APPROVED' and m.mti <> '0420' and m.ended_note is null and f.message_id is null
        and coalesce(m.response_code, '') <> all (${[...APPROVED]}::text[])
      then 'is APPROVED by the answer ' || coalesce(m.response_code, 'none')
    when m.status = 'DECLINED' and m.response_code = any (${[...APPROVED]}::text[])
      then 'is DECLINED by the answer ' || m.response_code
    when least(m.created - a.created, m.created - v.created) < -${CLOCKS}
        and coalesce(m.ended_note, v.ended_note) is null
      then 'is of ' || m.created || ', and was sent about messages of ' || a.created
        || coalesce(' and ' || v.created, '')
    when m.status = 'APPROVED' and m.mti <> '0420' and coalesce(b.number, 0) <> 1
      then 'is a ' || m.mti || ' that was approved, for ' || coalesce(b.number, 0)
        || ' orders or operations'`

/**
 * An advice that was not acknowledged is due, a message whose outcome is unknown has a reversal
 * under way, and each message is of its authorization. Empty when all hold.
 */
export async function auditAcquirer(db: Db): Promise<Finding[]> {
  const { rows } = await sql<Finding>`
    with reversals as (
      select tenant_id, reverses, count(*) filter (where status = 'PENDING') as waiting,
        count(*) filter (where status = 'APPROVED') as acknowledged
      from acquirer_messages where reverses is not null group by tenant_id, reverses
    ), owned as (
      select tenant_id, message_id from checkouts where message_id is not null
      union all
      select tenant_id, message_id from order_operations where status = 'PENDING'
    ), booked as (
      select tenant_id, message_id, count(*) as number from (
        select tenant_id, authorization_id as message_id from orders
        union all
        select tenant_id, message_id from order_operations) o
      group by tenant_id, message_id
    )
    select * from (
      select 'I4' as invariant, m.tenant_id, 'message ' || m.id as subject, case
        when m.status = 'PENDING' and m.mti = '0420'
            and (m.due is null or m.due > ${tenantNow} + ${SOON})
          then 'is sent again ' || coalesce('at ' || m.due, 'never')
        when m.status <> 'PENDING' and m.due is not null then 'is ' || m.status || ' and due'
        when m.status = 'REVERSING' and coalesce(r.waiting, 0) = 0
          then 'has no known outcome, and no reversal of it is under way'
        when m.status = 'REVERSED' and coalesce(r.acknowledged, 0) = 0
          then 'was reversed by no message'
        when m.status = 'PENDING' and m.mti <> '0420' and w.message_id is null
          then 'has no outcome yet, and nothing waits for it'
        when (m.mti = '0100') <> (m.authorization_id = m.id)
            or a.id is null or a.issuer is distinct from m.issuer
            or a.fields ->> '37' is distinct from m.fields ->> '37'
            or (a.fields ->> '49', a.fields ->> '42', a.fields ->> '41')
              is distinct from (m.fields ->> '49', m.fields ->> '42', m.fields ->> '41')
          then 'is a ' || m.mti || ' that differs from its authorization '
            || m.authorization_id
        ${ofContent}
        when v.id is not null and v.authorization_id <> m.authorization_id
            or (m.reverses is not null and v.id is null)
          then 'reverses message ' || m.reverses || ', which is not of its authorization'
      end as detail
      from acquirer_messages m
      join tenants t on t.id = m.tenant_id
      left join acquirer_messages a on a.tenant_id = m.tenant_id and a.id = m.authorization_id
        and a.mti = '0100'
      left join acquirer_messages v on v.tenant_id = m.tenant_id and v.id = m.reverses
      left join reversals r on r.tenant_id = m.tenant_id and r.reverses = m.id
      left join acquirer_presentments f on f.tenant_id = m.tenant_id and f.message_id = m.id
      left join booked b on b.tenant_id = m.tenant_id and b.message_id = m.id
      left join owned w on w.tenant_id = m.tenant_id and w.message_id = m.id
    ) m
    where detail is not null limit ${FINDINGS_MAX}`.execute(db)
  return [...rows, ...(await auditFiles(db))]
}
