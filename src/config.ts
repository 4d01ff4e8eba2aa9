/** The environment, read once at the start into one frozen object; design section 6 lists it. */

import { resolve } from 'node:path'
import { keptMasterKey } from '#kit/master-key.ts'
import { StartError } from '#kit/start-error.ts'
import { Secret } from '#lib/secret.ts'
import { describeIdentity, type IdentityConfig, readIdentity } from './identity_config.ts'
import { describeProxies, readProxies } from './proxies_config.ts'
import { describeStorage, readStorage, type StorageConfig } from './storage_config.ts'
import { describeWrapping, readWrapping, type WrappingConfig } from './wrapping_config.ts'

const MODES = ['sandbox', 'live'] as const
const DIALECTS = ['ascii', 'bcd', 'ascii_binary_bitmap', 'ebcdic'] as const
const HEADERS = ['binary2', 'ascii4'] as const
const ROLES = ['api', 'network', 'worker'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const HOST = /^[\w.:-]{1,253}$/
const OPERATOR_NAME = /^[a-z][a-z0-9-]{0,31}$/
const OPERATOR_NAME_IN_WORDS = 'up to 32 lower-case letters, digits and hyphens, a letter first'

export type Role = (typeof ROLES)[number]
export type Address = Readonly<{ host: string; port: number }>

export type Config = WrappingConfig &
  Readonly<{
    mode: (typeof MODES)[number]
    /** Null means the embedded PostgreSQL in `data_dir`. Secret, because it may hold a password. */
    database_url: Secret | null
    /** Absolute. */
    data_dir: string
    host: string
    /** 0 lets the system choose; `withBoundPorts` then puts in what it chose. */
    port: number
    network: Readonly<{
      port: number
      dialect: (typeof DIALECTS)[number]
      header: (typeof HEADERS)[number]
    }>
    issuer_address: Address
    roles: readonly Role[]
    /** Without a slash at its end. */
    public_url: string
    operator_name: string
    log_level: (typeof LOG_LEVELS)[number]
    storage: StorageConfig
    trusted_proxies: readonly string[]
    identity: IdentityConfig
  }>

/** The environment asks for what cannot be; the message has one line for each fault. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError'
}

type Environment = Readonly<Record<string, string | undefined>>
type Reader = { env: Environment; faults: string[] }

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
  const network_port = portNumber(reader, 'NETWORK_PORT', 8583)
  if (port === network_port && port !== 0) {
    reader.faults.push(`NETWORK_PORT is ${port} and so is PORT: give each its own`)
  }
  const config: Config = {
    mode,
    database_url: databaseUrl(reader),
    data_dir: resolve(given(reader, 'DATA_DIR') ?? './data'),
    host,
    port,
    network: Object.freeze({
      port: network_port,
      dialect: oneOf(reader, 'NETWORK_DIALECT', DIALECTS, 'ascii'),
      header: oneOf(reader, 'NETWORK_HEADER', HEADERS, 'binary2'),
    }),
    issuer_address: issuerAddress(reader, { host: reachableHost(host), port: network_port }),
    roles: roles(reader),
    ...readWrapping((name) => given(reader, name), reader.faults, mode === 'live'),
    public_url: publicUrl(reader, ownUrl(host, port)),
    operator_name: text(reader, 'OPERATOR_NAME', 'bezant', OPERATOR_NAME, OPERATOR_NAME_IN_WORDS),
    log_level: oneOf(reader, 'LOG_LEVEL', LOG_LEVELS, 'info'),
    trusted_proxies: readProxies((name) => given(reader, name), reader.faults),
    storage: readStorage((name) => given(reader, name), reader.faults),
    identity: readIdentity((name) => given(reader, name), reader.faults),
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

/** One `name value` line each, fit for the log: passwords and keys are stars. */
export function describeConfig(config: Config): string {
  const issuer = config.issuer_address
  const lines: [name: string, value: string | number][] = [
    ['MODE', config.mode],
    ['DATABASE_URL', config.database_url ? starred(config.database_url) : '(embedded PostgreSQL)'],
    ['DATA_DIR', config.data_dir],
    ['HOST', config.host],
    ['PORT', config.port],
    ['NETWORK_PORT', config.network.port],
    ['NETWORK_DIALECT', config.network.dialect],
    ['NETWORK_HEADER', config.network.header],
    ['ISSUER_ADDRESS', `${bracketed(issuer.host)}:${issuer.port}`],
    ['ROLES', config.roles.join(',')],
    ...describeWrapping(config),
    ['PUBLIC_URL', config.public_url],
    ...describeProxies(config.trusted_proxies),
    ['OPERATOR_NAME', config.operator_name],
    ['LOG_LEVEL', config.log_level],
    ...describeStorage(config.storage),
    ...describeIdentity(config.identity),
  ]
  return lines.map(([name, value]) => `${name.padEnd(22)}${value}`).join('\n')
}

/**
 * The key that wraps all others: the one of the environment or, in sandbox, the one that lies in
 * `data_dir` and is made at the first start. Throws a StartError where the file cannot be trusted.
 */
export function masterKey(config: Config): Secret {
  return config.master_key ?? keptMasterKey(config.data_dir)
}

function given({ env }: Reader, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

/** Notes a fault that repeats the value: quoted, so that it stays one line, and cut short. */
function fault(reader: Reader, name: string, wanted: string, value: string, remedy: string): void {
  reader.faults.push(
    `${name} must be ${wanted}, not ${JSON.stringify(value.slice(0, 60))}: ${remedy}`,
  )
}

function oneOf<Choice extends string>(
  reader: Reader,
  name: string,
  choices: readonly Choice[],
  usual: Choice,
): Choice {
  const value = given(reader, name)
  if (value === undefined) return usual
  const chosen = choices.find((choice) => choice === value)
  if (chosen !== undefined) return chosen
  const wanted = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  fault(reader, name, wanted, value, `choose one or leave it out for ${usual}`)
  return usual
}

function text(reader: Reader, name: string, usual: string, shape: RegExp, wanted: string): string {
  const value = given(reader, name)
  if (value === undefined || shape.test(value)) return value ?? usual
  fault(reader, name, wanted, value, `change it or leave it out for ${usual}`)
  return usual
}

function portNumber(reader: Reader, name: string, usual: number): number {
  const value = given(reader, name)
  if (value === undefined) return usual
  if (isPort(value)) return Number(value)
  const wanted = 'a whole number from 0 to 65535'
  fault(reader, name, wanted, value, `change it or leave it out for ${usual}`)
  return usual
}

function isPort(value: string): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
}

function roles(reader: Reader): readonly Role[] {
  const value = given(reader, 'ROLES')
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
  const value = given(reader, 'ISSUER_ADDRESS')
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
  const value = given(reader, 'PUBLIC_URL')
  if (value === undefined) return usual
  const url = URL.parse(value)
  const plain = url && !url.username && !url.password && !url.search && !url.hash
  if (plain && /^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '')
  // The value is not repeated: a URL that carries a user name may carry a password too.
  reader.faults.push(
    'PUBLIC_URL must be an http or https address without user, query or fragment: ' +
      `write it as https://cards.example or leave it out for ${usual}`,
  )
  return usual
}

function databaseUrl(reader: Reader): Secret | null {
  const value = given(reader, 'DATABASE_URL')
  if (value === undefined) return null
  if (parseDatabaseUrl(value)) return new Secret(value)
  reader.faults.push(
    'DATABASE_URL is not an address of PostgreSQL: write postgresql://user:password@host:5432/' +
      'database (a special character of the password as %-code), or leave it out for the ' +
      'embedded one',
  )
  return null
}

/** Where this machine reaches the program, whatever the world calls it. */
export function localAddress({ host, port }: Config): { host: string; base_url: string } {
  return { host: reachableHost(host), base_url: ownUrl(host, port) }
}

/** A listener on every address is reached by the local one. */
function reachableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
}

function ownUrl(host: string, port: number): string {
  return `http://${bracketed(reachableHost(host))}:${port}`
}

function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

const NO_HOST = 'no-host.invalid'

/** Parses what pg takes too, also `postgresql://user@/database?host=/socket/folder`. */
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
