/** Source text of the switches of products and cards, from their table (D-948). */

import { switchTable } from '#issuing/products/rules.ts'

export function switchesSource(): string {
  const rows = switchTable.map(({ name, product, card, sample, hour }) => ({
    name,
    product_code: product,
    card_code: card,
    sample,
    ...(hour !== undefined && { hour }),
  }))
  return `/** The switches of \`auth_settings\`. */
import type { AuthSettings, SimulateAuthorizationBody } from './types.ts'

export type AuthSwitch = {
  name: Exclude<keyof AuthSettings, 'min_amount' | 'max_amount'>
  /** The status code of a payment that the product declines, and of one that the card declines. */
  product_code: string
  card_code: string
  /** Members of a simulated authorization that is declined if only this switch is off. */
  sample: Partial<SimulateAuthorizationBody>
  /** The hour in the time zone of the tenant, 0 to 23, at which it is; absent for any hour. */
  hour?: number
}

/** All switches, in the order in which they are checked. */
export const authSwitches: readonly AuthSwitch[] = ${JSON.stringify(rows)}
`
}
