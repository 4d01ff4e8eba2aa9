/** Zone master keys as zmk_file has them: in hex, or as the module of this run keeps them. */

import { randomBytes } from 'node:crypto'
import { Secret } from '#lib/secret.ts'
import { wrapModuleBlock } from '#pin/module_block.ts'
import { LMKS } from '#sandbox/hsm/lmk.ts'
import { isInModule } from './custody.ts'

/** As the simulator keeps it under its published master key. */
export function zoneKeyUnderLmk(hex: string): string {
  const [lmk] = LMKS
  if (!lmk) throw new Error('the simulator has no master key')
  const use = { key_usage: 'K0', mode_of_use: 'B', key_version: '00', exportability: 'E' } as const
  const algorithm = hex.length === 64 ? 'A' : 'T'
  const header = { version: lmk.block.version, algorithm, ...use, lmk: lmk.id } as const
  const key = new Secret(Buffer.from(hex, 'hex'))
  return `S${wrapModuleBlock(header, key, lmk.block.key, randomBytes(14))}`
}

/** For the custody that tests run with. */
export const zoneKeyText = (hex: string): Secret =>
  new Secret(isInModule ? zoneKeyUnderLmk(hex) : hex)
