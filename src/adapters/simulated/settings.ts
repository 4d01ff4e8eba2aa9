/** The simulated world has no variables: a sandbox has it, a live deployment has not (D-14). */

import type { AdapterEnv } from '../adapter.ts'

export type SimulatedSettings = Readonly<Record<string, never>>

export const readSettings = ({ live }: AdapterEnv): SimulatedSettings | undefined =>
  live ? undefined : {}
