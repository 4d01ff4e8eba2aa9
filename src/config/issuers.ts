/** The issuers of ISSUERS_FILE, beside the default one of ISSUER_ADDRESS (D-761). */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Static, Type } from 'typebox'
import { createAjv } from '#kit/http/schema.ts'
import { type Address, addressOf, isGuardedUrl, withoutSlashes } from '#kit/settings/shapes.ts'
import { type Values, Variables } from './variables.ts'

/** The issuer that gets the payments of a merchant which names it. */
export type NamedIssuer = Readonly<{
  name: string
  address: Address
  dialect: Values['NETWORK_DIALECT']
  header: Values['NETWORK_HEADER']
  connections: number
  /** How captures and refunds reach it (D-1047). */
  clearing: Values['ISSUER_CLEARING']
  /** Null: plain. Absolute paths; `own` is the client certificate, if there is one. */
  tls: Readonly<{ ca: string; own: Readonly<{ cert: string; key: string }> | null }> | null
  /** Its access control server, and the absolute path of the file with the key for it. */
  acs: Readonly<{ url: string; key_file: string }> | null
}>

const ISSUERS_MAX = 100
const BYTES_MAX = 100_000
/** The name of the default issuer in metrics and sentences. */
const RESERVED = 'default'

/**
 * A member that is left out is as for the default issuer, and not as for a variable that is left
 * out.
 */
const { NETWORK_DIALECT, NETWORK_HEADER, ISSUER_CONNECTIONS, ISSUER_CLEARING } =
  Variables.properties
const dialect = Type.Unsafe<Values['NETWORK_DIALECT']>({ ...NETWORK_DIALECT, default: undefined })
const header = Type.Unsafe<Values['NETWORK_HEADER']>({ ...NETWORK_HEADER, default: undefined })
const connections = Type.Unsafe<number>({ ...ISSUER_CONNECTIONS, default: undefined })
const clearing = Type.Unsafe<Values['ISSUER_CLEARING']>({ ...ISSUER_CLEARING, default: undefined })
const strict = { additionalProperties: false }
const path = Type.String({ minLength: 1, maxLength: 4_096 })
const Entry = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }),
    address: Type.String({ maxLength: 300 }),
    dialect: Type.Optional(dialect),
    header: Type.Optional(header),
    connections: Type.Optional(connections),
    clearing: Type.Optional(clearing),
    tls: Type.Optional(
      Type.Object({ ca: path, cert: Type.Optional(path), key: Type.Optional(path) }, strict),
    ),
    acs: Type.Optional(
      Type.Object({ url: Type.String({ maxLength: 2_000 }), key_file: path }, strict),
    ),
  },
  strict,
)
type Entry = Static<typeof Entry>

/** Each member of an entry, in the words of a fault. */
const WORDS: Readonly<Record<string, string>> = {
  '':
    'must have name and address, and may have dialect, header, connections, clearing, tls ' +
    'and acs',
  '/name': 'has a wrong name: up to 32 lower-case letters, digits and hyphens, a letter first',
  '/address': 'has a wrong address: write it as issuer.example:8583',
  '/dialect': 'has a wrong dialect: choose one of NETWORK_DIALECT',
  '/header': 'has a wrong header: choose one of NETWORK_HEADER',
  '/connections': 'has wrong connections: a whole number from 1 to 10',
  '/clearing': 'has a wrong clearing: choose advice or file',
  '/tls': 'has wrong tls: ca, the path of a PEM file, and both of cert and key or neither',
  '/acs':
    'has wrong acs: url, https or on this host, and key_file, the path of a file with its key',
}

const isEntry = createAjv(false).addKeyword('remedy').compile<Entry>(Entry)

/** The path of the file, null for none, and the defaults of an issuer. */
export type IssuersSource = Readonly<{
  issuers_file: string | null
  network: Pick<NamedIssuer, 'dialect' | 'header'>
  issuer_connections: number
  issuer_clearing: NamedIssuer['clearing']
}>

/** Every fault is a line; none repeats the file. */
export function readIssuers(
  source: IssuersSource,
  faults: string[],
): ReadonlyMap<string, NamedIssuer> {
  const issuers = new Map<string, NamedIssuer>()
  if (source.issuers_file === null) return issuers
  const entries = entriesIn(source.issuers_file, faults)
  for (const [at, entry] of entries.entries()) {
    const issuer = issuerOf(entry, source)
    const fault = typeof issuer === 'string' ? issuer : nameFault(issuer, issuers)
    if (fault !== undefined) faults.push(`ISSUERS_FILE: issuer ${at + 1} ${fault}`)
    else if (typeof issuer !== 'string') issuers.set(issuer.name, issuer)
  }
  return issuers
}

function entriesIn(file: string, faults: string[]): readonly unknown[] {
  const wrong = (what: string): [] => {
    faults.push(`ISSUERS_FILE ${what}: let it be a JSON array of at most ${ISSUERS_MAX} issuers`)
    return []
  }
  try {
    const bytes = readFileSync(file)
    if (bytes.length > BYTES_MAX) return wrong(`has more than ${BYTES_MAX} bytes`)
    const entries: unknown = JSON.parse(bytes.toString('utf8'))
    return Array.isArray(entries) && entries.length <= ISSUERS_MAX
      ? entries
      : wrong('is no such array')
  } catch (error) {
    if (error instanceof SyntaxError) return wrong('is no JSON')
    const reason = error instanceof Error && 'code' in error ? error.code : 'no text'
    faults.push(`ISSUERS_FILE cannot be read (${reason}): let this account read the file`)
    return []
  }
}

/** The fault of an entry, or the issuer. */
function issuerOf(entry: unknown, source: IssuersSource): NamedIssuer | string {
  if (!isEntry(entry)) {
    const [, member = ''] = /^(\/[a-z]+)/.exec(isEntry.errors?.[0]?.instancePath ?? '') ?? []
    return WORDS[member] ?? WORDS[''] ?? ''
  }
  const { name, tls } = entry
  const address = addressOf(entry.address)
  if (!address) return WORDS['/address'] ?? ''
  if ((tls?.cert === undefined) !== (tls?.key === undefined)) return WORDS['/tls'] ?? ''
  const { acs } = entry
  if (acs && !isGuardedUrl(acs.url)) return WORDS['/acs'] ?? ''
  const own =
    tls?.cert === undefined || tls.key === undefined
      ? null
      : Object.freeze({ cert: resolve(tls.cert), key: resolve(tls.key) })
  return Object.freeze({
    name,
    address: Object.freeze(address),
    dialect: entry.dialect ?? source.network.dialect,
    header: entry.header ?? source.network.header,
    connections: entry.connections ?? source.issuer_connections,
    clearing: entry.clearing ?? source.issuer_clearing,
    tls: tls ? Object.freeze({ ca: resolve(tls.ca), own }) : null,
    acs: acs
      ? Object.freeze({ url: withoutSlashes(acs.url), key_file: resolve(acs.key_file) })
      : null,
  })
}

function nameFault(
  { name }: NamedIssuer,
  others: ReadonlyMap<string, NamedIssuer>,
): string | undefined {
  if (name === RESERVED) return 'has the name default, which is that of ISSUER_ADDRESS'
  return others.has(name) ? 'has the name of another one' : undefined
}
