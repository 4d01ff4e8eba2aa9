/** The certificates of the network port and of the connection to the issuer. */

import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { createSecureContext, connect as tlsConnect } from 'node:tls'
import type { PortTls } from '#issuing/authorization/authorization.ts'
import type { OwnSockets } from '#kit/net/own_sockets.ts'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'
import { type Config, isOwnIssuer } from './config.ts'
import type { Address } from './shapes.ts'

/** Opens a connection to the issuer; with TLS it first verifies the issuer's certificate. */
export type Dial = (address: Address) => Socket

/**
 * The files of NETWORK_TLS_*, or null where the port is plain. Throws a StartError of one line
 * where a file cannot be read, has other content, or does not match the others.
 */
export function portTls({ network: { tls } }: Config): PortTls | null {
  if (tls === null) return null
  const { cert, key } = pairOf('NETWORK_TLS_CERT', tls.cert, 'NETWORK_TLS_KEY', tls.key)
  return { cert, key, ca: tls.ca === null ? null : certificates('NETWORK_TLS_CA', tls.ca) }
}

/**
 * How the merchant side connects to the issuer: to this process's own port, which recognizes the
 * connection, or to another one plain or with the files of ISSUER_TLS_*. Throws as `portTls` does.
 */
export function issuerDial(config: Config, own: OwnSockets): Dial {
  if (isOwnIssuer(config)) return own.connect
  const { issuer_tls: tls } = config
  if (tls === null) return (address) => connect({ ...address, noDelay: true })
  const ca = certificates('ISSUER_TLS_CA', tls.ca)
  const pair = tls.own && pairOf('ISSUER_TLS_CERT', tls.own.cert, 'ISSUER_TLS_KEY', tls.own.key)
  return (address) =>
    tlsConnect({ ...address, ...pair, ca, minVersion: 'TLSv1.2' }).setNoDelay(true)
}

function pairOf(cert_name: string, cert_path: string, key_name: string, key_path: string) {
  const cert = certificates(cert_name, cert_path)
  const key = fileOf(key_name, key_path)
  if (!new X509Certificate(cert).checkPrivateKey(privateKey(key_name, key_path, key))) {
    throw new StartError(`${key_name} (${key_path}) is not the key of ${cert_name} (${cert_path})`)
  }
  try {
    createSecureContext({ cert, key })
  } catch (error) {
    throw new StartError(`${cert_name} (${cert_path}) cannot be used: ${lineOf(error)}`)
  }
  return { cert, key }
}

function certificates(name: string, path: string): Buffer {
  const pem = fileOf(name, path)
  try {
    new X509Certificate(pem)
    createSecureContext({ ca: pem })
  } catch {
    throw new StartError(`${name} (${path}) holds no certificate in PEM: name a file that does`)
  }
  return pem
}

function privateKey(name: string, path: string, pem: Buffer): KeyObject {
  try {
    return createPrivateKey(pem)
  } catch {
    throw new StartError(
      `${name} (${path}) holds no private key in PEM without a passphrase: name a file that does`,
    )
  }
}

function fileOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    const reason = codeOf(error) ?? lineOf(error)
    throw new StartError(
      `${name} (${path}) cannot be read (${reason}): correct the path, or let this account read it`,
    )
  }
}
