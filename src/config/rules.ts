/** The demands of variables on each other. Pure: their values in, a line for every fault out. */

import { UNREAD } from '#kit/settings/read.ts'
import { isLoopback } from '#kit/settings/shapes.ts'
import { weaknessOfKey } from '#lib/key_strength.ts'
import type { KeyValues, Values } from './variables.ts'

/** No line repeats a secret. */
export function faultsBetween(values: Values): string[] {
  return [
    ...faultsOfTls(values),
    ...faultsOfAdmin(values),
    ...faultsOfNetwork(values),
    ...faultsOfIssuerTls(values),
    ...faultsOfPair(values, 'ISSUER_ACS_URL', 'ISSUER_ACS_KEY'),
    ...faultsOfKeys(values, { live: values.MODE === 'live' }),
    ...faultsOfStorage(values),
    ...faultsOfRetention(values),
  ]
}

const when = (isFault: boolean, line: string): string[] => (isFault ? [line] : [])
const isSet = (value: unknown): boolean => value !== undefined

/** Two variables that are set together or not at all. */
function faultsOfPair(values: Values, one: keyof Values, other: keyof Values): string[] {
  if (isSet(values[one]) === isSet(values[other])) return []
  const [set, missing] = isSet(values[one]) ? [one, other] : [other, one]
  return [`${set} is set and ${missing} is not: set both, or leave both out`]
}

/** Plain HTTP in live needs a proxy before it that has TLS, or a client on this machine (D-145). */
function faultsOfTls(values: Values): string[] {
  const { MODE, HOST, TLS_CERT, TLS_KEY, TRUSTED_PROXIES, PUBLIC_URL } = values
  const isPlain = !isSet(TLS_CERT) && !isSet(TLS_KEY)
  const isNear = isLoopback(HOST) || TRUSTED_PROXIES.some((entry) => entry !== '')
  return [
    ...faultsOfPair(values, 'TLS_CERT', 'TLS_KEY'),
    ...when(
      MODE === 'live' && isPlain && !isNear,
      `HOST is ${HOST} and MODE is live, where no API is served in plain HTTP: set TLS_CERT and ` +
        'TLS_KEY, or set TRUSTED_PROXIES to the proxies that have TLS before this program',
    ),
    ...when(
      !isPlain && PUBLIC_URL !== undefined && URL.parse(PUBLIC_URL)?.protocol === 'http:',
      'PUBLIC_URL must start with https:// where TLS_CERT is set: change it',
    ),
  ]
}

function faultsOfAdmin({ PORT, NETWORK_PORT, ADMIN_HOST, ADMIN_PORT }: Values): string[] {
  const taken = Object.entries({ PORT, NETWORK_PORT }).find(([, port]) => port === ADMIN_PORT)
  return [
    ...when(
      isSet(ADMIN_HOST) && !isSet(ADMIN_PORT),
      'ADMIN_HOST is set and ADMIN_PORT is not: set both, or leave both out',
    ),
    ...when(
      taken !== undefined && ADMIN_PORT !== 0,
      `ADMIN_PORT is ${ADMIN_PORT} and so is ${taken?.[0]}: give each its own`,
    ),
  ]
}

function faultsOfNetwork(values: Values): string[] {
  const { PORT, NETWORK_PORT, NETWORK_TLS_CERT, NETWORK_TLS_KEY, NETWORK_TLS_CA } = values
  return [
    ...when(
      PORT === NETWORK_PORT && PORT !== 0,
      `NETWORK_PORT is ${PORT} and so is PORT: give each its own`,
    ),
    ...faultsOfPair(values, 'NETWORK_TLS_CERT', 'NETWORK_TLS_KEY'),
    ...when(
      isSet(NETWORK_TLS_CA) && !isSet(NETWORK_TLS_CERT) && !isSet(NETWORK_TLS_KEY),
      'NETWORK_TLS_CA is set and NETWORK_TLS_CERT is not: name the certificate of the port and ' +
        'its key too, or leave all three out',
    ),
  ]
}

function faultsOfIssuerTls(values: Values): string[] {
  const { ISSUER_TLS_CA, ISSUER_TLS_CERT, ISSUER_TLS_KEY } = values
  return [
    ...faultsOfPair(values, 'ISSUER_TLS_CERT', 'ISSUER_TLS_KEY'),
    ...when(
      isSet(ISSUER_TLS_CERT) && isSet(ISSUER_TLS_KEY) && !isSet(ISSUER_TLS_CA),
      'ISSUER_TLS_CERT is set and ISSUER_TLS_CA is not: name the file with the CA of the issuer ' +
        'too, or leave all three out',
    ),
  ]
}

const MAKE_KEY = 'make one with: openssl rand -hex 32'

/** The wrapper of the data keys: MASTER_KEY or a key service (D-281). */
function faultsOfKeys(values: KeyValues, { live }: { live: boolean }): string[] {
  const { MASTER_KEY, KMS_URL } = values
  return [
    ...when(
      live && !isSet(MASTER_KEY) && !isSet(KMS_URL),
      'MASTER_KEY is missing and MODE is live: set the one of this platform, or, for a new ' +
        `platform, ${MAKE_KEY}`,
    ),
    ...when(
      isSet(MASTER_KEY) && isSet(KMS_URL),
      'MASTER_KEY and KMS_URL are both set: keep the one that wraps the data keys of this ' +
        'database (bezant keys rewrap moves them to the other)',
    ),
    ...faultsOfMasterKey(values),
    ...faultsOfKms(values, { live }),
  ]
}

/** The wrapper that the data keys move to: the same variables with `_NEW` behind their names. */
export function faultsOfNewKeys(values: KeyValues, { live }: { live: boolean }): string[] {
  const kms = faultsOfKms(values, { live, suffix: '_NEW' })
  const isOne = isSet(values.MASTER_KEY) !== isSet(values.KMS_URL)
  return [
    ...kms,
    ...when(
      !isOne && kms.length === 0,
      'one of MASTER_KEY_NEW or KMS_URL_NEW must be set, and not both',
    ),
    ...faultsOfMasterKey(values, '_NEW'),
  ]
}

function faultsOfMasterKey({ MASTER_KEY }: KeyValues, suffix = ''): string[] {
  // An unreadable file is a fault of its own.
  const isKnown = MASTER_KEY !== undefined && MASTER_KEY !== UNREAD
  const weakness = isKnown ? weaknessOfKey(MASTER_KEY) : null
  return weakness ? [`MASTER_KEY${suffix} ${weakness}: ${MAKE_KEY}`] : []
}

const NO_KMS = 'or leave out every KMS_ variable'

function faultsOfKms(values: KeyValues, { live, suffix = '' }: { live: boolean; suffix?: string }) {
  const { KMS_URL, KMS_KEY, KMS_TOKEN, KMS_TOKEN_FILE } = values
  if (KMS_URL === undefined) {
    return when(
      [KMS_KEY, KMS_TOKEN, KMS_TOKEN_FILE].some(isSet),
      `KMS_URL${suffix} is missing beside other KMS_ variables: set it, ${NO_KMS}`,
    )
  }
  const url = URL.parse(KMS_URL)
  return [
    ...when(
      live && url?.protocol === 'http:' && !isLoopback(url.hostname),
      `KMS_URL${suffix} must start with https:// where MODE is live: data keys travel to it in ` +
        'clear',
    ),
    ...when(
      !isSet(KMS_KEY),
      `KMS_KEY${suffix} must be the name of a transit key: set it, ${NO_KMS}`,
    ),
    ...when(
      isSet(KMS_TOKEN) === isSet(KMS_TOKEN_FILE),
      `one of KMS_TOKEN${suffix} or KMS_TOKEN_FILE${suffix} must be set, and not both: set one, ` +
        NO_KMS,
    ),
  ]
}

function faultsOfStorage(values: Values): string[] {
  const keys = ['BLOB_STORE_ACCESS_KEY', 'BLOB_STORE_SECRET_KEY'] as const
  const missing = isSet(values.BLOB_STORE_URL) ? keys.filter((name) => !isSet(values[name])) : []
  return missing.map((name) => `${name} is missing beside BLOB_STORE_URL: set it`)
}

/** A delivery is of no use without its event. */
function faultsOfRetention({ EVENTS_KEPT_DAYS, DELIVERIES_KEPT_DAYS }: Values): string[] {
  return when(
    DELIVERIES_KEPT_DAYS > EVENTS_KEPT_DAYS,
    `DELIVERIES_KEPT_DAYS is ${DELIVERIES_KEPT_DAYS} and EVENTS_KEPT_DAYS is ` +
      `${EVENTS_KEPT_DAYS}: keep events for as long as their deliveries`,
  )
}

type Provides = { provides: readonly string[] }

/** In live a registration is confirmed by a mail (D-134). */
export function faultsOfSignUp(
  { MODE, PORTAL_SIGN_UP }: Values,
  adapters: readonly Provides[],
): string[] {
  const sendsMails = adapters.some(({ provides }) => provides.includes('mailer'))
  return when(
    MODE === 'live' && PORTAL_SIGN_UP === 'open' && !sendsMails,
    'PORTAL_SIGN_UP is open and MODE is live, where people confirm their address by a mail: set ' +
      'SMTP_URL and MAIL_FROM, or leave PORTAL_SIGN_UP out',
  )
}
