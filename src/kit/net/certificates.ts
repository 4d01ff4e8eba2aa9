/**
 * Certificates with their keys in PEM files (D-145). A fault of them becomes a StartError of one
 * line that names the variable, the file and the remedy.
 */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'

/** A PEM file, and the variable that names it. */
export type NamedFile = Readonly<{ name: string; path: string }>
export type PairFiles = Readonly<{ cert: NamedFile; key: NamedFile; ca: NamedFile | null }>

/** PEM. With a CA, a peer must present a certificate that it has signed. */
export type PairContents = Readonly<{ cert: Buffer; key: Buffer; ca: Buffer | null }>

/** A certificate and the key that belongs to it; `begins` and `ends` are those of the certificate. */
export type Pair = PairContents & Readonly<{ begins: Date; ends: Date }>

/** The options of a TLS server for a pair: TLS 1.2 or later. */
/** Suites with authenticated encryption alone: none in CBC mode, of either version of TLS. */
const SUITES = [
  ...['TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'],
  ...['ECDHE+AESGCM', 'ECDHE+CHACHA20', 'DHE+AESGCM', 'DHE+CHACHA20'],
].join(':')

export const secureOptions = ({ cert, key, ca }: PairContents) => ({
  cert,
  key,
  minVersion: 'TLSv1.2' as const,
  ciphers: SUITES,
  ...(ca && { ca }),
})

/** Throws if a file cannot be read or used, or the certificate is not valid at `now`. */
export function readPair(files: PairFiles, now: Date): Pair {
  const contents = {
    cert: readPem(files.cert),
    key: readPem(files.key),
    ca: files.ca && readPem(files.ca),
  }
  return checkPair(files, contents, now)
}

/** Throws if the contents are not usable, or the certificate is not valid at `now`. */
export function checkPair(files: PairFiles, contents: PairContents, now: Date): Pair {
  const certificate = certificateIn(files.cert, contents.cert)
  if (!certificate.checkPrivateKey(privateKeyIn(files.key, contents.key))) {
    throw new StartError(`${labelOf(files.key)} is not the key of ${labelOf(files.cert)}`)
  }
  if (files.ca && contents.ca) certificateIn(files.ca, contents.ca)
  try {
    createSecureContext(secureOptions(contents))
  } catch (error) {
    throw new StartError(`${labelOf(files.cert)} cannot be used: ${lineOf(error)}`)
  }
  const begins = new Date(certificate.validFrom)
  const ends = new Date(certificate.validTo)
  if (now < begins) {
    throw new StartError(
      `${labelOf(files.cert)} is valid from ${secondOf(begins)} on: name one that is valid now`,
    )
  }
  if (now >= ends) {
    throw new StartError(`${labelOf(files.cert)} expired on ${secondOf(ends)}: renew it`)
  }
  return { ...contents, begins, ends }
}

/** The content of a file of one or more certificates. Throws if it has none. */
export function readCertificates(file: NamedFile): Buffer {
  const pem = readPem(file)
  certificateIn(file, pem)
  return pem
}

export const labelOf = ({ name, path }: NamedFile): string => `${name} (${path})`
export const secondOf = (instant: Date): string => `${instant.toISOString().slice(0, 19)}Z`

/** The error for a file that cannot be read. */
export function unreadable(file: NamedFile, error: unknown): StartError {
  const reason = codeOf(error) ?? lineOf(error)
  return new StartError(
    `${labelOf(file)} cannot be read (${reason}): correct the path, or let this account read it`,
  )
}

function readPem(file: NamedFile): Buffer {
  try {
    return readFileSync(file.path)
  } catch (error) {
    throw unreadable(file, error)
  }
}

/** The first certificate of a file, which may contain others. */
function certificateIn(file: NamedFile, pem: Buffer): X509Certificate {
  try {
    createSecureContext({ ca: pem })
    return new X509Certificate(pem)
  } catch {
    throw new StartError(`${labelOf(file)} holds no certificate in PEM: name a file that does`)
  }
}

function privateKeyIn(file: NamedFile, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new StartError(
      `${labelOf(file)} holds no private key in PEM without a passphrase: name a file that does`,
    )
  }
}
