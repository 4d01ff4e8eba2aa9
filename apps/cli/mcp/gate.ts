/** Whether a platform is a sandbox, which only the platform itself can say (D-842). */

import { ApiError } from '#client/index.ts'
import { Fault } from '../kit/faults.ts'
import { clientOf } from '../kit/platform.ts'
import type { Profile } from '../kit/profiles.ts'

export type Mode = 'sandbox' | 'live'

const PATIENCE_MS = 5_000

/** Throws what the client library throws if the platform does not say it. */
async function modeOf(platform: Profile): Promise<Mode> {
  try {
    // A live platform has no clock that can be moved (D-14).
    await clientOf(platform).simulation.getClock({ timeout: PATIENCE_MS, retries: 0 })
    return 'sandbox'
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'not_found') return 'live'
    // The key of the operator is refused so where clocks are, and nowhere else.
    if (error.code === 'permission_missing') return 'sandbox'
    throw error
  }
}

export class Gate {
  readonly #platform: Profile
  readonly #isLiveAllowed: boolean
  #isOpen: boolean

  constructor(platform: Profile, { live = false }: { live?: boolean }) {
    this.#platform = platform
    this.#isLiveAllowed = live
    this.#isOpen = live
  }

  /** Asks the platform. Throws a Fault if it is live and that is not allowed. */
  async ask(): Promise<Mode> {
    const mode = await modeOf(this.#platform)
    if (mode === 'live' && !this.#isLiveAllowed) {
      throw new Fault(
        `${this.#platform.url} is a live platform. An agent gets a sandbox: start one ` +
          '(bezant start) or choose its profile (--profile); --live allows a live platform',
      )
    }
    this.#isOpen = true
    return mode
  }

  /**
   * Throws if a call may not be made. A sandbox is asked once before reads, and again before
   * each write.
   */
  async pass({ isRead }: { isRead: boolean }): Promise<void> {
    if (this.#isLiveAllowed || (isRead && this.#isOpen)) return
    await this.ask()
  }
}
