/**
 * When the peer of a connection gets an echo request, and when the connection is closed
 * (docs/iso8583.md 7, point 2; D-123). Bytes alone keep none open: a peer signs on, ends the frames
 * that it begins, takes its answers and answers echoes, each within its time.
 */

/** Milliseconds. */
export type WatchLimits = {
  /** The time from the opening, or from a sign-off, to the sign-on. */
  sign_on: number
  /** The time from the first byte of a frame to its last. */
  frame_time: number
  /** Without a byte taken while answers wait. */
  stalled: number
  /** Without a byte from the peer until an echo; two that go unanswered end the connection. */
  silence: number
}

/** The state of the connection at a check. */
export type Look = {
  now: number
  /** Its bytes are left unread on purpose, or it is about to end: a missing message is not late. */
  withheld: boolean
  /** Bytes of answers that have not left this process, and those that have left it so far. */
  waiting: number
  taken: number
}

export type Verdict = 'fine' | 'echo' | 'unsigned' | 'slow_frame' | 'silent' | 'stalled'

export type Received = {
  now: number
  /** A frame or a keep-alive has ended with these bytes. */
  ended: boolean
  /** Bytes of the frame that is not complete. */
  pending: number
}

export type Watch = {
  /** Bytes have arrived, whatever they are. */
  received(bytes: Received): void
  /** The peer has signed on or off. */
  signed(on: boolean, now: number): void
  look(look: Look): Verdict
}

const MISSED_ECHOES = 2

export function createWatch(limits: WatchLimits, opened: number): Watch {
  let heard = opened
  let echoes = 0
  let unsigned: number | undefined = opened
  let begun: number | undefined
  let taken = 0
  let progress = opened

  const alive = (now: number) => {
    heard = now
    echoes = 0
  }
  const isStalled = (now: Look): boolean => {
    if (now.waiting === 0 || now.taken !== taken) progress = now.now
    taken = now.taken
    return now.now - progress >= limits.stalled
  }
  return {
    received({ now, ended, pending }) {
      alive(now)
      if (pending === 0) begun = undefined
      else if (ended || begun === undefined) begun = now
    },
    signed(on, now) {
      unsigned = on ? undefined : (unsigned ?? now)
    },
    look(look) {
      const { now, withheld } = look
      if (isStalled(look)) return 'stalled'
      if (unsigned !== undefined && now - unsigned >= limits.sign_on) return 'unsigned'
      if (withheld) {
        alive(now)
        if (begun !== undefined) begun = now
        return 'fine'
      }
      if (begun !== undefined && now - begun >= limits.frame_time) return 'slow_frame'
      if (unsigned !== undefined || now - heard < limits.silence * (echoes + 1)) return 'fine'
      if (echoes === MISSED_ECHOES) return 'silent'
      echoes += 1
      return 'echo'
    },
  }
}
