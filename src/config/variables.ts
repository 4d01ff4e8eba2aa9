/**
 * Every environment variable with its shape, default and bounds, but for those of adapters, which
 * have tables of their own. Variables that demand something of each other: rules.ts.
 */

import { type Static, Type } from 'typebox'
import { USUAL_ROLE } from '#kit/db/security/program_role.ts'
import { isNetwork } from '#kit/net/networks.ts'
import { Choice, Hidden, isAddress, leftOut, Shaped, Text, Whole } from '#kit/settings/kinds.ts'
import {
  isBucketUrl,
  isDatabaseUrl,
  isGuardedUrl,
  isHostName,
  isPlainUrl,
  isProxy,
} from '#kit/settings/shapes.ts'
import { TracingVariables } from './tracing.ts'

export const ROLES = ['api', 'network', 'worker'] as const
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
/** With fewer than 8 connections, requests have none beside the engine's own (D-132). */
const DATABASE_CONNECTIONS = { minimum: 8, maximum: 1_000, default: 25 }
const PORT_MAX = 65_535
const CONNECTIONS_MAX = 10_000
/** Below what the network port accepts of one address, for a second process. */
const ISSUER_CONNECTIONS_MAX = 10
const NETWORKS_MAX = 1_000
const KEPT_DAYS_MAX = 36_500
const KEPT_DAYS = 90
/** The days for which a message is looked up as the original of a repeat. */
const MESSAGES_LEAST_DAYS = 31
/** A setting of a tenant lets a hold last a year, and the rest of it after a clearing another. */
const TRANSACTIONS_LEAST_DAYS = 731
/** The usual schedule of attempts ends within three days, and `:recover` needs some time. */
const EVENTS_LEAST_DAYS = 14

const SCREENING_DAYS_MAX = 366
const SCREENING_A_MINUTE_MAX = 600

const Port = (usual: number) => Whole({ minimum: 0, maximum: PORT_MAX, default: usual })
const Connections = (usual: number) =>
  Whole({ minimum: 1, maximum: CONNECTIONS_MAX, default: usual })

const KeptDays = (minimum: number) => Whole({ minimum, maximum: KEPT_DAYS_MAX, default: KEPT_DAYS })

const Host = (usual: string) => ({
  pattern: '^[\\w.:-]{1,253}$',
  description: 'a host name or address',
  remedy: leftOut(usual),
})

/** The variables of the wrapper of the data keys, also with `_NEW` behind their names. */
export const KeyVariables = Type.Object({
  /** Its strength is checked in rules.ts. */
  MASTER_KEY: Hidden,
  KMS_URL: Shaped(isPlainUrl, {
    description: 'an http or https address without user, query or fragment',
    remedy: 'change it',
    writeOnly: true,
  }),
  KMS_KEY: Type.Optional(
    Type.String({
      pattern: '^[\\w.-]{1,128}$',
      description: 'the name of a transit key',
      remedy: 'set it, or leave out every KMS_ variable',
      writeOnly: true,
    }),
  ),
  KMS_TOKEN: Hidden,
  KMS_TOKEN_FILE: Text,
})

export const Variables = Type.Object({
  MODE: Choice(['sandbox', 'live'], 'sandbox'),
  DATABASE_URL: Shaped(isDatabaseUrl, {
    description: 'an address of PostgreSQL',
    remedy:
      'write postgresql://user:password@host:5432/database (a special character of the password ' +
      'as %-code; a primary and its standbys as one:5432,two:5432), or leave it out for the ' +
      'embedded one',
    writeOnly: true,
    inFile: true,
  }),
  DATABASE_CONNECTIONS: Whole(DATABASE_CONNECTIONS),
  DATABASE_ROLE: Type.String({
    default: USUAL_ROLE,
    pattern: '^[a-z_][a-z0-9_]{0,62}$',
    description: 'up to 63 lower-case letters, digits and underscores, no digit first',
    remedy: leftOut(USUAL_ROLE),
  }),
  DATA_DIR: Type.String({ default: './data' }),
  HOST: Type.String({ ...Host('127.0.0.1'), default: '127.0.0.1' }),
  PORT: Port(8080),
  TLS_CERT: Text,
  TLS_KEY: Text,
  ADMIN_HOST: Type.Optional(Type.String(Host('127.0.0.1'))),
  ADMIN_PORT: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: PORT_MAX,
      description: `a whole number from 0 to ${PORT_MAX}`,
      remedy: 'change it or leave it out to serve health at PORT',
    }),
  ),
  NETWORK_HOST: Type.Optional(Type.String(Host('HOST'))),
  NETWORK_PORT: Port(8583),
  NETWORK_DIALECT: Choice(['ascii', 'bcd', 'ascii_binary_bitmap', 'ebcdic'], 'ascii'),
  NETWORK_HEADER: Choice(['binary2', 'ascii4'], 'binary2'),
  NETWORKS_FILE: Text,
  NETWORK_ALLOW: Type.Optional(
    Type.Array(Type.String({ isRight: isNetwork }), {
      maxItems: NETWORKS_MAX,
      description:
        `at most ${NETWORKS_MAX} addresses and CIDR blocks with commas between, as ` +
        '192.0.2.7,10.0.0.0/8',
      remedy: 'change it',
    }),
  ),
  NETWORK_TLS_CERT: Text,
  NETWORK_TLS_KEY: Text,
  NETWORK_TLS_CA: Text,
  NETWORK_CONNECTIONS: Connections(100),
  NETWORK_CONNECTIONS_PER_ADDRESS: Connections(20),
  ISSUER_ADDRESS: Shaped(isAddress, {
    description: 'host:port, as issuer.example:8583',
    remedy: 'change it or leave it out for this program’s own network port',
  }),
  ISSUER_CONNECTIONS: Whole({ minimum: 1, maximum: ISSUER_CONNECTIONS_MAX, default: 2 }),
  ISSUER_CLEARING: Choice(['advice', 'file'], 'advice'),
  ISSUERS_FILE: Text,
  ISSUER_TLS_CA: Text,
  ISSUER_TLS_CERT: Text,
  ISSUER_TLS_KEY: Text,
  ISSUER_ACS_URL: Shaped(isGuardedUrl, {
    description: 'an https address, or an http one on this host, without user, query or fragment',
    remedy: 'write it as https://cards.example, or leave it out: then no payment page asks',
    writeOnly: true,
  }),
  ISSUER_ACS_KEY: Hidden,
  ROLES: Type.Array(Type.Unsafe<(typeof ROLES)[number]>({ type: 'string', enum: ROLES }), {
    default: ROLES,
    description: `of ${ROLES.join(', ')}, with commas between`,
    remedy: 'list what this process does, or leave it out for all',
  }),
  ...KeyVariables.properties,
  PUBLIC_URL: Shaped(isPlainUrl, {
    description: 'an http or https address without user, query or fragment',
    remedy: 'write it as https://cards.example or leave it out for the address of HOST and PORT',
    writeOnly: true,
  }),
  OPERATOR_NAME: Type.String({
    default: 'bezant',
    pattern: '^[a-z][a-z0-9-]{0,31}$',
    description: 'up to 32 lower-case letters, digits and hyphens, a letter first',
    remedy: leftOut('bezant'),
  }),
  PORTAL_SIGN_UP: Type.Optional(
    Type.Unsafe<'open' | 'invited'>({
      type: 'string',
      enum: ['open', 'invited'],
      description: 'open or invited',
      remedy: 'choose one or leave it out for open in sandbox and invited in live',
    }),
  ),
  TRANSACTIONS_KEPT_DAYS: Type.Optional(
    Type.Integer({
      minimum: TRANSACTIONS_LEAST_DAYS,
      maximum: KEPT_DAYS_MAX,
      description: `a whole number from ${TRANSACTIONS_LEAST_DAYS} to ${KEPT_DAYS_MAX}`,
      remedy: 'change it or leave it out to keep all transactions',
    }),
  ),
  EVENTS_KEPT_DAYS: KeptDays(EVENTS_LEAST_DAYS),
  DELIVERIES_KEPT_DAYS: KeptDays(EVENTS_LEAST_DAYS),
  MESSAGES_KEPT_DAYS: KeptDays(MESSAGES_LEAST_DAYS),
  SCREENING_EVERY_DAYS: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: SCREENING_DAYS_MAX,
      description: `a whole number from 1 to ${SCREENING_DAYS_MAX}`,
      remedy: 'change it or leave it out to check nobody again',
    }),
  ),
  SCREENING_A_MINUTE: Whole({ minimum: 1, maximum: SCREENING_A_MINUTE_MAX, default: 60 }),
  WIRE_LOG: Type.Optional(
    Type.Unsafe<'on' | 'off'>({
      type: 'string',
      enum: ['on', 'off'],
      description: 'on or off',
      remedy: 'choose one or leave it out for on in sandbox and off in live',
    }),
  ),
  LOG_LEVEL: Choice(LOG_LEVELS, 'info'),
  ...TracingVariables.properties,
  ALLOWED_HOSTS: Type.Array(
    Type.String({ isRight: (entry: string) => entry === '' || isHostName(entry) }),
    {
      default: [],
      description: 'names of hosts with commas between, without scheme and port',
      remedy: 'write bezant,cards.example or leave it out for localhost and that of PUBLIC_URL',
    },
  ),
  TRUSTED_PROXIES: Type.Array(
    Type.String({ isRight: (entry: string) => entry === '' || isProxy(entry) }),
    {
      default: [],
      description: 'addresses or CIDR blocks with commas between',
      remedy: 'write 10.0.0.1 or 10.0.0.0/8, or leave it out',
    },
  ),
  BLOB_STORE_URL: Shaped(isBucketUrl, {
    description: 'https://host/bucket without user, query or fragment',
    remedy:
      'write the keys into BLOB_STORE_ACCESS_KEY and BLOB_STORE_SECRET_KEY, or leave it out for ' +
      'the folder DATA_DIR/files',
    writeOnly: true,
  }),
  BLOB_STORE_REGION: Type.String({ default: 'us-east-1' }),
  BLOB_STORE_ACCESS_KEY: Hidden,
  BLOB_STORE_SECRET_KEY: Hidden,
})

export type KeyValues = Static<typeof KeyVariables>
export type Values = Static<typeof Variables>
