/** The provider that verifies identities: its part of the environment. */

import type { OnfidoSettings } from '#issuing/verification/verification.ts'
import { Secret } from '#lib/secret.ts'

/** Null means the simulated provider in sandbox, and none in live. */
export type IdentityConfig = Readonly<OnfidoSettings> | null

const REGIONS = ['EU', 'US', 'CA'] as const
const ANY_PAGE = '*://*/*'
const REMEDY = 'set it, or leave out every ONFIDO_ variable'

type ReadVariable = (name: string) => string | undefined

/** Adds a line to `faults` for every fault; none of them repeats a token. */
export function readIdentity(variable: ReadVariable, faults: string[]): IdentityConfig {
  const [api_token, webhook_token] = [
    variable('ONFIDO_API_TOKEN'),
    variable('ONFIDO_WEBHOOK_TOKEN'),
  ]
  const named = variable('ONFIDO_REGION') ?? 'EU'
  const region = REGIONS.find((known) => known === named)
  if (region === undefined) faults.push(`ONFIDO_REGION must be EU, US or CA: ${REMEDY}`)
  if (api_token === undefined) {
    if (webhook_token !== undefined) faults.push(`ONFIDO_API_TOKEN is missing: ${REMEDY}`)
    return null
  }
  const base_url = variable('ONFIDO_BASE_URL')
  if (base_url !== undefined && !/^https?:$/.test(URL.parse(base_url)?.protocol ?? '')) {
    faults.push(`ONFIDO_BASE_URL must be an http or https address: ${REMEDY}`)
  }
  return Object.freeze({
    ...(base_url !== undefined && { base_url: base_url.replace(/\/+$/, '') }),
    api_token: new Secret(api_token),
    region: region ?? 'EU',
    webhook_token: webhook_token === undefined ? null : new Secret(webhook_token),
    referrer: variable('ONFIDO_REFERRER') ?? ANY_PAGE,
  })
}
