/** Books (a) and (b): orders with their operations, and the messages of the acquirer. */

import { type RawBuilder, sql } from 'kysely'
import { parseAmount } from '#iso8583/amounts.ts'
import { idArray, textArray } from '#kit/db/arrays.ts'
import type { Db } from '#kit/db/database.ts'
import { currencyOfNumeric } from '#lib/currency.ts'
import type { Day } from '../rules/day.ts'
import type { Message, Operation, Order, Payment } from '../rules/model.ts'
import { listTenantsWith } from './whose.ts'

/** Payments that are read and compared together. */
export const PORTION = 500

/** The place where a portion begins: behind the row of this time and id. */
export type Place = { at: string; id: string }
export const START: Place = { at: '-infinity', id: '00000000-0000-0000-0000-000000000000' }

type Touched = Place & { authorization_id: string }

/** A tenant whose books are read, at its own node. */
export type Books = { db: Db; tenant_id: string; day: Day }

const isOfDay = (alias: string, { from, to }: Day): RawBuilder<boolean> =>
  sql`${sql.ref(`${alias}.created`)} >= ${from} and ${sql.ref(`${alias}.created`)} < ${to}`

const isBehind = (alias: string, { at, id }: Place): RawBuilder<boolean> =>
  sql`(${sql.ref(`${alias}.created`)}, ${sql.ref(`${alias}.id`)})
    > (${at}::timestamptz, ${id}::uuid)`

/** Whether a message of the payment of order or message `alias` is of the day. */
const hasMessage = (alias: string, { tenant_id, day }: Books): RawBuilder<boolean> => sql`exists (
  select from acquirer_messages x
  where x.tenant_id = ${tenant_id} and ${isOfDay('x', day)}
    and x.authorization_id = ${sql.ref(`${alias}.authorization_id`)})`

/** Payments with a message of the day, by the first message of each. */
export async function listByMessages(books: Books, place: Place): Promise<Touched[]> {
  const { db, tenant_id, day } = books
  const { rows } = await sql<Touched>`
    select m.created::text as at, m.id, m.authorization_id
    from acquirer_messages m
    where m.tenant_id = ${tenant_id} and ${isOfDay('m', day)} and ${isBehind('m', place)}
      and not exists (
        select from acquirer_messages e
        where e.tenant_id = ${tenant_id} and e.authorization_id = m.authorization_id
          and e.created >= ${day.from} and (e.created, e.id) < (m.created, m.id))
    order by m.created, m.id limit ${PORTION}`.execute(db)
  return rows
}

/** Payments with an operation of the day and no message of it. */
export async function listByOperations(books: Books, place: Place): Promise<Touched[]> {
  const { db, tenant_id, day } = books
  const { rows } = await sql<Touched>`
    select p.created::text as at, p.id, o.authorization_id
    from order_operations p
    join orders o on o.tenant_id = ${tenant_id} and o.id = p.order_id
    where p.tenant_id = ${tenant_id} and ${isOfDay('p', day)} and ${isBehind('p', place)}
      and not ${hasMessage('o', books)}
      and not exists (
        select from order_operations e
        where e.tenant_id = ${tenant_id} and e.order_id = p.order_id
          and e.created >= ${day.from} and (e.created, e.id) < (p.created, p.id))
    order by p.created, p.id limit ${PORTION}`.execute(db)
  return rows
}

/** Orders of the day of a merchant, with neither a message nor an operation of it. */
export async function listByOrders(
  books: Books,
  merchant_id: string,
  place: Place,
): Promise<Touched[]> {
  const { db, tenant_id, day } = books
  const { rows } = await sql<Touched>`
    select o.created::text as at, o.id, o.authorization_id
    from orders o
    where o.tenant_id = ${tenant_id} and o.merchant_id = ${merchant_id}
      and ${isOfDay('o', day)} and ${isBehind('o', place)}
      and not ${hasMessage('o', books)}
      and not exists (
        select from order_operations e
        where e.tenant_id = ${tenant_id} and e.order_id = o.id and ${isOfDay('e', day)})
    order by o.created, o.id limit ${PORTION}`.execute(db)
  return rows
}

/** A payment by its retrieval reference. `touched`: one of the lists above has it. */
export type Known = { tenant_id: string; rrn: string; authorization_id: string; touched: boolean }

/** Payments of the tenant with these retrieval references. */
export async function listByReferences(books: Books, rrns: readonly string[]): Promise<Known[]> {
  const { db, tenant_id, day } = books
  const { rows } = await sql<Known>`
    select m.tenant_id, m.fields ->> '37' as rrn, m.authorization_id,
      ${hasMessage('m', books)} or exists (
        select from orders o
        where o.tenant_id = ${tenant_id} and o.authorization_id = m.authorization_id
          and (${isOfDay('o', day)} or exists (
            select from order_operations p
            where p.tenant_id = ${tenant_id} and p.order_id = o.id and ${isOfDay('p', day)}))
      ) as touched
    from acquirer_messages m
    where m.tenant_id = ${tenant_id} and m.mti = '0100'
      and m.fields ->> '37' = any(${textArray(rrns)}::text[])`.execute(db)
  return rows
}

/** The tenants among all that have payments with these retrieval references. */
export const listTenantsOf = (db: Db, rrns: readonly string[]): Promise<string[]> =>
  listTenantsWith(
    db,
    'acquirer_messages',
    sql`t.mti = '0100' and t.fields ->> '37' = any(${textArray(rrns)}::text[])`,
  )

type MessageRow = Omit<Message, 'amount' | 'currency' | 'file'> & {
  file: 'WAITS' | 'POSTED' | null
  is_elsewhere: boolean
  authorization_id: string
  rrn: string
  acceptor: string
  amount: string
  currency: string
}
type OrderRow = Order & { authorization_id: string }
type OperationRow = Operation & { order_id: string }

/** Everything that books (a) and (b) have of payments, also of other days. */
export async function listPayments(books: Books, ids: readonly string[]): Promise<Payment[]> {
  if (ids.length === 0) return []
  const messages = Map.groupBy(await listMessages(books, ids), (row) => row.authorization_id)
  const orders = await listOrders(books, ids)
  const operations = Map.groupBy(await listOperations(books, orders), (row) => row.order_id)
  const ordered = new Map(orders.map(({ authorization_id, ...order }) => [authorization_id, order]))
  return ids.map((authorization_id) => {
    const order = ordered.get(authorization_id)
    const sent = messages.get(authorization_id) ?? []
    return {
      tenant_id: books.tenant_id,
      authorization_id,
      order,
      rrn: sent[0]?.rrn,
      acceptor: sent[0]?.acceptor,
      is_elsewhere: sent[0]?.is_elsewhere ?? false,
      operations: (order && operations.get(order.id)) ?? [],
      messages: sent.map(readMessage),
    }
  })
}

function readMessage({ amount, currency, file, ...row }: MessageRow): Message {
  const { authorization_id: _id, rrn: _rrn, acceptor: _acceptor, ...rest } = row
  const { is_elsewhere: _elsewhere, ...message } = rest
  return {
    ...message,
    ...(file !== null && { file }),
    amount: parseAmount(amount) ?? 0n,
    currency: currencyOfNumeric(currency) ?? currency,
  }
}

async function listMessages({ db, tenant_id }: Books, ids: readonly string[]) {
  const { rows } = await sql<MessageRow>`
    select m.id, m.authorization_id, m.mti, m.status, m.reverses, m.created, m.modified,
      concat(m.fields ->> '11', '|', m.fields ->> '7') as key, m.fields ->> '37' as rrn,
      m.issuer is not null as is_elsewhere,
      m.fields ->> '42' as acceptor, m.fields ->> '4' as amount, m.fields ->> '49' as currency,
      case when p.message_id is null then null
        when p.file_id is null or f.due is not null then 'WAITS' else 'POSTED' end as file
    from acquirer_messages m
    left join acquirer_presentments p on p.tenant_id = ${tenant_id} and p.message_id = m.id
    left join acquirer_files f on f.tenant_id = ${tenant_id} and f.id = p.file_id
    where m.tenant_id = ${tenant_id} and m.authorization_id = any(${idArray(ids)}::uuid[])
    order by m.created, m.id`.execute(db)
  return rows
}

async function listOrders({ db, tenant_id }: Books, ids: readonly string[]) {
  const { rows } = await sql<OrderRow>`
    select o.id, o.authorization_id, o.merchant_id, o.reference, o.currency,
      o.authorized, o.status, o.released, o.created
    from orders o
    where o.tenant_id = ${tenant_id} and o.authorization_id = any(${idArray(ids)}::uuid[])`.execute(
    db,
  )
  return rows
}

async function listOperations({ db, tenant_id }: Books, orders: readonly OrderRow[]) {
  const ids = orders.map(({ id }) => id)
  const { rows } = await sql<OperationRow>`
    select p.id, p.order_id, p.type, p.status, p.amount, p.currency, p.message_id, p.created
    from order_operations p
    where p.tenant_id = ${tenant_id} and p.order_id = any(${idArray(ids)}::uuid[])
    order by p.created, p.id`.execute(db)
  return rows
}
