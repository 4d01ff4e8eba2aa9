/** Merchants of a tenant that call with tokens of their own. */

import assert from 'node:assert/strict'
import { emit } from '#events/outbox.ts'
import { type Context, transact } from '#kit/context.ts'
import type { EventName } from '#kit/event.ts'
import { newId } from '#lib/id.ts'
import { createMerchant } from '../contract/belongings.ts'
import { madeUpEvent } from '../events.ts'
import type { Answer, World } from '../world.ts'

export type TestMerchant = {
  id: string
  token: string
  call: (method: string, path: string, body?: object, headers?: object) => Promise<Answer>
  /** Fails unless the answer is a success. */
  ask: (method: string, path: string, body?: object) => Promise<Answer['body']>
}

export async function openMerchant(world: World, tenant_id = world.tenant.id) {
  const { merchant, ids } = await createMerchant(world, tenant_id)
  const { token } = merchant
  const call: TestMerchant['call'] = (method, path, body, headers = {}) =>
    world.request(method, `/api/v1.0${path}`, body, {
      key: null,
      headers: { authorization: `Bearer ${token}`, ...headers },
    })
  const own: TestMerchant = {
    id: ids.merchant,
    token,
    call,
    async ask(method, path, body) {
      const answer = await call(method, path, body)
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
      return answer.body
    },
  }
  return own
}

/**
 * Writes events of the merchant, each about another object; answers the id of the first object.
 */
export async function emitOf(
  ctx: Context,
  merchant_id: string,
  event: EventName = 'ORDER_CAPTURED',
  times = 1,
): Promise<string> {
  const made = Array.from({ length: times }, () => madeUpEvent(event, newId(), { merchant_id }))
  await transact(ctx, (tx) => emit(tx, ...made.map((one) => ({ ...one, merchant_id }))))
  return made[0]?.object_id ?? ''
}

/** The context in which a merchant calls the platform. */
export const asMerchant = (ctx: Context, id: string): Context => ({
  ...ctx,
  actor: { kind: 'merchant', id },
})
