/**
 * The keys of one network as a process knows them, from the rows that all processes share (D-1032).
 */

import type { CardCryptography, CardKey } from '#issuing/vault/vault.ts'
import type { Db } from '#kit/db/database.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import { newId } from '#lib/id.ts'
import type { Secret } from '#lib/secret.ts'
import type { MacMethod } from '#mac/mac.ts'
import {
  type BroughtKey,
  bringKey,
  isKeyBlock,
  NetworkKey,
  type NetworkKeyUse,
} from './cryptography.ts'
import {
  bindingOfNetworkKey,
  claimExchange,
  deleteReplacedKeys,
  insertKeyRow,
  listKeyRows,
  setExchanges,
} from './store.ts'
import { openZoneMasterKey } from './zone_master_key.ts'

export type SentKey = {
  /** A key block (TR-31), or hex digits of a key under the zone master key. */
  key: string
  /** Six hex digits; a key block may come without. */
  check_value: string | undefined
  /** Its use, where a key block does not say it. */
  use: NetworkKeyUse
}

type Parts = { db: Db; keys: Keyring; custody: CardCryptography }
type Held = { use: NetworkKeyUse; key: NetworkKey }

/** The length of a PIN block under AES (format 4), in hex. */
const AES_BLOCK_DIGITS = 32

export class NetworkKeys {
  readonly #parts: Parts
  readonly #network: string
  readonly #zmkText: Secret
  #zmk: Promise<CardKey> | undefined
  /** Those that are honoured, the newest first. */
  #held: readonly Held[] = []
  readonly #opened = new Map<string, Held>()
  #reading: Promise<void> | undefined

  constructor(parts: Parts, network: string, zmk: Secret) {
    this.#parts = parts
    this.#network = network
    this.#zmkText = zmk
  }

  /** Opens the zone master key, and reads the rows. Throws a StartError if the key is none. */
  async open(): Promise<void> {
    await this.#openZmk()
    await this.read()
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
    const known = await this.knownKeyOfMac(method, message, mac)
    if (known) return known
    await this.read()
    return this.knownKeyOfMac(method, message, mac)
  }

  /** The keys for PIN blocks of so many hex digits, the newest first; empty if none has come. */
  zpks(digits: number): readonly CardKey[] {
    const algorithm = digits === AES_BLOCK_DIGITS ? 'A' : 'T'
    return this.#held.flatMap(({ use, key }) =>
      use === 'ZPK' && key.algorithm === algorithm ? [key.key] : [],
    )
  }

  /** Takes a key that the network has sent. False: the key is none, or not of its check value. */
  async take({ key: sent, check_value, use: expected }: SentKey): Promise<boolean> {
    const { custody } = this.#parts
    const brought = await bringKey(custody, sent, expected, await this.#openZmk())
    if (!brought) return false
    const { use, stored } = brought
    const key = new NetworkKey(custody, use, stored)
    if (!isChecked(key, sent, check_value)) return false
    await this.read()
    const newest = this.#held.find((one) => one.use === use)
    // The network repeats an exchange whose answer was lost: the key before it stays honoured.
    if (newest?.key.check_value !== key.check_value) await this.#keep(brought, key.check_value)
    await this.finish(use, 'DONE')
    return true
  }

  async #keep({ use, stored }: BroughtKey, check_value: string): Promise<void> {
    const { keys, db } = this.#parts
    const all = db.overAllTenants()
    const id = newId()
    const sealed = keys.seal('keysets', Buffer.from(stored), bindingOfNetworkKey({ id }))
    await insertKeyRow(all, this.#network, { id, use, check_value, sealed })
    await deleteReplacedKeys(all, this.#network)
    await this.read()
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
    const { db, keys, custody } = this.#parts
    const rows = await listKeyRows(db.overAllTenants(), this.#network)
    const names = new Set<string>()
    this.#held = rows.map(({ id, use, sealed }) => {
      // A key that was moved to a module has other bytes.
      const name = `${id} ${sealed.toString('base64')}`
      names.add(name)
      const known = this.#opened.get(name)
      if (known) return known
      const stored = keys.open('keysets', sealed, bindingOfNetworkKey({ id })).toString()
      const held = { use, key: new NetworkKey(custody, use, stored) }
      this.#opened.set(name, held)
      return held
    })
    for (const name of this.#opened.keys()) if (!names.has(name)) this.#opened.delete(name)
  }

  /** A module that did not answer is asked again. */
  #openZmk(): Promise<CardKey> {
    this.#zmk ??= openZoneMasterKey(this.#parts.custody, this.#network, this.#zmkText)
    this.#zmk.catch(() => {
      this.#zmk = undefined
    })
    return this.#zmk
  }

  /** The same among the keys that were read. */
  async knownKeyOfMac(
    method: MacMethod,
    message: Buffer,
    mac: Buffer,
  ): Promise<NetworkKey | undefined> {
    for (const { use, key } of this.#held) {
      if (use === 'ZAK' && (await key.isMac(method, message, mac))) return key
    }
    return undefined
  }
}

/** A key under a zone master key proves nothing by itself, so it must have its check value. */
const isChecked = (key: NetworkKey, sent: string, check_value: string | undefined): boolean =>
  check_value === undefined ? isKeyBlock(sent) : check_value.toUpperCase() === key.check_value
