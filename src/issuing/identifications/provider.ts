/** The interface of a virus scanner for uploaded files (D-28). */

import type { Bytes } from '#kit/files/blobs.ts'

/** UNKNOWN when the scanner is unavailable, has failed, or the file exceeds its limits. */
export type Verdict = 'CLEAN' | 'INFECTED' | 'UNKNOWN'

/** Reads the bytes of one file. Rejects only with an error of the bytes themselves. */
export type Scanner = (bytes: Bytes) => Promise<Verdict>
