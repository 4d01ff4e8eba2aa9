/** The simulated world has no variables: a sandbox has it, a live deployment has not (D-14). */

import { Type } from 'typebox'
import type { Deployment } from '../adapter.ts'

export type SimulatedSettings = Readonly<Record<string, never>>

export const variables = Type.Object({})

export const settingsOf = (_values: object, { live }: Deployment): SimulatedSettings | undefined =>
  live ? undefined : {}
