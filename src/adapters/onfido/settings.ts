/** The address of Onfido, and the tokens by which it and this platform know each other. */

import { type Static, Type } from 'typebox'
import { Choice, Hidden, Shaped } from '#kit/settings/kinds.ts'
import { withoutSlashes } from '#kit/settings/shapes.ts'
import { Secret } from '#lib/secret.ts'
import type { Deployment } from '../adapter.ts'

export type OnfidoSettings = Readonly<{
  api_token: Secret
  region: (typeof REGIONS)[number]
  /** Signs the notifications of Onfido; without one reports are found by polling alone. */
  webhook_token: Secret | null
  /** The pages that may use a token, as Onfido's pattern. */
  referrer: string
  /** Address of the API; the region decides it by default. */
  base_url?: string
  /** The watchlist report that persons are checked by (D-1081); null: none. */
  watchlist: (typeof WATCHLISTS)[number] | null
  /** The result of a KYC request whose report is clear. */
  clear: 'OK' | 'COMPLIANCE'
}>

const REGIONS = ['EU', 'US', 'CA'] as const
const WATCHLISTS = ['standard', 'enhanced', 'aml', 'peps_only', 'sanctions_only'] as const
const REMEDY = 'set it, or leave out every ONFIDO_ variable'

const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '')

export const variables = Type.Object({
  ONFIDO_API_TOKEN: Hidden,
  ONFIDO_WEBHOOK_TOKEN: Hidden,
  ONFIDO_REGION: Type.Unsafe<(typeof REGIONS)[number]>({
    type: 'string',
    enum: REGIONS,
    default: 'EU',
    description: 'EU, US or CA',
    remedy: REMEDY,
    writeOnly: true,
  }),
  ONFIDO_BASE_URL: Shaped(isWebAddress, {
    description: 'an http or https address',
    remedy: REMEDY,
    writeOnly: true,
  }),
  ONFIDO_REFERRER: Type.String({ default: '*://*/*' }),
  ONFIDO_WATCHLIST: Type.Optional(Choice(WATCHLISTS)),
  ONFIDO_WATCHLIST_CLEAR: Choice(['review', 'pass'], 'review'),
})

export function settingsOf(
  values: Static<typeof variables>,
  { faults }: Deployment,
): OnfidoSettings | undefined {
  const { ONFIDO_API_TOKEN: api_token, ONFIDO_WEBHOOK_TOKEN: webhook_token } = values
  const { ONFIDO_WATCHLIST: watchlist, ONFIDO_WATCHLIST_CLEAR } = values
  if (api_token === undefined) {
    if (webhook_token !== undefined || watchlist !== undefined)
      faults.push(`ONFIDO_API_TOKEN is missing: ${REMEDY}`)
    return undefined
  }
  const base_url = values.ONFIDO_BASE_URL
  return Object.freeze({
    ...(base_url !== undefined && { base_url: withoutSlashes(base_url) }),
    api_token: new Secret(api_token),
    region: values.ONFIDO_REGION,
    webhook_token: webhook_token === undefined ? null : new Secret(webhook_token),
    referrer: values.ONFIDO_REFERRER,
    watchlist: watchlist ?? null,
    clear: ONFIDO_WATCHLIST_CLEAR === 'pass' ? 'OK' : 'COMPLIANCE',
  })
}
