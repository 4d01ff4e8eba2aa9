/** Which subscription signed a delivery, for receivers of the platform itself (D-640). */

import { timingSafeEqual } from 'node:crypto'
import type { Context } from '#kit/context.ts'
import { signatureHeaders, signingKey } from '#kit/net/signature.ts'
import { openSecret } from './credentials.ts'
import { listWebhooksOf, type WebhookRow } from './store.ts'

/** The headers and the body as they came. */
export type Signed = { id: string; timestamp: string; signature: string; body: string }

/**
 * The subscription of the tenant to this endpoint whose current secret signed it, or whose previous
 * one while both are valid, and how many subscriptions there are. The caller checks the time.
 */
export async function findSigner(
  ctx: Context,
  endpoint: string,
  signed: Signed,
): Promise<{ subscriptions: number; signer: string | undefined }> {
  const rows = await listWebhooksOf(ctx, endpoint)
  const signer = rows.find((row) => hasSigned(ctx, row, signed))?.id
  return { subscriptions: rows.length, signer }
}

function hasSigned(ctx: Context, row: WebhookRow, { id, timestamp, signature, body }: Signed) {
  if (!/^\d{1,12}$/.test(timestamp)) return false
  const { sealed_secret, sealed_previous_secret: previous, previous_secret_until: until } = row
  const sealed = previous && until && until > ctx.now ? [sealed_secret, previous] : [sealed_secret]
  const keys = sealed.map((secret) => signingKey(openSecret(ctx, row.id, secret)))
  const time = new Date(Number(timestamp) * 1000)
  const expected = signatureHeaders(keys, id, body, time)['webhook-signature'].split(' ')
  const sent = signature.split(' ')
  return expected.some((one) => sent.some((other) => isSame(one, other)))
}

function isSame(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
