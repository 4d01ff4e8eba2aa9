/** The settings that browsers of members depend on (D-136). */

import { networkInterfaces } from 'node:os'
import type { SessionSettings } from '#callers/sessions.ts'
import { IDEMPOTENCY_HEADER, idempotencyHeader } from '#kit/http/idempotency_header.ts'
import { isLoopback } from '#kit/settings/shapes.ts'
import type { Config } from './config.ts'

type Served = Pick<Config, 'public_url' | 'host' | 'port' | 'tls' | 'operator_name'>

/** The cookie's security and the program's own origins: PUBLIC_URL and where it listens. */
export function sessionSettingsOf(config: Served): SessionSettings {
  const { public_url, port, tls, operator_name } = config
  const scheme = tls === null ? 'http' : 'https'
  const listening = hostsOf(config).map((host) => `${scheme}://${host}:${port}`)
  const origins = [public_url, ...listening].flatMap((url) => URL.parse(url)?.origin ?? [])
  return {
    is_https: public_url.startsWith('https:'),
    origins: [...new Set(origins)],
    tenantHeader: tenantHeaderOf(operator_name),
    keyHeaders: [idempotencyHeader({ operator_name }), IDEMPOTENCY_HEADER],
  }
}

/** The header with which a member of the operator's team names the tenant of a request (D-576). */
export const tenantHeaderOf = (operator_name: string): string => `x-${operator_name}-tenant`

/**
 * The names under which this machine reaches the listener, those of all addresses if it listens on
 * all.
 */
function hostsOf({ host }: Served): string[] {
  const isEvery = host === '0.0.0.0' || host === '::'
  const all = isEvery ? Object.values(networkInterfaces()).flatMap((one) => one ?? []) : []
  const hosts = isEvery ? all.map(({ address }) => address.replace(/%.*$/s, '')) : [host]
  const named = isEvery || isLoopback(host) ? [...hosts, 'localhost', '127.0.0.1'] : hosts
  return named.map((one) => (one.includes(':') && !one.startsWith('[') ? `[${one}]` : one))
}
