/** The responder of a tenant: its signing secret, shown once, and the signatures with it (D-58). */

import type { KeyObject } from 'node:crypto'
import { type Context, type Tx, transact } from '#kit/context.ts'
import type { SealedColumn } from '#kit/keys/sealed_columns.ts'
import { makeSecret, OVERLAP_MS, signingKey } from '#kit/net/signature.ts'
import { ApiError } from '#lib/result.ts'
import type { ResponderSecret } from './responder_schema.ts'
import type { StoredSettings } from './schema.ts'
import {
  findTenantRow,
  lockTenant,
  type Secrets,
  type TenantRow,
  updateResponderSecrets,
} from './store.ts'

const bindOfSecret = ({ id }: { id: string }) => `responder:${id}:secret`

const sealedHere = {
  purpose: 'secrets',
  table: 'tenants',
  by: { id: 'uuid' },
  bind: bindOfSecret,
} as const

/** The columns for the rotation of keys. */
export const sealedInTenants: readonly SealedColumn[] = [
  { ...sealedHere, column: 'sealed_responder_secret' },
  { ...sealedHere, column: 'sealed_previous_responder_secret' },
]

type MadeSecret = { secret?: string; secrets: Secrets }

/**
 * The secret of a responder with a URL that is set for the first time. One that was removed and is
 * set again keeps its secret, and one that follows a `challenge_url` has the secret of that. The
 * questions to a listener are not signed.
 */
export function secretFor(
  ctx: Context,
  id: string,
  settings: StoredSettings,
  before?: Buffer | null,
): MadeSecret {
  const isCalled = settings.responder?.url !== undefined || settings.challenge_url !== undefined
  if (!isCalled || before) return { secrets: {} }
  const secret = makeSecret()
  return { secret, secrets: { sealed_responder_secret: sealSecret(ctx, id, secret) } }
}

/**
 * Answers the new secret, only here. For 24 hours the previous one signs as well. It may be made
 * before the responder is set, so that its program verifies the first question already.
 */
export function rotateResponderSecret(ctx: Context | Tx): Promise<ResponderSecret> {
  return transact(ctx, async (tx) => {
    const { tenant_id: id } = tx
    const row = await lockTenant(tx, id)
    if (!row) throw new ApiError('not_found')
    const secret = makeSecret()
    const previous = row.sealed_responder_secret
    await updateResponderSecrets(tx, id, {
      sealed_responder_secret: sealSecret(tx, id, secret),
      sealed_previous_responder_secret: previous,
      previous_responder_secret_until: previous && new Date(tx.now.getTime() + OVERLAP_MS),
    })
    return { secret }
  })
}

export type SealedSecrets = Pick<
  TenantRow,
  'sealed_responder_secret' | 'sealed_previous_responder_secret' | 'previous_responder_secret_until'
>

/** The bytes that sign at `now` of the tenant's clock: two of them while a rotation lasts. */
export function responderKeys(
  ctx: Pick<Context, 'keys' | 'tenant_id'>,
  sealed: SealedSecrets,
  now: Date,
): KeyObject[] {
  const { sealed_responder_secret, previous_responder_secret_until: until } = sealed
  const previous = until && until > now ? sealed.sealed_previous_responder_secret : null
  return [sealed_responder_secret, previous].flatMap((bytes) =>
    bytes === null ? [] : [signingKey(openSecret(ctx, bytes))],
  )
}

/**
 * The keys that sign a call to the tenant's own server, and the real instant, with which that
 * compares the time of the signature (D-115).
 */
export async function signingOf(ctx: Context): Promise<{ keys: KeyObject[]; real_now: Date }> {
  const row = await findTenantRow(ctx, ctx.tenant_id)
  if (!row) throw new ApiError('not_found')
  const real_now = new Date(ctx.now.getTime() - Number(row.clock_offset_ms))
  return { keys: responderKeys(ctx, row, ctx.now), real_now }
}

const sealSecret = (ctx: Context, id: string, secret: string): Buffer =>
  ctx.keys.seal('secrets', Buffer.from(secret), bindOfSecret({ id }))

const openSecret = ({ keys, tenant_id: id }: Pick<Context, 'keys' | 'tenant_id'>, sealed: Buffer) =>
  keys.open('secrets', sealed, bindOfSecret({ id })).toString()
