/**
 * The custody of the keys that tests run with: in software, or with TEST_CUSTODY=module in the
 * simulator of a security module, one for each world (D-1013).
 */

import { randomBytes } from 'node:crypto'
import { Secret } from '#lib/secret.ts'
import { wrapModuleBlock } from '#pin/module_block.ts'
import { LMKS } from '#sandbox/hsm/lmk.ts'
import { startSimulator } from '#sandbox/hsm/simulator.ts'

export const isInModule: boolean = process.env.TEST_CUSTODY === 'module'

const AES_DIGITS = 64
/** The transport key of AES with which tests bring in their own keys, in hex. */
const TRANSPORT = '000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F'

/** A transport key as the simulator keeps it under its published master key. */
function transportUnderLmk(hex: string): string {
  const [lmk] = LMKS
  if (!lmk) throw new Error('the simulator has no master key')
  const use = { key_usage: 'K0', mode_of_use: 'B', key_version: '00', exportability: 'E' } as const
  const algorithm = hex.length === AES_DIGITS ? 'A' : 'T'
  const header = { version: lmk.block.version, algorithm, ...use, lmk: lmk.id } as const
  const key = new Secret(Buffer.from(hex, 'hex'))
  return `S${wrapModuleBlock(header, key, lmk.block.key, randomBytes(14))}`
}

/** The protection key of key blocks as the operator sets it in the custody of this run. */
export const protectionKey = (hex: string): { key: string } | { components: string[] } =>
  isInModule ? { key: transportUnderLmk(hex) } : { components: [hex] }

/** The settings of a simulator at this port, with keys in key blocks. */
export const moduleSettings = (...ports: readonly number[]): Record<string, string> => ({
  HSM_ADDRESS: ports.map((port) => `127.0.0.1:${port}`).join(','),
  HSM_KEY_SCHEME: 'S',
  HSM_CLEAR_PIN: 'allow',
  // A busy machine is no module that fails.
  HSM_TIMEOUT_MS: '20000',
  HSM_TRANSPORT_KEY: TRANSPORT,
  HSM_TRANSPORT_KEY_LMK: transportUnderLmk(TRANSPORT),
})

/** The settings that the custody of this run adds to those of a world, and how it ends. */
export async function openTestCustody(): Promise<{
  env: Record<string, string>
  close: () => Promise<void>
}> {
  if (!isInModule) return { env: {}, close: async () => {} }
  const { port, close } = await startSimulator({ port: 0, header: 4, delay_ms: 0 })
  return { env: moduleSettings(port), close }
}
