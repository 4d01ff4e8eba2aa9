/** The networks of NETWORKS_FILE, in place of the one of NETWORK_PORT (D-1030). */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import { codeMapNames } from '#iso8583/codes.ts'
import { type EnvelopeName, envelopeNames } from '#iso8583/envelope.ts'
import { headerNames } from '#iso8583/framing.ts'
import { createAjv } from '#kit/http/schema.ts'
import { hostKeyOf, isHostKey, type SftpAddress, sftpAddressOf } from '#kit/settings/sftp.ts'
import { type Address, addressOf } from '#kit/settings/shapes.ts'
import { isId } from '#lib/id.ts'
import { type MacMethod, macAlgorithms, macPaddings } from '#mac/mac.ts'
import type { Values } from './variables.ts'

const strict = { additionalProperties: false }
const literals = <const Name extends string | number>(names: readonly Name[]) =>
  Type.Unsafe<Name>({ enum: names })
const whole = (minimum: number, maximum: number) => Type.Integer({ minimum, maximum })

const Clearing = Type.Object(
  {
    folder: Type.Optional(Type.String({ pattern: '^/', maxLength: 4_096 })),
    sftp: Type.Optional(Type.String({ maxLength: 4_096 })),
    host_key: Type.Optional(Type.String({ maxLength: 100 })),
    key_file: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
    password_file: Type.Optional(Type.String({ minLength: 1, maxLength: 4_096 })),
    tenant_id: Type.Optional(Type.String({ maxLength: 36 })),
    look_s: Type.Optional(whole(1, 3_600)),
  },
  strict,
)

const Entry = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
    role: literals(['listen', 'connect']),
    addresses: Type.Array(Type.String({ maxLength: 300 }), { minItems: 1, maxItems: 10 }),
    dialect: Type.Optional(literals(['ascii', 'bcd', 'ascii_binary_bitmap', 'ebcdic'])),
    header: Type.Optional(literals(headerNames)),
    envelope: Type.Optional(literals(envelopeNames)),
    sign_on: Type.Optional(literals(['us', 'peer'])),
    institution: Type.Optional(Type.String({ pattern: '^[0-9]{1,11}$' })),
    echo_s: Type.Optional(whole(1, 3_600)),
    deadline_ms: Type.Optional(whole(100, 4_000)),
    codes: Type.Optional(literals(codeMapNames)),
    billing: Type.Optional(literals(['scheme', 'own'])),
    track2_fill: Type.Optional(literals(['left_zero', 'right_f'])),
    bins: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9]{4,11}$' }), { minItems: 1, maxItems: 1_000 }),
    ),
    allow: Type.Optional(Type.Array(Type.String({ maxLength: 60 }), { maxItems: 1_000 })),
    connections: Type.Optional(whole(1, 10_000)),
    connections_per_address: Type.Optional(whole(1, 10_000)),
    mac: Type.Optional(
      Type.Object(
        {
          required: Type.Boolean(),
          algorithm: literals(macAlgorithms),
          padding: Type.Optional(literals(macPaddings)),
        },
        strict,
      ),
    ),
    keys: Type.Optional(
      Type.Object({ zmk_file: Type.String({ minLength: 1, maxLength: 4_096 }) }, strict),
    ),
    clearing: Type.Optional(Clearing),
  },
  strict,
)
type Entry = Static<typeof Entry>

/** The place in which clearing files appear; secrets are in files, which are read at each look. */
export type ClearingPlace = Readonly<{
  place:
    | { folder: string }
    | { sftp: SftpAddress; host_key: string; secret: 'key' | 'password'; secret_file: string }
  tenant_id: string | null
  look_s: number
}>

/** One network, with the values of what its entry leaves out. */
export type NamedNetwork = Readonly<{
  name: string
  role: 'listen' | 'connect'
  /** The one to listen at, or those to connect to. */
  addresses: readonly Address[]
  dialect: Values['NETWORK_DIALECT']
  header: (typeof headerNames)[number]
  envelope: EnvelopeName
  sign_on: 'us' | 'peer'
  /** DE33 of messages that begin here. */
  institution: string
  echo_s: number
  deadline_ms: number
  codes: (typeof codeMapNames)[number]
  billing: 'scheme' | 'own'
  track2_fill: 'left_zero' | 'right_f'
  /** The beginnings of card numbers that it may send; null: all. */
  bins: readonly string[] | null
  allow: readonly string[] | null
  connections: number
  connections_per_address: number
  mac: Readonly<{ required: boolean; method: MacMethod }> | null
  /** The file with the zone master key in hex, under which other keys come; absolute. */
  zmk_file: string | null
  clearing: ClearingPlace | null
}>

const NETWORKS_MAX = 50
const BYTES_MAX = 200_000

/** Each member of an entry, in the words of a fault. */
const WORDS: Readonly<Record<string, string>> = {
  '': 'must have name, role and addresses, and only the members of docs/networks.md',
  '/name': 'has a wrong name: up to 32 lower-case letters, digits and hyphens, a letter first',
  '/role': 'has a wrong role: listen or connect',
  '/addresses': 'has wrong addresses: a list such as ["scheme.example:8583"], one for listen',
  '/dialect': 'has a wrong dialect: choose one of NETWORK_DIALECT',
  '/header': `has a wrong header: choose one of ${headerNames.join(', ')}`,
  '/envelope': `has a wrong envelope: choose one of ${envelopeNames.join(', ')}`,
  '/sign_on': 'has a wrong sign_on: us or peer',
  '/institution': 'has a wrong institution: 1 to 11 digits',
  '/echo_s': 'has a wrong echo_s: 1 to 3600 seconds',
  '/deadline_ms': 'has a wrong deadline_ms: 100 to 4000 milliseconds',
  '/codes': `has wrong codes: choose one of ${codeMapNames.join(', ')}`,
  '/billing': 'has a wrong billing: scheme or own',
  '/track2_fill': 'has a wrong track2_fill: left_zero or right_f',
  '/bins': 'has wrong bins: a list of 4 to 11 digits each',
  '/allow': 'has wrong allow: a list of addresses and CIDR blocks',
  '/connections': 'has wrong connections: a whole number from 1 to 10000',
  '/connections_per_address': 'has wrong connections_per_address: a whole number from 1 to 10000',
  '/mac': `has a wrong mac: required, algorithm of ${macAlgorithms.join(', ')}, and padding 1 or 2`,
  '/clearing':
    'has wrong clearing: folder, or sftp with host_key and either key_file or password_file',
  '/keys': 'has wrong keys: zmk_file, the path of a file with the zone master key in hex',
}

const isEntry = createAjv(false).compile<Entry>(Entry)

export type NetworksSource = Readonly<{
  networks_file: string | null
  network: Readonly<{
    dialect: Values['NETWORK_DIALECT']
    header: Values['NETWORK_HEADER']
    port: number
    allow: readonly string[] | null
    connections: number
    connections_per_address: number
  }>
}>

/** Null without a file. Every fault is a line; none repeats the file. */
export function readNetworks(
  source: NetworksSource,
  faults: string[],
): readonly NamedNetwork[] | null {
  if (source.networks_file === null) return null
  const networks: NamedNetwork[] = []
  for (const [at, entry] of entriesIn(source.networks_file, faults).entries()) {
    const network = networkOf(entry, source)
    const { port } = source.network
    const fault = typeof network === 'string' ? network : faultBetween(network, networks, port)
    if (fault !== undefined) faults.push(`NETWORKS_FILE: network ${at + 1} ${fault}`)
    else if (typeof network !== 'string') networks.push(network)
  }
  return Object.freeze(networks)
}

function entriesIn(file: string, faults: string[]): readonly unknown[] {
  const wrong = (what: string): [] => {
    faults.push(`NETWORKS_FILE ${what}: let it be a JSON array of at most ${NETWORKS_MAX} networks`)
    return []
  }
  try {
    const bytes = readFileSync(file)
    if (bytes.length > BYTES_MAX) return wrong(`has more than ${BYTES_MAX} bytes`)
    const entries: unknown = JSON.parse(bytes.toString('utf8'))
    return Array.isArray(entries) && entries.length <= NETWORKS_MAX
      ? entries
      : wrong('is no such array')
  } catch (error) {
    if (error instanceof SyntaxError) return wrong('is no JSON')
    const reason = error instanceof Error && 'code' in error ? error.code : 'no text'
    faults.push(`NETWORKS_FILE cannot be read (${reason}): let this account read the file`)
    return []
  }
}

/** The fault of an entry, or the network. */
function networkOf(entry: unknown, { network: usual }: NetworksSource): NamedNetwork | string {
  if (!isEntry(entry)) {
    const [, member = ''] = /^(\/[a-z0-9_]+)/.exec(isEntry.errors?.[0]?.instancePath ?? '') ?? []
    return WORDS[member] ?? WORDS[''] ?? ''
  }
  const { role, mac, keys } = entry
  const addresses = entry.addresses.flatMap((text) => addressOf(text) ?? [])
  const fits = addresses.length === entry.addresses.length
  if (!fits || (role === 'listen' && addresses.length > 1)) return WORDS['/addresses'] ?? ''
  const clearing = entry.clearing ? placeOf(entry.clearing) : null
  if (typeof clearing === 'string') return clearing
  if (mac && !keys) return 'has mac and no keys: the keys of its codes come under a zone master key'
  return Object.freeze({
    name: entry.name,
    role,
    addresses: Object.freeze(addresses),
    dialect: entry.dialect ?? usual.dialect,
    header: entry.header ?? usual.header,
    envelope: entry.envelope ?? 'none',
    sign_on: entry.sign_on ?? (role === 'connect' ? 'us' : 'peer'),
    institution: entry.institution ?? '0',
    echo_s: entry.echo_s ?? 30,
    deadline_ms: entry.deadline_ms ?? 1_500,
    codes: entry.codes ?? 'generic',
    billing: entry.billing ?? 'own',
    track2_fill: entry.track2_fill ?? 'left_zero',
    bins: entry.bins ?? null,
    allow: entry.allow ?? usual.allow,
    connections: entry.connections ?? usual.connections,
    connections_per_address: entry.connections_per_address ?? usual.connections_per_address,
    mac: mac
      ? { required: mac.required, method: { algorithm: mac.algorithm, padding: mac.padding ?? 2 } }
      : null,
    zmk_file: keys ? resolve(keys.zmk_file) : null,
    clearing,
  })
}

const LOOK_S = 60

/** The place of clearing files, or its fault. */
function placeOf(given: Static<typeof Clearing>): ClearingPlace | string {
  const { folder, sftp, host_key, key_file, password_file } = given
  const { tenant_id = null, look_s = LOOK_S } = given
  if (tenant_id !== null && !isId(tenant_id)) return 'has clearing whose tenant_id is no id'
  const wrong = WORDS['/clearing'] ?? ''
  if (folder !== undefined) {
    const others = [sftp, host_key, key_file, password_file]
    if (others.some((one) => one !== undefined)) return wrong
    return Object.freeze({ place: { folder }, tenant_id, look_s })
  }
  const address = sftpAddressOf(sftp ?? '')
  if (address === undefined || host_key === undefined || !isHostKey(host_key)) return wrong
  const secret_file = key_file ?? password_file
  if (secret_file === undefined || (key_file && password_file)) return wrong
  const secret = key_file === undefined ? 'password' : 'key'
  const server = { sftp: address, host_key: hostKeyOf(host_key) } as const
  const place = { ...server, secret, secret_file: resolve(secret_file) } as const
  return Object.freeze({ place, tenant_id, look_s })
}

function faultBetween(
  network: NamedNetwork,
  others: readonly NamedNetwork[],
  port: number,
): string | undefined {
  if (others.some(({ name }) => name === network.name)) return 'has the name of another one'
  const [own] = network.addresses
  if (network.role === 'listen' && own?.port === port) {
    return 'listens at NETWORK_PORT, which is for the payments of this program: use another port'
  }
  const isTaken = others.some(
    ({ role, addresses: [one] }) =>
      role === 'listen' &&
      network.role === 'listen' &&
      own &&
      one?.port === own.port &&
      own.port > 0,
  )
  return isTaken ? 'listens at the port of another one' : undefined
}
