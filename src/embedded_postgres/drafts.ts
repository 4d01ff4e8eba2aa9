/** Folders are filled under a temporary name and then renamed, so a kill leaves no partial one. */

import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A draft this old is of a killed process; making one takes a second or two. */
const OLD_MS = 10 * 60_000

export function draftOf(path: string): string {
  return `${path}.draft-${randomBytes(4).toString('hex')}`
}

export function removeOldDrafts(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!/\.draft-[0-9a-f]{8}$/.test(name)) continue
    const path = join(folder, name)
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs
    if (made === undefined || Date.now() - made < OLD_MS) continue
    rmSync(path, { recursive: true, force: true })
  }
}
