/** The sealed columns of a database: the keys of their rows, and test data for each. */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import type { Db } from '#kit/db/database.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import { queueMail, templates } from '#portal/mails/mails.ts'
import { startTotp } from '#portal/second_factors/second_factors.ts'
import { sealedColumns } from '#src/program/sealed.ts'
import { createBelongings } from '../contract/belongings.ts'
import { answerExchange, NETWORK } from '../network/networks.ts'
import { insertPerson } from '../portal/members.ts'
import type { World } from '../world.ts'

export const nameOf = ({ table, column }: SealedColumn) =>
  `${table.includes('.') ? table : `public.${table}`}.${column}`

export type SealedRow = { column: SealedColumn; row: Record<string, string>; sealed: Buffer }

/** Every sealed value, with the columns that its row is known by. */
export async function sealedRows(db: Db): Promise<SealedRow[]> {
  const found = sealedColumns.map(async (column) => {
    const value = sql.ref(column.column)
    const bytes = column.base64 ? sql`decode(${value}, 'base64')` : value
    const names = sql.join(
      Object.keys(column.by).map((name) => sql`${name}::text, ${sql.ref(name)}`),
    )
    const { rows } = await sql<{ row: Record<string, string>; sealed: Buffer }>`
      select ${bytes} as sealed, jsonb_build_object(${names}) as row
      from ${sql.table(column.table)}
      where ${column.base64 ? sql`${value} like 'AQ%'` : sql`length(${value}) > 0`}`.execute(db)
    return rows.map(({ row, sealed }) => ({
      column,
      sealed,
      row: Object.fromEntries(Object.entries(row).map(([name, one]) => [name, String(one)])),
    }))
  })
  return (await Promise.all(found)).flat()
}

/** The ids of the keys that seal the rows of a column, as hex, with the count of rows. */
export async function keysInUse(db: Db): Promise<Map<string, Set<string>>> {
  const used = new Map<string, Set<string>>(sealedColumns.map((one) => [nameOf(one), new Set()]))
  for (const { column, sealed } of await sealedRows(db)) {
    used.get(nameOf(column))?.add(sealed.toString('hex', 1, 17))
  }
  return used
}

/** Opens everything under the binding of its row; returns the content. */
export async function openAll(db: Db, keys: Keyring): Promise<string[]> {
  const rows = await sealedRows(db)
  return rows.map(({ column, row, sealed }) =>
    keys.open(column.purpose, sealed, column.bind(row)).toString('latin1'),
  )
}

/** Every sealed column has a row or more. The world listens, and so does its issuer's port. */
export async function fillSealed(world: World): Promise<void> {
  const { ids, tenant } = await createBelongings(world, { orders: true })
  const responder = 'tenantsettings/responder'
  for (const path of [`webhooks/${ids.webhook}`, responder, responder]) {
    const { status, text } = await world.request('POST', `/v1/${path}:rotateSecret`, undefined, {
      key: tenant.api_key,
    })
    assert.equal(status, 200, text)
  }
  const made = await world.request(
    'POST',
    `/v1/operator/tenants/${tenant.id}/keys`,
    { permissions: ['read'] },
    { key: world.operator_key, headers: { 'x-bezant-idempotency-key': randomUUID() } },
  )
  assert.equal(made.status, 200, made.text)
  for (const table of ['vault.pins', 'vault.mailed_pins'] as const) {
    await keepPin(world, table, { tenant_id: tenant.id, card_id: ids.card })
  }
  const exchange = `/v1/operator/networks/${NETWORK.name}:exchangekeys`
  const asked = await world.request('POST', exchange, { use: 'ZAK' }, { key: world.operator_key })
  assert.equal(asked.status, 200, asked.text)
  await answerExchange(world)
  await keepMail(world)
  await startTotp(await world.ctx(), (await insertPerson(world)).id, 'Bank')
}

async function keepMail(world: World) {
  const message = templates.passwordReset('https://cards.example/console/reset?token=abc')
  const mail = { to: 'ann@shop.example', message, valid_ms: 60_000 }
  await transact(await world.ctx(), (tx) => queueMail(tx, { goes: 'KEPT', sender: 'Bank' }, mail))
}

/** Keeps a PIN as the vault does: for its verification, or for its mailer. */
async function keepPin(
  { db, services }: World,
  table: 'vault.pins' | 'vault.mailed_pins',
  card: { tenant_id: string; card_id: string },
) {
  const column = sealedColumns.find((one) => one.table === table)
  assert.ok(column)
  const sealed = services.keys.seal('cards', Buffer.from('4711'), column.bind(card))
  const row = { ...card, sealed }
  if (table === 'vault.mailed_pins') await db.insertInto(table).values(row).execute()
  else
    await db
      .insertInto(table)
      .values({ ...row, modified: new Date() })
      .execute()
}
