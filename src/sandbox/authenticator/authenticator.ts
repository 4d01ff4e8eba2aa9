/**
 * The issuers of this program as a payment page asks them before a payment: the server of 3-D
 * Secure to which a card network would lead (D-740).
 */

import { createTenantFinder } from '#issuing/authorization/authorization.ts'
import { findCard } from '#issuing/cards/cards.ts'
import { recordPassed } from '#issuing/challenges/challenges.ts'
import { findProduct } from '#issuing/products/products.ts'
import { findTenant } from '#issuing/tenants/tenants.ts'
import { findUser } from '#issuing/users/users.ts'
import { NumberOwners } from '#issuing/vault/vault.ts'
import type { Context } from '#kit/context.ts'
import { type Services, tenantContext } from '#kit/http/callers/callers.ts'
import { formatAmount } from '#lib/money.ts'
import { Secret } from '#lib/secret.ts'
import type { Authenticator } from '#merchant/checkouts/provider.ts'

const ACTOR = { kind: 'system', id: '3-D Secure' } as const
const NONE = { three_ds: 'NONE' } as const
/** The issuer has 3-D Secure, and no number to which a code could go: it declines with 1893. */
const ATTEMPTED = { three_ds: 'ATTEMPTED' } as const

/** A card of another issuer, or of a product without `otp_3ds`, does not take part. */
export function createAuthenticator(services: Services): Authenticator {
  const tenantOf = createTenantFinder(services)
  const owners = new NumberOwners()
  const find = async (visited: Context, pan: Secret) => {
    const tenant_id = await tenantOf(pan)
    if (tenant_id === undefined) return undefined
    const isOwn = tenant_id === visited.tenant_id
    const ctx = isOwn ? visited : await tenantContext(services, tenant_id, ACTOR)
    const [owner] = await owners.find(ctx, [pan])
    return owner && { ctx, card: await findCard(ctx, owner.card_id) }
  }
  return {
    async enroll(visited, pan) {
      const found = await find(visited, pan)
      if (!found) return NONE
      const { ctx, card } = found
      const { otp_3ds } = await findProduct(ctx, card.card_product_id)
      if (!otp_3ds) return NONE
      const { mobile } = card.user_id === null ? {} : await findUser(ctx, card.user_id)
      if (!mobile) return ATTEMPTED
      const { name } = await findTenant(ctx, ctx.tenant_id)
      return { issuer: { bank: name, mobile_ends: mobile.slice(-2) } }
    },
    /** The challenge is recorded as one that the cardholder passed on this page (D-1177). */
    async prove(visited, pan, { amount, currency, merchant }) {
      const found = await find(visited, pan)
      if (!found) return undefined
      const payment = { card_id: found.card.id, amount: formatAmount(amount, currency), currency }
      const { authentication_value } = await recordPassed(found.ctx, { ...payment, merchant })
      return authentication_value === undefined ? undefined : new Secret(authentication_value)
    },
  }
}
