/** Keys that this process has in the clear, on their way into a module or out of it (TR-31). */

import { randomBytes } from 'node:crypto'
import type { KeyUse } from '#issuing/vault/provider.ts'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { unwrapKeyBlock, wrapKeyBlock } from '#pin/tr31.ts'
import { ModuleFault } from './faults.ts'
import { keyAtStart, keyTypes } from './keys.ts'

const AES_DIGITS = 64
/** The random bytes that pad a key in its block. */
const PAD_BYTES = 40

/** The TDES key of a block that the module took out, behind its letter R. */
export function keyOfBlock(text: string, transport: Secret): TdesKey {
  const block = (keyAtStart(text) ?? '').slice(1)
  const opened = unwrapKeyBlock(block, new Secret(Buffer.from(transport.reveal(), 'hex')))
  if (!opened.ok) throw new ModuleFault('garbled', 'A8')
  return new TdesKey(opened.key)
}

/** Version D under a transport key of AES, B under one of TDES. Both are in hex. */
export function keyBlockOf(use: KeyUse, hex: Secret, transport: Secret): string {
  const { usage, mode } = keyTypes[use]
  const version = transport.reveal().length === AES_DIGITS ? 'D' : 'B'
  const algorithm = use.endsWith('_AES') ? 'A' : 'T'
  const header = { version, key_usage: usage, algorithm, mode_of_use: mode } as const
  return wrapKeyBlock(
    { ...header, key_version: '00', exportability: 'E' },
    new Secret(Buffer.from(hex.reveal(), 'hex')),
    new Secret(Buffer.from(transport.reveal(), 'hex')),
    randomBytes(PAD_BYTES),
  )
}
