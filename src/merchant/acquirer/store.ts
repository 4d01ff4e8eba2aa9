/** Messages to the issuer and their sealed cards. Only this file and audit.ts name the vault. */

import { type Selectable, sql } from 'kysely'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { idArray } from '#kit/db/arrays.ts'
import type { Database } from '#kit/db/tables.ts'
import { Write } from '#kit/db/write.ts'
import type { Backlog } from '#kit/jobs/backlogs.ts'
import { dueBy, dueWrite } from '#kit/jobs/due_work.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import { Secret } from '#lib/secret.ts'
import { dueKindOfIssuer, isOfIssuer } from './due.ts'
import type { IssuerName } from './link.ts'
import { nextStan } from './stans.ts'
import type { Card, Stamp } from './wire.ts'

export type MessageRow = Selectable<Database['acquirer_messages']>

/** The time and DE11 that identify the next message. */
export async function nextStamp(tx: Tx): Promise<Stamp> {
  return { now: tx.now, stan: await nextStan(tx) }
}

type NewMessage = Pick<
  MessageRow,
  'id' | 'authorization_id' | 'issuer' | 'mti' | 'fields' | 'due'
> &
  Partial<Pick<MessageRow, 'attempts' | 'reverses'>>

/** Advices that are to be sent to an issuer, for the first time or again. */
export const advicesDueOf = dueKindOfIssuer('acquirer advices', 'acquirer_messages')

export function insertMessage(
  tx: Tx,
  message: NewMessage,
  status: 'PENDING' | 'APPROVED' = 'PENDING',
): Write {
  const { db, tenant_id, now } = tx
  const inserted = db.insertInto('acquirer_messages').values({
    tenant_id,
    attempts: 0,
    ...message,
    fields: JSON.stringify(message.fields),
    status,
    created: now,
    modified: now,
  })
  const due = dueWrite(tx, advicesDueOf(message.issuer), message.due)
  return Write.all(db, due, Write.of(db, inserted))
}

const messageOf = ({ db, tenant_id }: Context, id: string) =>
  db
    .selectFrom('acquirer_messages')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)

export const findMessage = (ctx: Context, id: string): Promise<MessageRow | undefined> =>
  messageOf(ctx, id).executeTakeFirst()

export const lockMessage = (tx: Tx, id: string): Promise<MessageRow | undefined> =>
  messageOf(tx, id).forUpdate().executeTakeFirst()

/** The reversals of a message of unknown outcome, the first one first. */
export function listReversals(
  tx: Tx,
  { id, authorization_id }: Pick<MessageRow, 'id' | 'authorization_id'>,
): Promise<MessageRow[]> {
  return tx.db
    .selectFrom('acquirer_messages')
    .selectAll()
    .where('tenant_id', '=', tx.tenant_id)
    .where('authorization_id', '=', authorization_id)
    .where('reverses', '=', id)
    .orderBy('id')
    .execute()
}

/** Counts a sending before it happens; undefined if the message is finished already. */
export function updateAttempts(ctx: Context, id: string): Promise<MessageRow | undefined> {
  return ctx.db
    .updateTable('acquirer_messages')
    .set((row) => ({ attempts: sql<number>`${row.ref('attempts')} + 1`, modified: ctx.now }))
    .where('tenant_id', '=', ctx.tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .returningAll()
    .executeTakeFirst()
}

type Answered = Pick<MessageRow, 'status' | 'response_code'> &
  Partial<Pick<MessageRow, 'approval_code'>>

/**
 * The status of a message whose outcome is not known (D-131): a message that was never sent ends as
 * UNSENT, a completion stays PENDING and is sent again, a request is reversed. Another sender may
 * have sent the message that this one did not, so `unsent` counts only if there was one sending.
 */
const unknownStatus = (sendings: number) => sql<MessageRow['status']>`
  case when attempts <= ${sendings}::integer then 'UNSENT'
    when mti = '0220' then 'PENDING' else 'REVERSING' end`

/** Finishes a message once: undefined for every later call. */
export function updateMessageFinished(
  tx: Tx,
  id: string,
  outcome: Answered | 'unsent' | 'unanswered',
): Promise<MessageRow | undefined> {
  const changes =
    typeof outcome === 'string'
      ? { status: unknownStatus(outcome === 'unsent' ? 1 : 0) }
      : { ...outcome }
  return tx.db
    .updateTable('acquirer_messages')
    .set({ ...changes, due: null, modified: tx.now })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
    .where('status', '=', 'PENDING')
    .returningAll()
    .executeTakeFirst()
}

/** The issuer has acknowledged a reversal of this message, which is locked from then on. */
export async function updateMessageReversed(tx: Tx, id: string): Promise<void> {
  await tx.db
    .updateTable('acquirer_messages')
    .set({ status: 'REVERSED', modified: tx.now })
    .where('tenant_id', '=', tx.tenant_id)
    .where('id', '=', id)
    .where('status', 'in', ['REVERSING', 'REVERSED'])
    .execute()
}

export function updateMessageDue(
  ctx: Context,
  { id, issuer }: Pick<MessageRow, 'id' | 'issuer'>,
  due: Date,
): Promise<void> {
  return transact(ctx, async (tx) => {
    await dueBy(tx, advicesDueOf(issuer), due)
    await tx.db
      .updateTable('acquirer_messages')
      .set({ due })
      .where('tenant_id', '=', tx.tenant_id)
      .where('id', '=', id)
      .where('status', '=', 'PENDING')
      .execute()
  })
}

/**
 * Claims due advices to an issuer for one sending each: until `held_until` no other worker claims
 * them.
 */
export async function claimDueMessages(
  tx: Tx,
  issuer: IssuerName,
  held_until: Date,
  limit: number,
): Promise<string[]> {
  const { db, tenant_id, now } = tx
  const { rows } = await sql<{ id: string }>`
    update acquirer_messages set due = ${held_until}
    where tenant_id = ${tenant_id} and id in (
      select id from acquirer_messages
      where tenant_id = ${tenant_id} and due <= ${now} and ${isOfIssuer('issuer', issuer)}
      order by due, id limit ${limit} for update skip locked)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Advices that the issuer has not acknowledged. */
export const adviceBacklog: Backlog = {
  queue: 'acquirer_advices',
  rows: (reached) => sql`
    select created as since from acquirer_messages
    where due is not null${reached('and', 'tenant_id')} order by tenant_id, due`,
}

/** Whether the card of the payment of message `m` is stored, so that messages about it can be sent. */
export const hasStoredCard = sql<boolean>`exists (select from merchant_vault.cards v
  where v.tenant_id = m.tenant_id and v.owner_id = m.authorization_id)`

/**
 * Number and expiry, sealed and bound to their owner: the 0100 that is sent with them, or the card
 * that a shop keeps.
 */
export const insertCard = (tx: Tx, owner_id: string, card: Card): Write =>
  Write.of(tx.db, tx.db.insertInto('merchant_vault.cards').values(sealed(tx, owner_id, card)))

/** The card of a payment whose card was deleted before a further message was to be sent. */
export async function insertCardAgain(tx: Tx, owner_id: string, card: Card): Promise<void> {
  const row = sealed(tx, owner_id, card)
  await tx.db
    .insertInto('merchant_vault.cards')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function sealed({ keys, tenant_id }: Tx, owner_id: string, { expiry, pan }: Card) {
  const clear = Buffer.from(`${expiry}${pan.reveal()}`)
  return {
    tenant_id,
    owner_id,
    sealed: keys.seal('merchant_cards', clear, bindingOf({ tenant_id, owner_id })),
  }
}

/** Undefined once it was deleted. */
export const findCard = async (ctx: Context, owner_id: string): Promise<Card | undefined> =>
  (await findCards(ctx, [owner_id])).get(owner_id)

/** The cards of these owners that were not deleted, by owner. */
export async function findCards(
  { db, keys, tenant_id }: Context,
  owner_ids: readonly string[],
): Promise<ReadonlyMap<string, Card>> {
  const { rows } = await sql<{ owner_id: string; sealed: Buffer }>`
    select owner_id, sealed from merchant_vault.cards
    where tenant_id = ${tenant_id} and owner_id = any(${idArray(owner_ids)}::uuid[])`.execute(db)
  const cards = rows.map(({ owner_id, sealed }) => {
    const binding = bindingOf({ tenant_id, owner_id })
    const text = keys.open('merchant_cards', sealed, binding).toString('latin1')
    return [owner_id, { expiry: text.slice(0, 4), pan: new Secret(text.slice(4)) }] as const
  })
  return new Map(cards)
}

/** Nothing will be sent for this card any more. */
export async function deleteCard({ db, tenant_id }: Tx, owner_id: string): Promise<void> {
  await db
    .deleteFrom('merchant_vault.cards')
    .where('tenant_id', '=', tenant_id)
    .where('owner_id', '=', owner_id)
    .execute()
}

/** As `deleteCard`, unless a message of the payment is still to be sent. */
export async function deleteUnneededCard({ db, tenant_id }: Tx, owner_id: string): Promise<void> {
  await sql`
    delete from merchant_vault.cards
    where tenant_id = ${tenant_id} and owner_id = ${owner_id} and not exists (
      select from acquirer_messages m
      where m.tenant_id = ${tenant_id} and m.authorization_id = ${owner_id}
        and m.status = 'PENDING')`.execute(db)
}

type Bound = { tenant_id: string; owner_id: string }
const bindingOf = ({ tenant_id, owner_id }: Bound) => `${tenant_id}:${owner_id}`

/** The sealed cards, for the rotation of keys. */
export const sealedMerchantCards: SealedColumn<keyof Bound> = {
  purpose: 'merchant_cards',
  table: 'merchant_vault.cards',
  column: 'sealed',
  by: { tenant_id: 'uuid', owner_id: 'uuid' },
  bind: bindingOf,
}
