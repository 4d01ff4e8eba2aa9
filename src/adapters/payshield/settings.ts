/** The security modules that keep the keys of cards, and how they are spoken to (D-1011). */

import { type Static, Type } from 'typebox'
import { Choice, Hidden, isAddress, Shaped, Text, Whole } from '#kit/settings/kinds.ts'
import { type Address, addressOf } from '#kit/settings/shapes.ts'
import { Secret } from '#lib/secret.ts'
import type { Deployment } from '../adapter.ts'

export type KeyScheme = 'U' | 'S'

/** A transport key: in the clear for keys that leave this program, and as the module keeps it. */
export type TransportPair = Readonly<{ clear: Secret; kept: Secret }>

export type PayshieldSettings = Readonly<{
  addresses: readonly Address[]
  /** Characters of the header by which answers are matched. */
  header: number
  /** Two digits that name the master key; null for the module's default. */
  lmk: string | null
  /** Connections to each address. */
  connections: number
  timeout_ms: number
  tls: Readonly<{ ca: string; own: Readonly<{ cert: string; key: string }> | null }> | null
  key_scheme: KeyScheme
  /** Whether a PIN may be in the memory of this process for a moment (D-1015). */
  clear_pin: boolean
  transport: TransportPair | null
}>

const REMEDY = 'change it or leave it out'
const listOf = (text: string): string[] => text.split(',').map((one) => one.trim())
const areAddresses = (text: string): boolean => listOf(text).every(isAddress)
const KEY_IN_HEX = /^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{48}|[0-9A-Fa-f]{64})$/
const KEY_OF_MODULE = /^(?:U[0-9A-F]{32}|S[01A-D][!-~]{20,500})$/

export const variables = Type.Object({
  HSM_ADDRESS: Shaped(areAddresses, {
    description: 'host:port of a security module, or several with commas',
    remedy: REMEDY,
    writeOnly: true,
  }),
  HSM_HEADER: Whole({ minimum: 2, maximum: 12, default: 4 }),
  HSM_LMK: Shaped((text) => /^[0-9]{2}$/.test(text), {
    description: 'two digits, as 00',
    remedy: REMEDY,
  }),
  HSM_CONNECTIONS: Whole({ minimum: 1, maximum: 64, default: 4 }),
  HSM_TIMEOUT_MS: Whole({ minimum: 50, maximum: 30_000, default: 1_000 }),
  HSM_TLS_CA: Text,
  HSM_TLS_CERT: Text,
  HSM_TLS_KEY: Text,
  HSM_KEY_SCHEME: Choice(['U', 'S'], 'U'),
  HSM_CLEAR_PIN: Choice(['refuse', 'allow'], 'refuse'),
  HSM_TRANSPORT_KEY: Hidden,
  HSM_TRANSPORT_KEY_LMK: Hidden,
})

type Values = Static<typeof variables>

/** Undefined without HSM_ADDRESS: keys are in software then. */
export function settingsOf(
  values: Values,
  { faults }: Pick<Deployment, 'faults'>,
): PayshieldSettings | undefined {
  const { HSM_ADDRESS: address } = values
  if (address === undefined) {
    for (const name of ['HSM_TLS_CA', 'HSM_TLS_CERT', 'HSM_LMK'] as const) {
      if (values[name] !== undefined) faults.push(`${name} is set and HSM_ADDRESS is not: set both`)
    }
    return undefined
  }
  return Object.freeze({
    addresses: Object.freeze(listOf(address).flatMap((one) => addressOf(one) ?? [])),
    header: values.HSM_HEADER,
    lmk: values.HSM_LMK ?? null,
    connections: values.HSM_CONNECTIONS,
    timeout_ms: values.HSM_TIMEOUT_MS,
    tls: tlsOf(values, faults),
    key_scheme: values.HSM_KEY_SCHEME,
    clear_pin: values.HSM_CLEAR_PIN === 'allow',
    transport: transportOf(values, faults),
  })
}

function tlsOf(values: Values, faults: string[]): PayshieldSettings['tls'] {
  const { HSM_TLS_CA: ca, HSM_TLS_CERT: cert, HSM_TLS_KEY: key } = values
  if ((cert === undefined) !== (key === undefined)) {
    faults.push('HSM_TLS_CERT and HSM_TLS_KEY belong together: set both or leave both out')
  }
  if (ca === undefined) {
    if (cert !== undefined) faults.push('HSM_TLS_CERT is set and HSM_TLS_CA is not: set it, too')
    return null
  }
  return { ca, own: cert === undefined || key === undefined ? null : { cert, key } }
}

function transportOf(values: Values, faults: string[]): TransportPair | null {
  const { HSM_TRANSPORT_KEY: clear, HSM_TRANSPORT_KEY_LMK: kept } = values
  if (clear === undefined && kept === undefined) return null
  if (clear === undefined || kept === undefined) {
    faults.push('HSM_TRANSPORT_KEY and HSM_TRANSPORT_KEY_LMK belong together: set both')
    return null
  }
  if (!KEY_IN_HEX.test(clear)) faults.push('HSM_TRANSPORT_KEY must be 32, 48 or 64 digits of hex')
  if (!KEY_OF_MODULE.test(kept)) {
    faults.push('HSM_TRANSPORT_KEY_LMK must be the key as the module shows it, with U or S')
  }
  return { clear: new Secret(clear), kept: new Secret(kept) }
}
