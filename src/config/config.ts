/** The configuration: all environment variables, read once at the start into one frozen object. */

import { resolve } from 'node:path'
import { type ConfiguredAdapter, readAdapters } from '#adapters/adapter.ts'
import { registry } from '#adapters/registry.ts'
import type { KmsAddress } from '#kit/keys/kms.ts'
import { type Environment, readVariables } from '#kit/settings/read.ts'
import {
  type Address,
  addressOf,
  isLoopback,
  reachableHost,
  withoutSlashes,
} from '#kit/settings/shapes.ts'
import { StartError } from '#kit/start_error.ts'
import type { TracingConfig } from '#kit/tracing/otlp.ts'
import { Secret } from '#lib/secret.ts'
import { type NamedIssuer, readIssuers } from './issuers.ts'
import { type NamedNetwork, readNetworks } from './networks.ts'
import { faultsBetween, faultsOfSignUp } from './rules.ts'
import { tracingOf } from './tracing.ts'
import { type KeyValues, ROLES, type Values, Variables } from './variables.ts'

/** Absolute paths of PEM files. */
export type TlsFiles = Readonly<{ cert: string; key: string }>

export type WrapperConfig = Readonly<{
  /**
   * 64 hexadecimal characters. Null if `kms` replaces it, and in sandbox: `masterKey` then stores
   * one in `data_dir`.
   */
  master_key: Secret | null
  /** The key service that wraps the data keys instead. */
  kms: KmsAddress | null
}>

/** The ISO 8583 port, its allowed peers and TLS (D-123). */
type NetworkConfig = Readonly<{
  /** The host to listen on. */
  host: string
  port: number
  dialect: Values['NETWORK_DIALECT']
  header: Values['NETWORK_HEADER']
  /** Addresses and CIDR blocks; null allows every address. */
  allow: readonly string[] | null
  /**
   * True if `host` is loopback in place of the configured one, because live has no NETWORK_ALLOW.
   * The start reports it.
   */
  confined: boolean
  /** Null: plain. With a CA, a peer must present a certificate that it has signed. */
  tls: (TlsFiles & Readonly<{ ca: string | null }>) | null
  connections: number
  connections_per_address: number
}>

type StorageConfig = Readonly<{
  /** A bucket of an S3-compatible service, whose URL ends with its name; null: a folder (D-28). */
  bucket: Readonly<{
    url: string
    region: string
    access_key: string
    secret_key: Secret
  }> | null
}>

export type Config = WrapperConfig &
  Readonly<{
    mode: Values['MODE']
    /** Null means the embedded PostgreSQL in `data_dir`. Secret: it may contain a password. */
    database_url: Secret | null
    /** The most connections that this process opens in all pools together (D-132). */
    database_connections: number
    /** The role as which the program works: neither owner nor superuser (D-506). */
    database_role: string
    /** Absolute. */
    data_dir: string
    host: string
    /** 0 lets the system choose; `withBoundPorts` then sets the chosen port. */
    port: number
    /** The files of the HTTP API. Null: plain (D-145). */
    tls: TlsFiles | null
    /** The address of health and metrics, which the API's then has not; null: it has them. */
    admin: Address | null
    network: NetworkConfig
    issuer_address: Address
    /** How many connections this process keeps to the issuer (D-760). */
    issuer_connections: number
    /** How captures and refunds reach it (D-1047). */
    issuer_clearing: Values['ISSUER_CLEARING']
    /** ISSUERS_FILE as an absolute path, and its content at the start (D-761). */
    issuers_file: string | null
    issuers: ReadonlyMap<string, NamedIssuer>
    /** The networks of NETWORKS_FILE; null without a file (D-1030). */
    networks: readonly NamedNetwork[] | null
    /** TLS to the issuer. Null: plain. `own` is the client certificate, if there is one. */
    issuer_tls: Readonly<{ ca: string; own: TlsFiles | null }> | null
    /** The access control server of the default issuer, without a trailing slash (D-1215). */
    issuer_acs: Readonly<{ url: string; key: Secret }> | null
    roles: Readonly<Values['ROLES']>
    /** Without a trailing slash. */
    public_url: string
    operator_name: string
    /** Whether people may sign up by themselves (D-134). */
    sign_up: 'open' | 'invited'
    log_level: Values['LOG_LEVEL']
    /** The collector of spans; null: none. */
    tracing: TracingConfig | null
    /** Whether messages of the card network are recorded, masked (D-620). */
    wire_log: boolean
    /** Days of real time that rows are kept at least, and then dropped by months; null: all. */
    kept_days: Readonly<{
      transactions: number | null
      events: number
      deliveries: number
      messages: number
    }>
    /** Further checks of ACTIVE users (D-1082); `every_days` null: none. */
    screening: Readonly<{ every_days: number | null; a_minute: number }>
    storage: StorageConfig
    /**
     * Addresses and CIDR blocks. The source of a request from one of these is the last address of
     * X-Forwarded-For that is none of them; for any other request the header is ignored (D-362).
     */
    trusted_proxies: readonly string[]
    /** Names of the program in Host, beside localhost and addresses (D-1004). */
    hosts: readonly string[]
    adapters: readonly ConfiguredAdapter[]
  }>

/** The environment has invalid variables; the message has one line for each fault. */
export class ConfigError extends StartError {
  override readonly name = 'ConfigError'
}

/** Throws a ConfigError that names every fault, not only the first, and repeats no secret. */
export function readConfig(env: Environment): Config {
  const { values, faults } = readVariables(Variables, env)
  faults.push(...faultsBetween(values))
  const adapters = readAdapters(registry, env, { live: values.MODE === 'live', faults })
  faults.push(...faultsOfSignUp(values, adapters))
  const { ISSUERS_FILE, NETWORKS_FILE } = values
  const issuers_file = ISSUERS_FILE === undefined ? null : resolve(ISSUERS_FILE)
  const network = networkOf(values)
  const usual = { network, ...issuerOf(values) }
  const issuers = readIssuers({ issuers_file, ...usual }, faults)
  const networks_file = NETWORKS_FILE === undefined ? null : resolve(NETWORKS_FILE)
  const networks = readNetworks({ networks_file, network }, faults)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  const { HOST: host, PORT: port } = values
  const tls = filesOf(values.TLS_CERT, values.TLS_KEY)
  const named = new Set(values.ROLES)
  const public_url = withoutSlashes(
    URL.parse(values.PUBLIC_URL ?? '')?.href ?? ownUrl({ tls, host, port }),
  )
  return Object.freeze({
    mode: values.MODE,
    database_url: secretOf(values.DATABASE_URL),
    database_connections: values.DATABASE_CONNECTIONS,
    database_role: values.DATABASE_ROLE,
    data_dir: resolve(values.DATA_DIR),
    host,
    port,
    tls,
    admin: adminOf(values),
    ...usual,
    adapters,
    issuer_address: Object.freeze(
      addressOf(values.ISSUER_ADDRESS ?? '') ?? networkAddress({ network }),
    ),
    issuers_file,
    issuers,
    networks,
    ...{ issuer_tls: issuerTlsOf(values), issuer_acs: issuerAcsOf(values) },
    roles: Object.freeze(ROLES.filter((role) => named.has(role))),
    ...wrapperOf(values),
    public_url,
    operator_name: values.OPERATOR_NAME,
    sign_up: values.PORTAL_SIGN_UP ?? (values.MODE === 'sandbox' ? 'open' : 'invited'),
    log_level: values.LOG_LEVEL,
    tracing: tracingOf(values),
    wire_log: (values.WIRE_LOG ?? (values.MODE === 'sandbox' ? 'on' : 'off')) === 'on',
    kept_days: Object.freeze({
      transactions: values.TRANSACTIONS_KEPT_DAYS ?? null,
      events: values.EVENTS_KEPT_DAYS,
      deliveries: values.DELIVERIES_KEPT_DAYS,
      messages: values.MESSAGES_KEPT_DAYS,
    }),
    screening: screeningOf(values),
    hosts: Object.freeze([
      new URL(public_url).hostname,
      ...values.ALLOWED_HOSTS.filter((entry) => entry !== ''),
    ]),
    trusted_proxies: Object.freeze(values.TRUSTED_PROXIES.filter((entry) => entry !== '')),
    storage: storageOf(values),
  })
}

const secretOf = (text: string | undefined): Secret | null =>
  text === undefined ? null : new Secret(text)

const screeningOf = (values: Values): Config['screening'] =>
  Object.freeze({
    every_days: values.SCREENING_EVERY_DAYS ?? null,
    a_minute: values.SCREENING_A_MINUTE,
  })

function adminOf({ ADMIN_HOST: host = '127.0.0.1', ADMIN_PORT: port }: Values): Address | null {
  return port === undefined ? null : Object.freeze({ host, port })
}

function networkOf(values: Values): NetworkConfig {
  const { HOST, NETWORK_HOST: configured = HOST, NETWORK_ALLOW: allow = null } = values
  const confined = values.MODE === 'live' && allow === null && !isLoopback(configured)
  const loopback = configured.includes(':') ? '::1' : '127.0.0.1'
  const files = filesOf(values.NETWORK_TLS_CERT, values.NETWORK_TLS_KEY)
  const ca = values.NETWORK_TLS_CA
  return Object.freeze({
    host: confined ? loopback : configured,
    port: values.NETWORK_PORT,
    dialect: values.NETWORK_DIALECT,
    header: values.NETWORK_HEADER,
    allow: allow && Object.freeze(allow),
    confined,
    tls: files && Object.freeze({ ...files, ca: ca === undefined ? null : resolve(ca) }),
    connections: values.NETWORK_CONNECTIONS,
    connections_per_address: values.NETWORK_CONNECTIONS_PER_ADDRESS,
  })
}

const issuerOf = (values: Values) => ({
  issuer_connections: values.ISSUER_CONNECTIONS,
  issuer_clearing: values.ISSUER_CLEARING,
})

function issuerTlsOf(values: Values): Config['issuer_tls'] {
  const ca = values.ISSUER_TLS_CA
  const own = filesOf(values.ISSUER_TLS_CERT, values.ISSUER_TLS_KEY)
  return ca === undefined ? null : Object.freeze({ ca: resolve(ca), own })
}

function issuerAcsOf({ ISSUER_ACS_URL: url, ISSUER_ACS_KEY }: Values): Config['issuer_acs'] {
  const key = secretOf(ISSUER_ACS_KEY)
  return url === undefined || key === null ? null : Object.freeze({ url: withoutSlashes(url), key })
}

const filesOf = (cert: string | undefined, key: string | undefined): TlsFiles | null =>
  cert === undefined || key === undefined
    ? null
    : Object.freeze({ cert: resolve(cert), key: resolve(key) })

export function wrapperOf(values: KeyValues): WrapperConfig {
  const { MASTER_KEY, KMS_URL, KMS_KEY = '', KMS_TOKEN, KMS_TOKEN_FILE = '' } = values
  const token = secretOf(KMS_TOKEN) ?? { file: KMS_TOKEN_FILE }
  return {
    master_key: secretOf(MASTER_KEY?.toLowerCase()),
    kms:
      KMS_URL === undefined
        ? null
        : Object.freeze({ url: withoutSlashes(KMS_URL), key: KMS_KEY, token }),
  }
}

function storageOf(values: Values): StorageConfig {
  const { BLOB_STORE_URL, BLOB_STORE_ACCESS_KEY, BLOB_STORE_SECRET_KEY } = values
  const bucket = {
    url: withoutSlashes(BLOB_STORE_URL ?? ''),
    region: values.BLOB_STORE_REGION,
    access_key: BLOB_STORE_ACCESS_KEY ?? '',
    secret_key: new Secret(BLOB_STORE_SECRET_KEY ?? ''),
  }
  return Object.freeze({
    bucket: BLOB_STORE_URL === undefined ? null : Object.freeze(bucket),
  })
}

/**
 * The configuration after listening: the real port in place of a port 0, also in the issuer's
 * address and the public URL as far as these followed from the port.
 */
export function withBoundPorts(
  config: Config,
  bound: { port: number; network_port: number; admin_port?: number | undefined },
): Config {
  const issuer = config.issuer_address
  const { admin } = config
  const own = { ...config, port: bound.port }
  const followsPort = config.public_url === ownUrl(config)
  return Object.freeze({
    ...own,
    admin: admin && Object.freeze({ ...admin, port: bound.admin_port ?? admin.port }),
    network: Object.freeze({ ...config.network, port: bound.network_port }),
    issuer_address:
      issuer.port === 0 ? Object.freeze({ ...issuer, port: bound.network_port }) : issuer,
    public_url: followsPort ? ownUrl(own) : config.public_url,
  })
}

/** The local address of the program's HTTP port. */
export function localAddress(config: Config): { host: string; base_url: string } {
  return { host: reachableHost(config.host), base_url: ownUrl(config) }
}

/** Addresses of this machine that have the name `localhost` too. */
const LOCALHOST = /^(127\.0\.0\.1|\[?::1\]?)$/

/**
 * The local address for a browser. Passkeys belong to a name and never to an address of numbers
 * (D-972); with TLS it is as configured, since a certificate may have that address alone.
 */
export function browserUrl(config: Pick<Config, 'tls' | 'host' | 'port'>): string {
  const isNamed = config.tls === null && LOCALHOST.test(reachableHost(config.host))
  return ownUrl(isNamed ? { ...config, host: 'localhost' } : config)
}

/** The address of this process's health, on this machine. */
export function healthUrl(config: Config): string {
  return ownUrl(config.admin ? { ...config.admin, tls: null } : config)
}

/** The local address of the network port. */
export function networkAddress({ network }: Pick<Config, 'network'>): Address {
  return { host: reachableHost(network.host), port: network.port }
}

/** Whether the merchant side's messages go to the network port of this process. */
export function isOwnIssuer(config: Config): boolean {
  return config.roles.includes('network') && isOwnAddress(config)
}

/** Whether the issuer is at the network port of this configuration, in this process or another. */
export function isOwnAddress(config: Config): boolean {
  const own = networkAddress(config)
  const { host, port } = config.issuer_address
  return port === own.port && (host === own.host || (isLoopback(host) && isLoopback(own.host)))
}

function ownUrl({ tls, host, port }: Pick<Config, 'tls' | 'host' | 'port'>): string {
  const reached = reachableHost(host)
  const scheme = tls === null ? 'http' : 'https'
  return `${scheme}://${reached.includes(':') ? `[${reached}]` : reached}:${port}`
}
