/** Brings keys that are in software into the modules, under a transport key that both have. */

import type { ModuleCarrier } from '#issuing/vault/provider.ts'
import { StartError } from '#kit/start_error.ts'
import { AesKey, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import type { Commands } from './commands.ts'
import { bringIn } from './custody.ts'
import { ModuleKey } from './keys.ts'
import type { Pool } from './pool.ts'
import type { PayshieldSettings, TransportPair } from './settings.ts'
import { keyBlockOf } from './transport.ts'

type Parts = {
  pool: Pool
  commands: Commands
  settings: Pick<PayshieldSettings, 'transport' | 'key_scheme'>
}

const AES_DIGITS = 64

export function carrierOf({ pool, commands, settings }: Parts): ModuleCarrier {
  const { transport, key_scheme } = settings
  return {
    async assertTransport() {
      const pair = required(transport)
      const { fields } = await pool.run(commands.checkValue('TRANSPORT', pair.kept.reveal()))
      const found = fields.toString('latin1', 0, 6).toUpperCase()
      const own = checkValueOf(pair.clear)
      if (found === own) return
      throw new StartError(
        `HSM_TRANSPORT_KEY has the check value ${own}, and HSM_TRANSPORT_KEY_LMK ${found}: load ` +
          'the same key in both',
      )
    },
    async carry(use, hex) {
      if (use.endsWith('_AES') && key_scheme === 'U') return undefined
      const { clear, kept } = required(transport)
      const block = keyBlockOf(use, hex, clear)
      return bringIn({ pool, commands }, use, `R${block}`, new ModuleKey(kept, ''))
    },
  }
}

function required(transport: TransportPair | null): TransportPair {
  if (transport) return transport
  throw new StartError(
    'a transport key is missing: set HSM_TRANSPORT_KEY (or HSM_TRANSPORT_KEY_FILE) and ' +
      'HSM_TRANSPORT_KEY_LMK to the same key, in the clear and as the module shows it',
  )
}

function checkValueOf(hex: Secret): string {
  const bytes = new Secret(Buffer.from(hex.reveal(), 'hex'))
  return (hex.reveal().length === AES_DIGITS ? new AesKey(bytes) : new TdesKey(bytes)).check_value
}
