/** The mode of a deployment mounts and makes parts beside those of both modes (D-14, D-378). */

import type { Providers } from '#adapters/adapter.ts'
import type { Authorizer } from '#issuing/authorization/authorization.ts'
import type { WireLog } from '#issuing/wire_messages/wire_messages.ts'
import type { Db } from '#kit/db/database.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import type { Log } from '#kit/log.ts'
import type { Profile } from '#kit/profile.ts'
import type { Slice } from '#kit/slice.ts'
import type { Authenticator, TestCards } from '#merchant/checkouts/checkouts.ts'
import type { ResponderListener } from '#sandbox/responder/listener.ts'
import type { Seeded } from '#sandbox/seed/seed.ts'
import type { Config } from '#src/config/config.ts'

/** The parts of the issuing API that a simulated world works on. */
export type Simulating = {
  engine: Authorizer
  listener: ResponderListener | undefined
  /** Null if messages of the card network are not recorded. */
  wire: WireLog | null
  config: () => Config
  log: Log
}

/** The parts of a simulated world that the APIs use. */
export type World = {
  /** Answers the questions of responders that cannot be called. */
  listener?: ResponderListener
  /** The parts that payment pages have beyond a card network. */
  payments: { testCards?: TestCards; authenticator?: Authenticator }
}

/** The keys that the start finds or makes: the sandbox's, or the operator's. */
export type Made = { seeded?: Seeded; operator_key_file?: string }

export type Mode = {
  profile: Profile
  /** Simulated providers, used where no adapter is configured. */
  providers: Providers
  open: (services: Services) => World
  /** Slices behind those of the issuing API. Calls nothing: documents are made of them too. */
  slices: (parts: Simulating) => readonly Slice[]
  /** Deletions of old rows of the simulated world. */
  chores: readonly ((db: Db) => Promise<unknown>)[]
  /** Makes what a deployment has from its first start on, in an assembled program. */
  make: (services: Services, config: Config) => Promise<Made>
  /** Records the addresses of a program that listens. */
  record: (config: Config, made: Made) => Made
}
