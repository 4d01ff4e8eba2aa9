/** The wrapper of the data keys of this installation, and the one that they move to. */

import { type KeyWrapper, masterKeyWrapper } from '#kit/keys/keyring.ts'
import { transitWrapper } from '#kit/keys/kms.ts'
import { weaknessOfKey } from '#kit/keys/master_key.ts'
import { type Config, ConfigError, masterKey } from './config.ts'
import { readKms } from './wrapping_config.ts'

export function keyWrapperOf(config: Config): KeyWrapper {
  if (config.kms) return transitWrapper(config.kms)
  return masterKeyWrapper(Buffer.from(masterKey(config).reveal(), 'hex'))
}

/**
 * The wrapper of MASTER_KEY_NEW, or of KMS_URL_NEW and its companions. Throws a ConfigError that
 * names every fault and no secret.
 */
export function newKeyWrapper(
  env: Readonly<Record<string, string | undefined>>,
  { mode }: Config,
): KeyWrapper {
  const variable = (name: string) => env[name]?.trim() || undefined
  const faults: string[] = []
  const kms = readKms(variable, faults, { live: mode === 'live', suffix: '_NEW' })
  const master_key = variable('MASTER_KEY_NEW')
  if ((master_key === undefined) === (kms === null) && faults.length === 0) {
    faults.push('one of MASTER_KEY_NEW or KMS_URL_NEW must be set, and not both')
  }
  const weakness = master_key === undefined ? null : weaknessOfKey(master_key)
  if (weakness) faults.push(`MASTER_KEY_NEW ${weakness}: make one with: openssl rand -hex 32`)
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return kms ? transitWrapper(kms) : masterKeyWrapper(Buffer.from(master_key ?? '', 'hex'))
}
