/** The certificates in the folder beside this; make.sh there makes them. */

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

type Pair = 'client' | 'expired' | 'later' | 'other' | 'renewed' | 'server'
type File = `${'ca' | Pair}.pem` | `${Pair}.key`

export const certificatePath = (file: File): string =>
  fileURLToPath(new URL(`certificates/${file}`, import.meta.url))

export const certificate = (file: File): Buffer => readFileSync(certificatePath(file))
