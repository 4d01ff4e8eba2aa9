/** The settlement file that the acquirer gives to its issuer for a day (D-721). */

import { type RawBuilder, sql } from 'kysely'
import { parseAmount } from '#iso8583/amounts.ts'
import { readClock } from '#kit/clock.ts'
import type { Db } from '#kit/db/database.ts'
import { currencyOfNumeric } from '#lib/currency.ts'
import { ACQUIRER_ID, type IssuerName, isOfIssuer } from '#merchant/acquirer/acquirer.ts'
import { type Books, type Place, PORTION } from '../reconciliation/books/own.ts'
import { portions } from '../reconciliation/books/walks.ts'
import { dayOf } from '../reconciliation/rules/day.ts'
import { LATE_MS } from './compare.ts'
import { SettlementFile, type SettlementRecord } from './file.ts'

/** The file of a day of UTC for an issuer, in portions; returns how many records it has. */
export async function* settlementOf(
  db: Db,
  date: string,
  issuer: IssuerName = null,
): AsyncGenerator<string, number> {
  const file = new SettlementFile({ acquirer_id: ACQUIRER_ID, date })
  yield file.begin()
  for (const tenant_id of await readTenants(db)) {
    const books = { db: db.forTenant(tenant_id), tenant_id, day: dayOf(date) }
    for await (const rows of portions((place) => listSettled(books, issuer, place))) {
      yield file.records(rows.map(recordOf))
    }
    for await (const rows of portions((place) => listCharged(books, issuer, place))) {
      yield file.records(rows.flatMap(chargesOf))
    }
  }
  yield file.end()
  return file.count
}

/**
 * Whether the day gets no records any more, by the clock of each tenant that has merchants and has
 * reached it. Later records are in no file (D-796).
 */
export async function isWhole(db: Db, date: string): Promise<boolean> {
  const { from, to } = dayOf(date)
  const { rows } = await sql<{ ahead_ms: number }>`
    select distinct coalesce(t.clock_offset_ms, 0)::float8 as ahead_ms
    from tenants t join merchants m on m.tenant_id = t.id`.execute(db)
  const real = (await readClock(db)).getTime()
  const ahead = rows.length > 0 ? rows.map(({ ahead_ms }) => ahead_ms) : [0]
  const clocks = ahead.map((ms) => real + ms).filter((now) => now >= +from)
  return clocks.length > 0 && clocks.every((now) => now >= +to + LATE_MS)
}

/** The tenants that have merchants, in the order of their records. */
async function readTenants(db: Db): Promise<string[]> {
  const rows = await db
    .selectFrom('merchants')
    .select('tenant_id')
    .distinct()
    .orderBy('tenant_id')
    .execute()
  return rows.map(({ tenant_id }) => tenant_id)
}

type Row = Place & Omit<SettlementRecord, 'type' | 'amount'> & { mti: string; amount: string }

/** Approved on the day: each message is approved once, so in one file. */
async function listSettled(
  { db, tenant_id, day }: Books,
  issuer: IssuerName,
  place: Place,
): Promise<Row[]> {
  const field = (number: string): RawBuilder<string> => sql`m.fields ->> ${sql.lit(number)}`
  const { rows } = await sql<Row>`
    select m.modified::text as at, m.id, m.mti, m.modified as time,
      ${field('37')} as rrn, ${field('11')} as stan, ${field('7')} as transmitted,
      coalesce(a.approval_code, '') as approval_code, ${field('42')} as card_acceptor_id,
      ${field('41')} as terminal_id, ${field('4')} as amount, ${field('49')} as currency
    from acquirer_messages m
    left join acquirer_messages a on a.tenant_id = ${tenant_id} and a.id = m.authorization_id
    where m.tenant_id = ${tenant_id} and m.status = 'APPROVED' and m.mti in ('0200', '0220')
      and not exists (select from acquirer_presentments p
        where p.tenant_id = ${tenant_id} and p.message_id = m.id)
      and ${isOfIssuer('m.issuer', issuer)}
      and m.modified >= ${day.from} and m.modified < ${day.to}
      and (m.modified, m.id) > (${place.at}::timestamptz, ${place.id}::uuid)
    order by m.modified, m.id limit ${PORTION}`.execute(db)
  return rows
}

function recordOf({ mti, amount, currency, at: _at, id: _id, ...row }: Row): SettlementRecord {
  return {
    ...row,
    type: mti === '0220' ? 'CAPTURE' : 'REFUND',
    amount: parseAmount(amount) ?? 0n,
    currency: currencyOfNumeric(currency) ?? currency,
  }
}

type ChargedRow = Place & Omit<SettlementRecord, 'type'> & { type: ChargeType; fee: bigint }
type ChargeType = 'CHARGEBACK' | 'CHARGEBACK_REVERSAL'

/**
 * The entries of disputes of the issuer's cards on the day, with the references of their payments.
 * A payment that is cleared by file is charged back by file.
 */
async function listCharged(
  { db, tenant_id, day }: Books,
  issuer: IssuerName,
  place: Place,
): Promise<ChargedRow[]> {
  const field = (number: string): RawBuilder<string> => sql`a.fields ->> ${sql.lit(number)}`
  const { rows } = await sql<ChargedRow>`
    select e.booked::text as at, e.id, e.booked as time, e.type, e.amount, e.fee, e.currency,
      ${field('37')} as rrn, ${field('11')} as stan, ${field('7')} as transmitted,
      coalesce(a.approval_code, '') as approval_code, ${field('42')} as card_acceptor_id,
      ${field('41')} as terminal_id
    from chargeback_entries e
    join chargebacks c on c.tenant_id = ${tenant_id} and c.id = e.chargeback_id
    join orders o on o.tenant_id = ${tenant_id} and o.id = c.order_id
    join acquirer_messages a on a.tenant_id = ${tenant_id} and a.id = o.authorization_id
    where e.tenant_id = ${tenant_id} and ${isOfIssuer('a.issuer', issuer)}
      and not exists (select from acquirer_messages m
        join acquirer_presentments p on p.tenant_id = ${tenant_id} and p.message_id = m.id
        where m.tenant_id = ${tenant_id} and m.authorization_id = a.id)
      and e.booked >= ${day.from} and e.booked < ${day.to}
      and (e.booked, e.id) > (${place.at}::timestamptz, ${place.id}::uuid)
    order by e.booked, e.id limit ${PORTION}`.execute(db)
  return rows
}

/** An entry and its fee, which the acquirer takes of the shop. */
function chargesOf({ fee, type, at: _at, id: _id, ...row }: ChargedRow): SettlementRecord[] {
  const entry = { ...row, type }
  return fee === 0n ? [entry] : [entry, { ...row, type: 'CHARGEBACK_FEE', amount: fee }]
}
