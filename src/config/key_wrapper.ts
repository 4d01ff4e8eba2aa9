/** The wrapper of the data keys of this installation, and the one that they move to. */

import { type KeyWrapper, masterKeyWrapper } from '#kit/keys/keyring.ts'
import { transitWrapper } from '#kit/keys/kms.ts'
import { keptMasterKey } from '#kit/keys/master_key.ts'
import { type Environment, readVariables } from '#kit/settings/read.ts'
import type { Secret } from '#lib/secret.ts'
import { type Config, ConfigError, type WrapperConfig, wrapperOf } from './config.ts'
import { faultsOfNewKeys } from './rules.ts'
import { KeyVariables } from './variables.ts'

/** Throws a StartError if the key that the sandbox keeps cannot be trusted. */
export function keyWrapperOf(config: Config): KeyWrapper {
  return openWrapper({ kms: config.kms, master_key: config.kms ? null : masterKey(config) })
}

/**
 * The key that wraps all others: the one of the environment or, in sandbox, the one in `data_dir`,
 * which the first start makes. Throws a StartError if the file cannot be trusted.
 */
export function masterKey(config: Config): Secret {
  return config.master_key ?? keptMasterKey(config.data_dir)
}

/**
 * The wrapper of MASTER_KEY_NEW, or of KMS_URL_NEW and its companions. Throws a ConfigError that
 * names every fault and no secret.
 */
export function newKeyWrapper(env: Environment, { mode }: Config): KeyWrapper {
  const { values, faults } = readVariables(KeyVariables, env, '_NEW')
  faults.push(...faultsOfNewKeys(values, { live: mode === 'live' }))
  if (faults.length > 0) throw new ConfigError(faults.join('\n'))
  return openWrapper(wrapperOf(values))
}

function openWrapper({ kms, master_key }: WrapperConfig): KeyWrapper {
  if (kms) return transitWrapper(kms)
  return masterKeyWrapper(Buffer.from(master_key?.reveal() ?? '', 'hex'))
}
