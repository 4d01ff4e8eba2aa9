/** The certificates of HTTP, of the network port and of the connection to the issuer. */

import { connect, type Socket } from 'node:net'
import { connect as tlsConnect } from 'node:tls'
import {
  type NamedFile,
  type Pair,
  type PairFiles,
  readCertificates,
  readPair,
} from '#kit/net/certificates.ts'
import type { OwnSockets } from '#kit/net/own_sockets.ts'
import type { Address } from '#kit/settings/shapes.ts'
import { type Config, isOwnIssuer, type TlsFiles } from './config.ts'
import type { NamedIssuer } from './issuers.ts'

/** Opens a connection to the issuer; with TLS it first verifies the issuer's certificate. */
export type Dial = (address: Address) => Socket

/** A pair, and the files that it is read from. */
export type Certified = Readonly<{ files: PairFiles; pair: Pair }>

/**
 * The pair of TLS_CERT and TLS_KEY, or null if HTTP is plain. Throws a StartError of one line if a
 * file cannot be read, has other content or does not match the other, or if the certificate is not
 * valid at `now`.
 */
export const httpPair = ({ tls }: Config, now: Date): Certified | null =>
  tls && certified(filesOf('', tls), now)

/** The same of NETWORK_TLS_*, or null if the network port is plain. */
export const portPair = ({ network: { tls } }: Config, now: Date): Certified | null =>
  tls && certified(filesOf('NETWORK_', tls, tls.ca), now)

/**
 * How the merchant side connects to the default issuer: to this process's own port, which
 * recognizes the connection, or to another plain or with the files of ISSUER_TLS_*. Throws as
 * `httpPair` does.
 */
export const usualDial = (config: Config, own: OwnSockets, now: Date): Dial =>
  isOwnIssuer(config) ? own.connect : dialOf(config.issuer_tls, 'ISSUER_', now)

/** The same to an issuer of ISSUERS_FILE. */
export const namedDial = ({ name, tls }: NamedIssuer, now: Date): Dial =>
  dialOf(tls, `ISSUERS_FILE ${name} `, now)

/** With TLS the certificate of the issuer must name the host of the address. */
function dialOf(tls: Config['issuer_tls'], prefix: string, now: Date): Dial {
  if (tls === null) return (address) => connect({ ...address, noDelay: true })
  const ca = readCertificates({ name: `${prefix}TLS_CA`, path: tls.ca })
  const { cert, key } = tls.own ? readPair(filesOf(prefix, tls.own), now) : {}
  const pair = { ...(cert && { cert }), ...(key && { key }) }
  return (address) =>
    tlsConnect({ ...address, ...pair, ca, minVersion: 'TLSv1.2' }).setNoDelay(true)
}

const certified = (files: PairFiles, now: Date): Certified => ({
  files,
  pair: readPair(files, now),
})

/** The files with the names of their variables. */
function filesOf(prefix: string, { cert, key }: TlsFiles, ca: string | null = null): PairFiles {
  const named = (kind: string, path: string): NamedFile => ({ name: `${prefix}TLS_${kind}`, path })
  return {
    cert: named('CERT', cert),
    key: named('KEY', key),
    ca: ca === null ? null : named('CA', ca),
  }
}
