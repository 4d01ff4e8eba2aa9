/** Payments that come to no outcome by themselves. */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { newId } from '#lib/id.ts'
import type { World } from '../world.ts'
import { newCheckout } from './purchases.ts'

/** A payment whose card was never stored and whose issuer never knew it; the id of its message. */
export async function makeStuckPayment(world: World, token: string): Promise<string> {
  const options = { key: null, headers: { authorization: `Bearer ${token}` } }
  const body = newCheckout()
  const opened = await world.request('POST', '/api/v1.0/checkouts', body, options)
  assert.equal(opened.status, 201, opened.text)
  const id = newId()
  const rrn = id.replaceAll('-', '').slice(-12).toUpperCase()
  await sql`
    insert into acquirer_messages (tenant_id, id, authorization_id, mti, fields, status, attempts,
      created, modified)
    select c.tenant_id, ${id}, ${id}, '0100',
      jsonb_build_object('3', '000000', '4', lpad(c.amount::text, 12, '0'), '37', ${rrn}::text,
        '49', '784'),
      'REVERSING', 1, c.created, c.created
    from checkouts c where c.reference = ${body.reference}`.execute(world.db)
  await sql`
    insert into acquirer_messages (tenant_id, id, authorization_id, reverses, mti, fields, status,
      attempts, created, modified)
    select m.tenant_id, ${newId()}, m.id, m.id, '0420', m.fields, 'PENDING', 0, m.created,
      m.modified
    from acquirer_messages m where m.id = ${id}`.execute(world.db)
  await sql`
    update checkouts set status = 'PAYING', in_doubt = true, due = null, message_id = ${id}
    where reference = ${body.reference}`.execute(world.db)
  return id
}
