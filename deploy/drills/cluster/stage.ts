/** The parts that the steps of the drill of a cluster share. */

import type { Running } from '../programs.ts'
import { longestGap, secondsOf } from '../stage/answers.ts'
import type { Load } from '../stage/load.ts'
import type { Ports, Tenant } from '../stage/platform.ts'
import type { Server } from '../stage/postgres.ts'
import type { Transcript } from '../transcript.ts'
import type { Follower } from './follower.ts'

export type Stage = {
  folder: string
  transcript: Transcript
  coordinator: Server
  workers: readonly [Server, Server]
  env: Record<'DATABASE_URL' | 'DATA_DIR' | 'MASTER_KEY', string>
  places: readonly [Ports, Ports]
  programs: Running[]
  tenants: Tenant[]
  loads: Load[]
  followers: Follower[]
}

/** The shortest and the longest time of the tenants without an authorization answered. */
export function printGaps({ transcript, loads }: Stage, since: number): void {
  const gaps = loads
    .map((load) => longestGap(load, 'authorization', since))
    .sort((one, other) => one - other)
  const [first = 0, last = 0] = [gaps[0], gaps.at(-1)]
  transcript.print(
    `without an authorization answered: ${secondsOf(first)} for one tenant, ` +
      `${secondsOf(last)} for another, all others between`,
  )
}
