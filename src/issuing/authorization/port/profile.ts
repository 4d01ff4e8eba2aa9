/** How one network writes and what it may do (D-1030): the settings that its connections share. */

import type { CodeMapName } from '#iso8583/codes.ts'
import type { DialectName } from '#iso8583/dialects.ts'
import type { EnvelopeName } from '#iso8583/envelope.ts'
import type { Header } from '#iso8583/framing.ts'
import type { Track2Fill } from '#iso8583/message.ts'
import type { NetworkKeys } from '#issuing/networks/networks.ts'
import type { MacMethod } from '#mac/mac.ts'
import { type Billing, DECISION_TIME } from '../message/request.ts'

export type NetworkProfile = {
  /** In log lines and metrics. */
  name: string
  dialect: DialectName
  header: Header
  envelope: EnvelopeName
  codes: CodeMapName
  billing: Billing
  track2_fill: Track2Fill
  /** The beginnings of card numbers that it may send; null: all. */
  bins: readonly string[] | null
  /** The side that begins with the sign-on. */
  sign_on: 'us' | 'peer'
  /** DE33 of messages that begin here. */
  institution: string
  /** Milliseconds in which a request needs its answer. */
  deadline_ms: number
  /** The code of each message, and whether one without it has no effect (D-1031); null: none. */
  mac: { required: boolean; method: MacMethod } | null
  /** Null if no key may come. */
  keys: NetworkKeys | null
}

/** The name of the network without a file. */
export const DEFAULT_NETWORK = 'default'

/** The network of NETWORK_PORT, in a dialect and with a header. */
export const plainProfile = (dialect: DialectName, header: Header): NetworkProfile => ({
  name: DEFAULT_NETWORK,
  dialect,
  header,
  envelope: 'none',
  codes: 'generic',
  billing: 'own',
  track2_fill: 'left_zero',
  bins: null,
  sign_on: 'peer',
  institution: '0',
  deadline_ms: DECISION_TIME,
  mac: null,
  keys: null,
})
