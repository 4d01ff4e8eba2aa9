/** Challenges of cardholders, made through the API, and a code that is known. */

import assert from 'node:assert/strict'
import { digestOfCode } from '#issuing/challenges/code.ts'
import type { ChallengeRow } from '#issuing/challenges/schema.ts'
import { Secret } from '#lib/secret.ts'
import type { TestTenant, World } from '../world.ts'

export const KNOWN_CODE = '314159'
export const asked = {
  amount: 10,
  currency: 'AED',
  merchant: { id: 'WATCHES', name: 'Dubai Watches' },
}

/** Gives a challenge that has no code the known one, as if it had gone out. */
export async function setKnownCode(
  { db, services: { keys } }: Pick<World, 'db' | 'services'>,
  tenant_id: string,
  id: string,
): Promise<void> {
  const one = db
    .selectFrom('challenges')
    .selectAll()
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
  // The words are those of the checks of the table.
  const row = (await one.executeTakeFirstOrThrow()) as ChallengeRow
  const code_digest = digestOfCode({ keys, tenant_id }, row, new Secret(KNOWN_CODE))
  await db
    .updateTable('challenges')
    .set({ code_digest })
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .execute()
}

/** A challenge of the card, which has the known code. */
export async function createKnownChallenge(
  world: World,
  tenant: TestTenant,
  card_id: string,
): Promise<string> {
  const body = { card_id, ...asked }
  const answer = await world.request('POST', '/v1/challenges', body, { key: tenant.api_key })
  assert.equal(answer.status, 200, answer.text)
  await setKnownCode(world, tenant.id, answer.body.id)
  return String(answer.body.id)
}
