/** Folders for the databases of tests. */

import { mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Memory as a folder, on Linux. */
const MEMORY = '/dev/shm'
/** Several times what a run has there at one time. Containers often have 64 MB. */
const ROOM_BYTES = 4 * 2 ** 30

/**
 * A new folder whose name begins with `prefix`, in memory where the machine has room: the tests
 * make hundreds of databases, and would spend a third of their time waiting for the disk.
 */
export const scratchFolder = (prefix: string): string => mkdtempSync(join(place(), prefix))

function place(): string {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ROOM_BYTES ? MEMORY : tmpdir()
  } catch {
    // Other systems have no such folder.
    return tmpdir()
  }
}
