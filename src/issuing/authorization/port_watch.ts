/**
 * When a quiet connection is asked for a sign of life, and when it is given up: an echo after 30
 * to 60 seconds of silence, the end after two without an answer (docs/iso8583.md 7, point 2).
 */

/** The connection as it stands at a look; a look follows another by half a minute. */
export type Look = {
  signed_on: boolean
  /** Its bytes are left unread on purpose, or it is about to end: silence means nothing then. */
  withheld: boolean
  /** The peer leaves more answers untaken than are kept for it. */
  overfull: boolean
}

export type Verdict = 'fine' | 'echo' | 'idle' | 'silent' | 'stalled'

export type Watch = {
  /** Bytes have come, whichever they were. */
  heard(): void
  look(look: Look): Verdict
}

const MISSED_ECHOES = 2

export function createWatch(): Watch {
  let heard = true
  let echoes = 0
  let overfull = false
  return {
    heard() {
      heard = true
    },
    look(now) {
      if (now.overfull && overfull) return 'stalled'
      overfull = now.overfull
      if (heard || now.withheld) {
        heard = false
        echoes = 0
        return 'fine'
      }
      if (!now.signed_on) return 'idle'
      if (echoes === MISSED_ECHOES) return 'silent'
      echoes += 1
      return 'echo'
    },
  }
}
