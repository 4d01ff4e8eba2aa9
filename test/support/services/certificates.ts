/** The certificates in the folder beside this; make.sh there makes them. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { type Pair, readPair } from '#kit/net/certificates.ts'

type Name = 'client' | 'expired' | 'later' | 'other' | 'renewed' | 'server'
type File = `${'ca' | Name}.pem` | `${Name}.key`

export const certificatePath = (file: File): string =>
  fileURLToPath(new URL(`certificates/${file}`, import.meta.url))

export const certificate = (file: File): Buffer => readFileSync(certificatePath(file))

/** Options with which a client connects to a local server with these certificates. */
export const TRUSTED = { ca: certificate('ca.pem'), servername: 'localhost' }

/** The name in the certificate that a handshake gets now. */
export async function servedName(port: number): Promise<string | undefined> {
  const socket = connect({ ...TRUSTED, port, host: '127.0.0.1' })
  await once(socket, 'secureConnect')
  const { subject } = socket.getPeerCertificate()
  socket.destroy()
  return [subject.CN].flat()[0]
}

/** A pair as the program reads it. */
export function pairOf(name: 'renewed' | 'server'): Pair {
  const cert = { name: 'TLS_CERT', path: certificatePath(`${name}.pem`) }
  const key = { name: 'TLS_KEY', path: certificatePath(`${name}.key`) }
  return readPair({ cert, key, ca: null }, new Date())
}
