/** The environment, read once at the start into one frozen object; the README lists it. */

import { resolve } from 'node:path'
import { type AdaptersConfig, readAdapters } from '#adapters/adapter.ts'
import { registry } from '#adapters/registry.ts'
import { keptMasterKey } from '#kit/keys/master_key.ts'
import { StartError } from '#kit/start_error.ts'
import { Secret } from '#lib/secret.ts'
import {
  count,
  type Environment,
  fault,
  HOST,
  isPort,
  oneOf,
  portNumber,
  type Reader,
  reachableHost,
  text,
  variable,
} from './environment.ts'
import {
  describeNetwork,
  type IssuerTls,
  isLoopback,
  type NetworkConfig,
  readIssuerTls,
  readNetwork,
} from './network_config.ts'
import { describeProxies, readProxies } from './proxies_config.ts'
import { describeStorage, readStorage, type StorageConfig } from './storage_config.ts'
import { describeWrapping, readWrapping, type WrappingConfig } from './wrapping_config.ts'

const MODES = ['sandbox', 'live'] as const
const ROLES = ['api', 'network', 'worker'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** The fewest database connections: with fewer, requests have none beside the engine's own. */
const CONNECTIONS = { usual: 25, least: 8, most: 1000 }

const OPERATOR_NAME = /^[a-z][a-z0-9-]{0,31}$/
const OPERATOR_NAME_RULE = 'up to 32 lower-case letters, digits and hyphens, a letter first'

export type Role = (typeof ROLES)[number]
export type Address = Readonly<{ host: string; port: number }>

export type Config = WrappingConfig &
  Readonly<{
    mode: (typeof MODES)[number]
    /** Null means the embedded PostgreSQL in `data_dir`. Secret: it may contain a password. */
    database_url: Secret | null
    /** The most connections that this process opens in all pools together (D-132). */
    database_connections: number
    /** Absolute. */
    data_dir: string
    host: string
    /** 0 lets the system choose; `withBoundPorts` then sets the chosen port. */
    port: number
    network: NetworkConfig
    issuer_address: Address
    issuer_tls: IssuerTls
    roles: readonly Role[]
    /** Without a trailing slash. */
    public_url: string
    operator_name: string
    log_level: (typeof LOG_LEVELS)[number]
    storage: StorageConfig
    trusted_proxies: readonly string[]
    adapters: AdaptersConfig
  }>

/** The environment has invalid variables; the message has one line for each fault. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError'
}

/**
 * Throws a ConfigError that names every fault, not only the first. An empty variable counts as
 * absent, as compose files and CI systems write it. Faults of DATABASE_URL and MASTER_KEY never
 * repeat the value.
 */
export function readConfig(env: Environment): Config {
  const reader: Reader = { env, faults: [] }
  const mode = oneOf(reader, 'MODE', MODES, 'sandbox')
  const host = text(reader, 'HOST', '127.0.0.1', HOST, 'a host name or address')
  const port = portNumber(reader, 'PORT', 8080)
  const network = readNetwork(reader, { host, live: mode === 'live' })
  if (port === network.port && port !== 0) {
    reader.faults.push(`NETWORK_PORT is ${port} and so is PORT: give each its own`)
  }
  const own = { host: reachableHost(network.host), port: network.port }
  const config: Config = {
    mode,
    database_url: databaseUrl(reader),
    database_connections: count(reader, 'DATABASE_CONNECTIONS', CONNECTIONS),
    data_dir: resolve(variable(reader, 'DATA_DIR') ?? './data'),
    host,
    port,
    network,
    issuer_address: issuerAddress(reader, own),
    issuer_tls: readIssuerTls(reader),
    roles: roles(reader),
    ...readWrapping((name) => variable(reader, name), reader.faults, mode === 'live'),
    public_url: publicUrl(reader, ownUrl(host, port)),
    operator_name: text(reader, 'OPERATOR_NAME', 'bezant', OPERATOR_NAME, OPERATOR_NAME_RULE),
    log_level: oneOf(reader, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    trusted_proxies: readProxies((name) => variable(reader, name), reader.faults),
    storage: readStorage((name) => variable(reader, name), reader.faults),
    adapters: readAdapters(registry, {
      variable: (name) => variable(reader, name),
      faults: reader.faults,
      live: mode === 'live',
    }),
  }
  if (reader.faults.length > 0) throw new ConfigError(reader.faults.join('\n'))
  return Object.freeze(config)
}

/**
 * The configuration after listening: where a port was 0, the real one, also in the issuer's
 * address and the public URL as far as these followed from the port.
 */
export function withBoundPorts(
  config: Config,
  bound: { port: number; network_port: number },
): Config {
  const issuer = config.issuer_address
  const followsPort = config.public_url === ownUrl(config.host, config.port)
  return Object.freeze({
    ...config,
    port: bound.port,
    network: Object.freeze({ ...config.network, port: bound.network_port }),
    issuer_address:
      issuer.port === 0 ? Object.freeze({ ...issuer, port: bound.network_port }) : issuer,
    public_url: followsPort ? ownUrl(config.host, bound.port) : config.public_url,
  })
}

/** One `name value` line each, safe for the log: passwords and keys are stars. */
export function describeConfig(config: Config): string {
  const issuer = config.issuer_address
  const lines: [name: string, value: string | number][] = [
    ['MODE', config.mode],
    ['DATABASE_URL', config.database_url ? starred(config.database_url) : '(embedded PostgreSQL)'],
    ['DATABASE_CONNECTIONS', config.database_connections],
    ['DATA_DIR', config.data_dir],
    ['HOST', config.host],
    ['PORT', config.port],
    ...describeNetwork(config.network),
    ['ISSUER_ADDRESS', `${bracketed(issuer.host)}:${issuer.port}`],
    ['ISSUER_TLS_CA', config.issuer_tls?.ca ?? '(no TLS)'],
    ['ROLES', config.roles.join(',')],
    ...describeWrapping(config),
    ['PUBLIC_URL', config.public_url],
    ...describeProxies(config.trusted_proxies),
    ['OPERATOR_NAME', config.operator_name],
    ['LOG_LEVEL', config.log_level],
    ...describeStorage(config.storage),
    ...config.adapters.description,
  ]
  return lines.map(([name, value]) => `${name.padEnd(33)}${value}`).join('\n')
}

/**
 * The key that wraps all others: the one of the environment or, in sandbox, the one in `data_dir`,
 * which the first start makes. Throws a StartError where the file cannot be trusted.
 */
export function masterKey(config: Config): Secret {
  return config.master_key ?? keptMasterKey(config.data_dir)
}

function roles(reader: Reader): readonly Role[] {
  const value = variable(reader, 'ROLES')
  if (value === undefined) return ROLES
  const named = value.split(',').map((role) => role.trim())
  if (named.every((name) => ROLES.some((role) => role === name))) {
    return Object.freeze(ROLES.filter((role) => named.includes(role)))
  }
  const remedy = 'list what this process does, or leave it out for all'
  fault(reader, 'ROLES', `of ${ROLES.join(', ')}, with commas between`, value, remedy)
  return ROLES
}

function issuerAddress(reader: Reader, usual: Address): Address {
  const value = variable(reader, 'ISSUER_ADDRESS')
  if (value === undefined) return Object.freeze(usual)
  const [, v6, name, port = ''] = /^(?:\[([\da-f:.]+)\]|([\w.-]{1,253})):(\d+)$/i.exec(value) ?? []
  const host = v6 ?? name
  if (host !== undefined && isPort(port) && port !== '0') {
    return Object.freeze({ host, port: Number(port) })
  }
  const remedy = 'change it or leave it out for this program’s own network port'
  fault(reader, 'ISSUER_ADDRESS', 'host:port, as issuer.example:8583', value, remedy)
  return usual
}

function publicUrl(reader: Reader, usual: string): string {
  const value = variable(reader, 'PUBLIC_URL')
  if (value === undefined) return usual
  const url = URL.parse(value)
  const plain = url && !url.username && !url.password && !url.search && !url.hash
  if (plain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  // The value is not repeated: a URL with a user name may contain a password too.
  reader.faults.push(
    'PUBLIC_URL must be an http or https address without user, query or fragment: ' +
      `write it as https://cards.example or leave it out for ${usual}`,
  )
  return usual
}

function databaseUrl(reader: Reader): Secret | null {
  const value = variable(reader, 'DATABASE_URL')
  if (value === undefined) return null
  if (parseDatabaseUrl(value)) return new Secret(value)
  reader.faults.push(
    'DATABASE_URL is not an address of PostgreSQL: write postgresql://user:password@host:5432/' +
      'database (a special character of the password as %-code), or leave it out for the ' +
      'embedded one',
  )
  return null
}

/** The local address of the program's HTTP port. */
export function localAddress({ host, port }: Config): { host: string; base_url: string } {
  return { host: reachableHost(host), base_url: ownUrl(host, port) }
}

/** The local address of the network port. */
export function networkAddress({ network }: Config): Address {
  return { host: reachableHost(network.host), port: network.port }
}

/**
 * Whether the merchant side's messages go to the network port of this process, also where
 * ISSUER_ADDRESS names it.
 */
export function isOwnIssuer(config: Config): boolean {
  const own = networkAddress(config)
  const { host, port } = config.issuer_address
  const isHere = host === own.host || (isLoopback(host) && isLoopback(own.host))
  return config.roles.includes('network') && port === own.port && isHere
}

function ownUrl(host: string, port: number): string {
  return `http://${bracketed(reachableHost(host))}:${port}`
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

const NO_HOST = 'no-host.invalid'

/** Parses what pg accepts, also `postgresql://user@/database?host=/socket/folder`. */
function parseDatabaseUrl(value: string): URL | null {
  if (!/^postgres(ql)?:\/\//.test(value)) return null
  return URL.parse(value) ?? URL.parse(value.replace(/^([^/]+\/\/[^/]*@)\//, `$1${NO_HOST}/`))
}

function starred(database_url: Secret): string {
  const url = parseDatabaseUrl(database_url.reveal())
  if (!url) return '****'
  if (url.password) url.password = '****'
  for (const name of url.searchParams.keys()) {
    if (/pass/i.test(name)) url.searchParams.set(name, '****')
  }
  return url.href.replace(NO_HOST, '').replaceAll('%2F', '/')
}
