/** The most that the port accepts from its peers, and how long it waits for them (D-123). */

import type { AdmissionLimits } from './admission.ts'
import type { WatchLimits } from './watch.ts'

export type SessionLimits = WatchLimits & {
  /** Requests of one connection without their answer; past them its bytes are left unread. */
  in_flight: number
  /** Milliseconds after which a request is not answered: its sender has given up (D-300). */
  answer: number
  /** Bytes of one frame. */
  frame: number
  /** Bytes of answers that the peer has not taken; past them its bytes are left unread. */
  unsent: number
  /** Milliseconds that closing waits for answers and for the peers. */
  closing: number
}

export type Limits = AdmissionLimits &
  SessionLimits & {
    /** Milliseconds of a TLS handshake. */
    handshake: number
    /** Milliseconds between two checks of every connection. */
    look: number
  }

export const defaultLimits: Limits = {
  connections: 100,
  connections_per_address: 20,
  in_flight: 2_000,
  answer: 4_500,
  frame: 8_192,
  unsent: 1_048_576,
  handshake: 10_000,
  sign_on: 30_000,
  frame_time: 30_000,
  stalled: 60_000,
  silence: 30_000,
  closing: 5_000,
  look: 1_000,
}
