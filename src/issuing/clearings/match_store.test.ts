import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { transact } from '#kit/context.ts'
import { purchase } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { openWorld } from '#test/support/world.ts'
import { listCandidates } from './match_store.ts'

/** More than are looked at for their approval codes. */
const NEWER = 210

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)

test('an authorization with the retrieval reference is found behind many newer ones', async () => {
  const { card_id } = await issuer.card(100)
  const first = purchase({ card_id }, 4_000n)
  const { transaction_id, approval_code = '' } = await world.engine.submit(world.tenant.id, {
    request: first,
  })
  const claim = { card_id, rrn: first.rrn ?? '', approval_code }
  let found: string[] = []
  const rolledBack = transact(await world.ctx(), async (tx) => {
    // Codes have six letters, so that another authorization of a card may have the same one.
    await sql`
      insert into transactions
      select (jsonb_populate_record(t, jsonb_build_object('id', uuidv, 'rrn', 'N' || at,
        'message_key', null))).*
      from transactions t, generate_series(1, ${NEWER}::int) at,
        lateral (select overlay(t.id::text placing lpad(to_hex(at), 12, 'f') from 25) as uuidv) i
      where t.tenant_id = ${tx.tenant_id} and t.id = ${transaction_id}`.execute(tx.db)
    const candidates = await listCandidates(tx, [claim])
    found = candidates.filter(({ rrn }) => rrn === claim.rrn).map(({ id }) => id)
    assert.ok(candidates.length > 1, 'the code of others is the same')
    assert.equal(new Set(candidates.map(({ id }) => id)).size, candidates.length)
    throw new Error('rolled back')
  })
  await assert.rejects(rolledBack, /rolled back/)
  assert.deepEqual(found, [transaction_id])
})
