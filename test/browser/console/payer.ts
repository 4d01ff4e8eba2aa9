/** A member whose tenant has a card with money on its account. */

import { type Issuer, type MadeCard, openIssuer } from '#test/support/issuer.ts'
import { memberWith } from '#test/support/portal/browser.ts'
import type { TestTenant, World } from '#test/support/world.ts'

/** The amount in AED. */
const LOADED = 500

type Payer = { tenant: TestTenant; issuer: Issuer; card: MadeCard; email: string }

export async function makePayer(world: World, settings: object = {}): Promise<Payer> {
  const tenant = await world.otherTenant({ default_currency: 'AED', ...settings })
  const issuer = await openIssuer(world, tenant)
  const card = await issuer.card(LOADED)
  const { email } = await memberWith(world, 'owner', tenant.id)
  return { tenant, issuer, card, email }
}
