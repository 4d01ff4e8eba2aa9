/** Where Onfido is, and the tokens by which it and this platform know each other. */

import { Secret } from '#lib/secret.ts'
import type { AdapterEnv } from '../adapter.ts'

export type OnfidoSettings = Readonly<{
  api_token: Secret
  region: (typeof REGIONS)[number]
  /** Signs the notifications of Onfido; without one reports are found by polling alone. */
  webhook_token: Secret | null
  /** The pages that may use a token, as Onfido's pattern. */
  referrer: string
  /** Address of the API; the region decides it by default. */
  base_url?: string
}>

const REGIONS = ['EU', 'US', 'CA'] as const
const ANY_PAGE = '*://*/*'
const REMEDY = 'set it, or leave out every ONFIDO_ variable'

/** Adds a line to `faults` for every fault; none of them repeats a token. */
export function readSettings({ variable, faults }: AdapterEnv): OnfidoSettings | undefined {
  const [api_token, webhook_token] = [
    variable('ONFIDO_API_TOKEN'),
    variable('ONFIDO_WEBHOOK_TOKEN'),
  ]
  const named = variable('ONFIDO_REGION') ?? 'EU'
  const region = REGIONS.find((known) => known === named)
  if (region === undefined) faults.push(`ONFIDO_REGION must be EU, US or CA: ${REMEDY}`)
  if (api_token === undefined) {
    if (webhook_token !== undefined) faults.push(`ONFIDO_API_TOKEN is missing: ${REMEDY}`)
    return undefined
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

export function describeSettings(settings: OnfidoSettings | undefined): [string, string][] {
  if (!settings) return [['ONFIDO_API_TOKEN', '(none)']]
  const { region, webhook_token, referrer, base_url } = settings
  return [
    ['ONFIDO_API_TOKEN', '****'],
    ['ONFIDO_REGION', region],
    ['ONFIDO_BASE_URL', base_url ?? '(of the region)'],
    ['ONFIDO_WEBHOOK_TOKEN', webhook_token ? '****' : '(none)'],
    ['ONFIDO_REFERRER', referrer],
  ]
}
