/** The security module of the drill: the simulator, a process of its own, and its custodians. */

import { randomBytes } from 'node:crypto'
import { TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { wrapKeyBlock } from '#pin/tr31.ts'
import { imported, ZMK, ZMK_UNDER_LMK } from '#test/support/services/hsm.ts'
import { DrillFault } from '../fault.ts'
import { type Running, start } from '../programs.ts'
import * as platform from '../stage/platform.ts'

const bytes = (hex: string) => new Secret(Buffer.from(hex, 'hex'))
/** A double-length key, in hex. */
export const newKey = (): string => randomBytes(16).toString('hex').toUpperCase()

export type Module = AsyncDisposable & { address: string; check_value: string }

/** `npx bezant hsm`, which refuses to run where MODE is live, so it has no setting of the program. */
export async function startModule(): Promise<Module> {
  const running: Running = start(process.execPath, [
    'apps/cli/bezant.mjs',
    'hsm',
    '--port',
    '0',
    '--json',
  ])
  await running.until(/\n\}\n/)
  const { address, port, lmks } = JSON.parse(running.output())
  return {
    address: `${address}:${port}`,
    check_value: lmks[0].check_value,
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  }
}

/** A zone key as the module shows it, once its custodians have brought it in. */
export const shownByModule = (zpk: string): string => imported('001', zpk)

const USES = {
  imk_ac: { key_usage: 'E0', mode_of_use: 'X' },
  zpk: { key_usage: 'P0', mode_of_use: 'B' },
} as const
export type ProductKeys = Record<keyof typeof USES, string>

/** A key in hex, in a key block (TR-31) under the transport key. */
function keyBlock(name: keyof typeof USES, hex: string): string {
  const header = { version: 'B', algorithm: 'T', key_version: '00', exportability: 'E' } as const
  return wrapKeyBlock({ ...header, ...USES[name] }, bytes(hex), bytes(ZMK), randomBytes(40))
}

type Product = { ports: platform.Ports; operator: string; tenant_id: string; id: string }

/** Brings keys into the module for a card product, by key blocks; answers their check values. */
export async function bringKeys(product: Product, keys: ProductKeys): Promise<string[]> {
  const { ports, operator, tenant_id, id } = product
  const path = `/operator/tenants/${tenant_id}/cardproducts/${id}`
  const ask = (method: string, last: string, body: object) =>
    platform.made(ports, operator, [method, `${path}/${last}`], body)
  await ask('PUT', 'keyblockprotectionkey', { key: ZMK_UNDER_LMK })
  let installed: platform.Body
  for (const name of ['imk_ac', 'zpk'] as const) {
    installed = await ask('POST', 'keys', { name, key_block: keyBlock(name, keys[name]) })
  }
  return Object.entries(keys).map(([name, hex]) => {
    const [own, shown] = [new TdesKey(bytes(hex)).check_value, installed.check_values[name]]
    if (own !== shown) throw new DrillFault(`the module has another key ${name}`)
    return `${name} is in the module, with its check value`
  })
}

/** The commands that the module was asked, by their names; a fault where it could not do one. */
export async function commandsOf(admin_port: string): Promise<Map<string, number>> {
  const text = await (await fetch(`http://127.0.0.1:${admin_port}/metrics`)).text()
  const counts = new Map<string, number>()
  for (const [, labels = '', count] of text.matchAll(
    /^bezant_hsm_commands_total\{(.*)\} (\d+)$/gm,
  )) {
    const [, command = ''] = /command="(\w+)"/.exec(labels) ?? []
    const [, code = ''] = /code="(\w+)"/.exec(labels) ?? []
    if (code !== '00' && code !== '01') throw new DrillFault(`the module answered ${labels}`)
    counts.set(command, (counts.get(command) ?? 0) + Number(count))
  }
  return counts
}
