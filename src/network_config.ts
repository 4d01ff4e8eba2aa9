/** The ISO 8583 port, its allowed peers and TLS (D-123): its part of the environment. */

import { resolve } from 'node:path'
import { isNetwork } from '#kit/net/networks.ts'
import {
  count,
  fault,
  HOST,
  oneOf,
  portNumber,
  type Reader,
  text,
  variable,
} from './environment.ts'

const DIALECTS = ['ascii', 'bcd', 'ascii_binary_bitmap', 'ebcdic'] as const
const HEADERS = ['binary2', 'ascii4'] as const

const CONNECTIONS = { usual: 100, most: 10_000 }
const CONNECTIONS_PER_ADDRESS = { usual: 20, most: 10_000 }
const MOST_NETWORKS = 1_000

/** Absolute paths of PEM files. */
type TlsFiles = Readonly<{ cert: string; key: string }>

export type NetworkConfig = Readonly<{
  /** The host to listen on. */
  host: string
  port: number
  dialect: (typeof DIALECTS)[number]
  header: (typeof HEADERS)[number]
  /** Addresses and CIDR blocks; null allows every address. */
  allow: readonly string[] | null
  /**
   * In live without NETWORK_ALLOW `host` is loopback. True where another one was configured, which
   * the start reports.
   */
  confined: boolean
  /** Null: plain. With a CA, a peer must present a certificate that it has signed. */
  tls: (TlsFiles & Readonly<{ ca: string | null }>) | null
  connections: number
  connections_per_address: number
}>

/** TLS to the issuer. Null: plain. `own` is the client certificate, where one is configured. */
export type IssuerTls = Readonly<{ ca: string; own: TlsFiles | null }> | null

/** Adds a line to the reader's faults for every fault. `host` is that of HTTP. */
export function readNetwork(
  reader: Reader,
  { host, live }: { host: string; live: boolean },
): NetworkConfig {
  const configured = text(reader, 'NETWORK_HOST', host, HOST, 'a host name or address')
  const allow = readAllow(reader)
  const confined = live && allow === null && !isLoopback(configured)
  return Object.freeze({
    host: confined ? loopbackFor(configured) : configured,
    port: portNumber(reader, 'NETWORK_PORT', 8583),
    dialect: oneOf(reader, 'NETWORK_DIALECT', DIALECTS, 'ascii'),
    header: oneOf(reader, 'NETWORK_HEADER', HEADERS, 'binary2'),
    allow,
    confined,
    tls: readTls(reader),
    connections: count(reader, 'NETWORK_CONNECTIONS', CONNECTIONS),
    connections_per_address: count(
      reader,
      'NETWORK_CONNECTIONS_PER_ADDRESS',
      CONNECTIONS_PER_ADDRESS,
    ),
  })
}

export function readIssuerTls(reader: Reader): IssuerTls {
  const ca = pathOf(reader, 'ISSUER_TLS_CA')
  const own = filesOf(reader, 'ISSUER_TLS_CERT', 'ISSUER_TLS_KEY')
  if (ca !== null) return Object.freeze({ ca, own })
  if (own !== null) {
    reader.faults.push(
      'ISSUER_TLS_CERT is set and ISSUER_TLS_CA is not: name the file with the CA of the issuer ' +
        'too, or leave all three out',
    )
  }
  return null
}

export function describeNetwork(network: NetworkConfig): [string, string | number][] {
  const { tls, allow } = network
  return [
    ['NETWORK_HOST', network.host],
    ['NETWORK_PORT', network.port],
    ['NETWORK_DIALECT', network.dialect],
    ['NETWORK_HEADER', network.header],
    ['NETWORK_ALLOW', allow?.join(',') ?? (network.confined ? '(loopback)' : '(any address)')],
    ['NETWORK_TLS_CERT', tls?.cert ?? '(no TLS)'],
    ['NETWORK_TLS_CA', tls?.ca ?? '(no certificate required of peers)'],
    ['NETWORK_CONNECTIONS', network.connections],
    ['NETWORK_CONNECTIONS_PER_ADDRESS', network.connections_per_address],
  ]
}

export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|::1)$/i.test(host)
}

const loopbackFor = (host: string): string => (host.includes(':') ? '::1' : '127.0.0.1')

function readAllow(reader: Reader): readonly string[] | null {
  const value = variable(reader, 'NETWORK_ALLOW')
  if (value === undefined) return null
  const networks = value.split(',').map((network) => network.trim())
  const wrong = networks.find((network) => !isNetwork(network))
  if (wrong !== undefined) {
    const expected = 'addresses and CIDR blocks with commas between, as 192.0.2.7,10.0.0.0/8'
    fault(reader, 'NETWORK_ALLOW', expected, wrong, 'change it')
  } else if (networks.length > MOST_NETWORKS) {
    reader.faults.push(`NETWORK_ALLOW has more than ${MOST_NETWORKS} entries: name larger blocks`)
  }
  return Object.freeze(networks)
}

function readTls(reader: Reader): NetworkConfig['tls'] {
  const files = filesOf(reader, 'NETWORK_TLS_CERT', 'NETWORK_TLS_KEY')
  const ca = pathOf(reader, 'NETWORK_TLS_CA')
  if (files !== null) return Object.freeze({ ...files, ca })
  if (ca !== null) {
    reader.faults.push(
      'NETWORK_TLS_CA is set and NETWORK_TLS_CERT is not: name the certificate of the port and ' +
        'its key too, or leave all three out',
    )
  }
  return null
}

function filesOf(reader: Reader, cert_name: string, key_name: string): TlsFiles | null {
  const [cert, key] = [pathOf(reader, cert_name), pathOf(reader, key_name)]
  if (cert !== null && key !== null) return Object.freeze({ cert, key })
  if (cert !== null || key !== null) {
    const [set, missing] = cert !== null ? [cert_name, key_name] : [key_name, cert_name]
    reader.faults.push(`${set} is set and ${missing} is not: set both, or leave both out`)
  }
  return null
}

function pathOf(reader: Reader, name: string): string | null {
  const value = variable(reader, name)
  return value === undefined ? null : resolve(value)
}
