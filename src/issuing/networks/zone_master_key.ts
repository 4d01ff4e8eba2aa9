/** The zone master key of a network, from its file: other keys come under it (D-1032). */

import { readFileSync } from 'node:fs'
import type { CardCryptography, CardKey, KeptKey } from '#issuing/vault/vault.ts'
import { StartError } from '#kit/start_error.ts'
import { Secret } from '#lib/secret.ts'

const IN_HEX = /^(?:[0-9A-Fa-f]{32}|[0-9A-Fa-f]{48}|[0-9A-Fa-f]{64})$/
/** As a security module keeps it under its own master key. */
const OF_MODULE = /^(?:U[0-9A-F]{32}|T[0-9A-F]{48}|S[01A-D][!-~]{20,500})$/

/** Throws a StartError if the file cannot be read or has no key. */
export function readZoneMasterKey(network: string, file: string): Secret {
  const text = textOf(network, file)
  if (!IN_HEX.test(text) && !OF_MODULE.test(text)) {
    throw new StartError(
      `NETWORKS_FILE: zmk_file of ${network} must have 32, 48 or 64 hex digits, or the key as ` +
        'the security module shows it, with U, T or S',
    )
  }
  return new Secret(text)
}

function textOf(network: string, file: string): string {
  try {
    return readFileSync(file, 'latin1').trim()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'no text'
    throw new StartError(`NETWORKS_FILE: zmk_file of ${network} cannot be read (${reason})`)
  }
}

/** The key in the custody. Throws a StartError if it is written for another custody. */
export async function openZoneMasterKey(
  custody: CardCryptography,
  network: string,
  text: Secret,
): Promise<CardKey> {
  return custody.open('TRANSPORT', await keptOf(custody, network, text))
}

async function keptOf(custody: CardCryptography, network: string, text: Secret): Promise<KeptKey> {
  const isClear = IN_HEX.test(text.reveal())
  if (isClear && custody.place === 'MODULE') {
    throw new StartError(
      `NETWORKS_FILE: zmk_file of ${network} has a key in the clear, and HSM_ADDRESS is set: ` +
        'let it have the key as the security module shows it, with U, T or S',
    )
  }
  const brought = isClear
    ? await custody.bringClear('TRANSPORT', text)
    : await custody.bringOwn('TRANSPORT', text)
  if (brought.ok) return brought.key
  throw new StartError(`NETWORKS_FILE: the key in zmk_file of ${network} ${brought.fault}`)
}
