/** Faults of a configuration, as the start of a program prints them. */

import type { Environment } from '#kit/settings/read.ts'
import { ConfigError, readConfig } from '#src/config/config.ts'

/** A line for each fault; empty if there is none. */
export const configFaults = (env: Environment): string => faultsOfReading(() => readConfig(env))

/** The same of another reading. */
export function faultsOfReading(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return ''
}
