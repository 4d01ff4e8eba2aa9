/**
 * The issuers of this program as a payment page asks them before a payment: the server of 3-D
 * Secure to which a card network would lead (D-740).
 */

import { createTenantFinder } from '#issuing/authorization/authorization.ts'
import { findCard } from '#issuing/cards/cards.ts'
import { findProduct } from '#issuing/products/products.ts'
import { findTenant } from '#issuing/tenants/tenants.ts'
import { findUser } from '#issuing/users/users.ts'
import { NumberOwners } from '#issuing/vault/vault.ts'
import { type Services, tenantContext } from '#kit/http/callers/callers.ts'
import type { Authenticator } from '#merchant/checkouts/provider.ts'

const ACTOR = { kind: 'system', id: '3-D Secure' } as const
const NONE = { three_ds: 'NONE' } as const
/** The issuer has 3-D Secure, and no number to which a code could go: it declines with 1893. */
const ATTEMPTED = { three_ds: 'ATTEMPTED' } as const

/** A card of another issuer, or of a product without `otp_3ds`, does not take part. */
export function createAuthenticator(services: Services): Authenticator {
  const tenantOf = createTenantFinder(services)
  const owners = new NumberOwners()
  return async (visited, pan) => {
    const tenant_id = await tenantOf(pan)
    if (tenant_id === undefined) return NONE
    const isOwn = tenant_id === visited.tenant_id
    const ctx = isOwn ? visited : await tenantContext(services, tenant_id, ACTOR)
    const [owner] = await owners.find(ctx, [pan])
    if (!owner) return NONE
    const card = await findCard(ctx, owner.card_id)
    const { otp_3ds } = await findProduct(ctx, card.card_product_id)
    if (!otp_3ds) return NONE
    const { mobile } = card.user_id === null ? {} : await findUser(ctx, card.user_id)
    if (!mobile) return ATTEMPTED
    const { name } = await findTenant(ctx, tenant_id)
    return { issuer: { bank: name, mobile_ends: mobile.slice(-2) } }
  }
}
