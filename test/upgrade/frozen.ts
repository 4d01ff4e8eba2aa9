/** The migrations that a release has, each with the digest of its text: none is edited again. */

import { readFileSync } from 'node:fs'
import { MIGRATIONS, type Migration, readMigrations } from '#kit/db/migration_files.ts'

export const FROZEN_PATH = 'test/upgrade/frozen.json'

/** Digests by the names of the files, in their order. */
export type Frozen = Readonly<Record<string, string>>

// Written by freeze.ts.
export const readFrozen = (): Frozen => JSON.parse(readFileSync(FROZEN_PATH, 'utf8'))

export const presentMigrations = (): Migration[] => readMigrations(MIGRATIONS)
