/**
 * The keys of one network as a process knows them, from the rows that all processes share (D-1032).
 */

import { readFileSync } from 'node:fs'
import type { Db } from '#kit/db/database.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import { StartError } from '#kit/start_error.ts'
import { newId } from '#lib/id.ts'
import { Secret } from '#lib/secret.ts'
import type { MacMethod } from '#mac/mac.ts'
import {
  type BroughtKey,
  bringBlock,
  bringCryptogram,
  NetworkKey,
  type NetworkKeyUse,
} from './cryptography.ts'
import {
  bindingOfNetworkKey,
  claimExchange,
  insertKeyRow,
  listKeyRows,
  setExchanges,
} from './store.ts'

export type SentKey = {
  /** A key block (TR-31), or hex digits of a key under the zone master key. */
  key: string
  /** Six hex digits; a key block may come without. */
  check_value: string | undefined
  /** Its use, where a key block does not say it. */
  use: NetworkKeyUse
}

type Parts = { db: Db; keys: Keyring }
type Held = { use: NetworkKeyUse; key: NetworkKey }

export class NetworkKeys {
  readonly #parts: Parts
  readonly #network: string
  readonly #zmk: Secret<Buffer>
  /** Those that are honoured, the newest first. */
  #held: readonly Held[] = []
  readonly #opened = new Map<string, Held>()
  #reading: Promise<void> | undefined

  constructor(parts: Parts, network: string, zmk: Secret<Buffer>) {
    this.#parts = parts
    this.#network = network
    this.#zmk = zmk
  }

  /** Reads the rows; calls at one time share one statement. */
  read(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  /** The newest key for codes; undefined if none has come yet. */
  get zak(): NetworkKey | undefined {
    return this.#held.find(({ use }) => use === 'ZAK')?.key
  }

  /**
   * The key under which the code is right. A key that another process has just taken is read before
   * a code is found to be wrong.
   */
  async keyOfMac(method: MacMethod, message: Buffer, mac: Buffer): Promise<NetworkKey | undefined> {
    const known = await this.#keyOf(method, message, mac)
    if (known) return known
    await this.read()
    return this.#keyOf(method, message, mac)
  }

  /** Takes a key that the network has sent. False: the key is none, or not of its check value. */
  async take({ key: sent, check_value, use: expected }: SentKey): Promise<boolean> {
    const brought = /^[A-D][0-9]{4}/.test(sent)
      ? bringBlock(sent, this.#zmk)
      : bringCryptogram(sent, this.#zmk)
    const key = brought.ok && keyOf(brought)
    if (!key || !isChecked(key, sent, check_value)) return false
    const use = brought.use ?? expected
    await this.read()
    const newest = this.#held.find((one) => one.use === use)
    // The network repeats an exchange whose answer was lost: the key before it stays honoured.
    if (newest?.key.check_value !== key.check_value) {
      const { db, keys } = this.#parts
      const id = newId()
      const sealed = keys.seal('keysets', Buffer.from(brought.key), bindingOfNetworkKey({ id }))
      const row = { id, use, check_value: key.check_value, sealed }
      await insertKeyRow(db.overAllTenants(), this.#network, row)
      await this.read()
    }
    await this.finish(use, 'DONE')
    return true
  }

  /** The use of a key that an operator wants, if no other process asks for it. */
  async claim(): Promise<NetworkKeyUse | undefined> {
    return (await claimExchange(this.#parts.db.overAllTenants(), this.#network))?.use
  }

  /** The key that was asked for has come, or was refused. */
  async finish(use: NetworkKeyUse, state: 'DONE' | 'FAILED'): Promise<void> {
    await setExchanges(this.#parts.db.overAllTenants(), { network: this.#network, use, state })
  }

  async #read(): Promise<void> {
    const { db, keys } = this.#parts
    const rows = await listKeyRows(db.overAllTenants(), this.#network)
    this.#held = rows.map(({ id, use, sealed }) => {
      const known = this.#opened.get(id)
      if (known) return known
      const kept = keys.open('keysets', sealed, bindingOfNetworkKey({ id })).toString()
      const held = { use, key: new NetworkKey(kept) }
      this.#opened.set(id, held)
      return held
    })
    const ids = new Set(rows.map(({ id }) => id))
    for (const id of this.#opened.keys()) if (!ids.has(id)) this.#opened.delete(id)
  }

  async #keyOf(method: MacMethod, message: Buffer, mac: Buffer): Promise<NetworkKey | undefined> {
    for (const { use, key } of this.#held) {
      if (use === 'ZAK' && (await key.isMac(method, message, mac))) return key
    }
    return undefined
  }
}

function keyOf({ key }: Extract<BroughtKey, { ok: true }>): NetworkKey | undefined {
  try {
    return new NetworkKey(key)
  } catch {
    return undefined
  }
}

/** A key under a zone master key proves nothing by itself, so it must have its check value. */
const isChecked = (key: NetworkKey, sent: string, check_value: string | undefined): boolean =>
  check_value === undefined
    ? /^[A-D][0-9]{4}/.test(sent)
    : check_value.toUpperCase() === key.check_value

const ZMK_DIGITS = [32, 48, 64]

/** Throws a StartError if the file cannot be read or has no key. */
export function readZoneMasterKey(network: string, file: string): Secret<Buffer> {
  let text: string
  try {
    text = readFileSync(file, 'latin1').trim()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'no text'
    throw new StartError(`NETWORKS_FILE: zmk_file of ${network} cannot be read (${reason})`)
  }
  if (!/^[0-9A-Fa-f]+$/.test(text) || !ZMK_DIGITS.includes(text.length)) {
    throw new StartError(`NETWORKS_FILE: zmk_file of ${network} must have 32, 48 or 64 hex digits`)
  }
  return new Secret(Buffer.from(text, 'hex'))
}
