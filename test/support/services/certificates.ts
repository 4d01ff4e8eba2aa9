/** The certificates in the folder beside this; make.sh there makes them. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type File = `${'ca' | 'client' | 'other' | 'server'}.pem` | `${'client' | 'other' | 'server'}.key`

export const certificatePath = (file: File): string =>
  fileURLToPath(new URL(`certificates/${file}`, import.meta.url))

export const certificate = (file: File): Buffer => readFileSync(certificatePath(file))
