/** The caches of a process for the callers of its APIs. */

import type { KeyCache } from '#callers/keys.ts'
import { Sessions } from '#callers/sessions.ts'
import { RunningClock } from '#kit/clock.ts'
import { CALLERS, CallerCache } from '#kit/http/callers/caller_cache.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { LastUses } from '#kit/http/callers/last_uses.ts'
import type { Log } from '#kit/log.ts'
import { sessionSettingsOf } from '#src/config/browsers.ts'
import type { Config } from '#src/config/config.ts'
import type { BearerCache } from '#src/program/apis/merchant.ts'

export type Callers = {
  ofKeys: KeyCache
  ofTokens: BearerCache
  sessions: Sessions
  uses: LastUses
  /** Forgets all callers if the channel says so. */
  notify: (channel: string) => void
}

/** `config` is called with each request: ports may be known only once the program listens. */
export function openCallers(services: Services, config: () => Config, log: Log): Callers {
  const time = new RunningClock()
  const ofKeys: KeyCache = new CallerCache(time)
  const ofTokens: BearerCache = new CallerCache(time)
  const uses = new LastUses(services.db, log)
  const sessions = new Sessions({ services, settings: () => sessionSettingsOf(config()), uses })
  const notify = (channel: string) => {
    if (channel !== CALLERS) return
    for (const known of [ofKeys, ofTokens, sessions]) known.drop()
  }
  return { ofKeys, ofTokens, sessions, uses, notify }
}
