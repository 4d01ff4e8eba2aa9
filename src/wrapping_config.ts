/** The wrapper of the data keys, MASTER_KEY or a key service: its part of the environment. */

import type { KmsAddress } from '#kit/keys/kms.ts'
import { MASTER_KEY_FILE, weaknessOfKey } from '#kit/keys/master_key.ts'
import { Secret } from '#lib/secret.ts'

export type WrappingConfig = Readonly<{
  /**
   * 64 hexadecimal characters. Null where `kms` replaces it, and in sandbox: `masterKey` then
   * stores one in `data_dir`.
   */
  master_key: Secret | null
  /** The key service that wraps the data keys instead. */
  kms: KmsAddress | null
}>

type ReadVariable = (name: string) => string | undefined

const KEY_NAME = /^[\w.-]{1,128}$/
const LOCAL = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/
const REMEDY = 'or leave out every KMS_ variable'

/** Adds a line to `faults` for every fault; none of them repeats a secret. */
export function readWrapping(
  variable: ReadVariable,
  faults: string[],
  live: boolean,
): WrappingConfig {
  const kms = readKms(variable, faults, { live })
  const value = variable('MASTER_KEY')
  const remedy = 'make one with: openssl rand -hex 32'
  if (value === undefined) {
    if (live && !kms) faults.push(`MASTER_KEY is missing and MODE is live: ${remedy}`)
    return { master_key: null, kms }
  }
  if (kms) {
    faults.push(
      'MASTER_KEY and KMS_URL are both set: keep the one that wraps the data keys of this ' +
        'database (npm run keys:rewrap moves them to the other)',
    )
  }
  const weakness = weaknessOfKey(value)
  if (weakness) faults.push(`MASTER_KEY ${weakness}: ${remedy}`)
  return { master_key: new Secret(value.toLowerCase()), kms }
}

export function describeWrapping({ master_key, kms }: WrappingConfig): [string, string][] {
  if (kms) return describeKms(kms)
  return [['MASTER_KEY', master_key ? '****' : `(in DATA_DIR/${MASTER_KEY_FILE})`]]
}

/**
 * Adds a line to `faults` for every fault; none of them repeats a token. `suffix` is `_NEW` where
 * the variables name the service that the data keys move to.
 */
export function readKms(
  variable: ReadVariable,
  faults: string[],
  { live, suffix = '' }: { live: boolean; suffix?: string },
): KmsAddress | null {
  const [url, key, token, token_file] = ['KMS_URL', 'KMS_KEY', 'KMS_TOKEN', 'KMS_TOKEN_FILE'].map(
    (name) => variable(`${name}${suffix}`),
  )
  if (url === undefined) {
    if (key !== undefined || token !== undefined || token_file !== undefined) {
      faults.push(`KMS_URL${suffix} is missing beside other KMS_ variables: set it, ${REMEDY}`)
    }
    return null
  }
  faults.push(...faultsOfUrl(`KMS_URL${suffix}`, url, live))
  if (key === undefined || !KEY_NAME.test(key)) {
    faults.push(`KMS_KEY${suffix} must be the name of a transit key: set it, ${REMEDY}`)
  }
  if ((token === undefined) === (token_file === undefined)) {
    const names = `KMS_TOKEN${suffix} or KMS_TOKEN_FILE${suffix}`
    faults.push(`one of ${names} must be set, and not both: set one, ${REMEDY}`)
  }
  return Object.freeze({
    url: url.replace(/\/+$/, ''),
    key: key ?? '',
    token: token === undefined ? { file: token_file ?? '' } : new Secret(token),
  })
}

function describeKms({ url, key, token }: KmsAddress): [string, string][] {
  return [
    ['KMS_URL', url],
    ['KMS_KEY', key],
    token instanceof Secret ? ['KMS_TOKEN', '****'] : ['KMS_TOKEN_FILE', token.file],
  ]
}

function faultsOfUrl(name: string, text: string, live: boolean): string[] {
  const url = URL.parse(text)
  const plain = url && !url.username && !url.password && !url.search && !url.hash
  if (!plain || !/^https?:$/.test(url.protocol)) {
    return [`${name} must be an http or https address without user, query or fragment: change it`]
  }
  if (live && url.protocol === 'http:' && !LOCAL.test(url.hostname)) {
    return [`${name} must start with https:// where MODE is live: data keys travel to it in clear`]
  }
  return []
}
