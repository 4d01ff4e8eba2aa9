/**
 * The scheme of a lane: its keys, which it changes every few hundred messages, and the numbers of
 * the cards that it knows (D-1031, D-1032).
 */

import assert from 'node:assert/strict'
import { NetworkKeys } from '#issuing/networks/networks.ts'
import { insertExchange, listExchanges } from '#issuing/networks/store.ts'
import type { BlockKey } from '#lib/ciphers.ts'
import { newId } from '#lib/id.ts'
import { Secret } from '#lib/secret.ts'
import type { MacMethod } from '#mac/mac.ts'
import {
  newSchemeKey,
  type SchemeKey,
  type SchemeKeyUse,
  sentAs,
} from '#sandbox/network_peer/keys.ts'
import { zoneKeyText } from '#test/support/services/zone_keys.ts'
import type { TestTenant, World } from '#test/support/world.ts'

const ZMK_HEX = '0123456789abcdeffedcba9876543210'
const ZMK = new Secret(Buffer.from(ZMK_HEX, 'hex'))

export const DIALECT = 'bcd'
export const METHOD: MacMethod = { algorithm: 'iso9797_3', padding: 2 }

type Sealing = { method: MacMethod; key: BlockKey }

/** Without a key messages have no code. */
export function sealingOf(key: BlockKey): Sealing
export function sealingOf(key: BlockKey | undefined): Sealing | undefined
export function sealingOf(key: BlockKey | undefined): Sealing | undefined {
  return key && { method: METHOD, key }
}

/**
 * How a key is exchanged, one way after the other: the scheme sends it, sends it and loses the line
 * before the answer, or is asked for it.
 */
const WAYS = ['sent', 'lost half-way', 'asked for'] as const
/** `again`: the exchange whose answer was lost. */
export type Exchange = (typeof WAYS)[number] | 'again'

/** Messages under the key before, when the answer to an exchange was lost. */
const UNTIL_AGAIN = 20

let made = 0

export class Scheme {
  readonly name: string
  /** How often keys were exchanged, by way and use. */
  readonly exchanged = new Map<string, number>()
  readonly #world: World
  readonly #every: number
  readonly #pans = new Map<string, string>()
  #zak: SchemeKey | undefined
  /** The key of an exchange that has begun, and whose answer has not come. */
  #begun: SchemeKey | undefined
  #messages = 0
  #times = 0

  /** A key changes every so many messages. */
  constructor(world: World, every: number) {
    made += 1
    this.name = `lane-${made}`
    this.#world = world
    this.#every = every
  }

  /** The keys as a process of the platform knows them. */
  processKeys(): NetworkKeys {
    return new NetworkKeys(this.#world.services, this.name, zoneKeyText(ZMK_HEX))
  }

  /** The key of codes; undefined before the first exchange. */
  get zak(): BlockKey | undefined {
    return this.#zak?.key
  }

  async panOf({ api_key }: TestTenant, card_id: string): Promise<string> {
    const known = this.#pans.get(card_id)
    if (known !== undefined) return known
    const path = `/v1/cards/${card_id}:reveal`
    const { status, body, text } = await this.#world.request('GET', path, undefined, {
      key: api_key,
    })
    assert.equal(status, 200, text)
    this.#pans.set(card_id, body.card_number)
    return body.card_number
  }

  /** The exchange that is due with this message, if one is. */
  due(): Exchange | undefined {
    this.#messages += 1
    if (this.#messages < (this.#begun ? UNTIL_AGAIN : this.#every)) return undefined
    this.#messages = 0
    return this.#begun ? 'again' : this.#way
  }

  /** DE70 and DE48 that bring the key, the same until the platform has it. */
  begin(): { 48: string; 70: string } {
    this.#begun ??= newSchemeKey(this.#use, false)
    return {
      48: sentAs(this.#begun, { zmk: ZMK, isBlock: false }),
      70: this.#begun.use === 'ZPK' ? '161' : '162',
    }
  }

  /** The platform has the key. */
  done(): void {
    if (this.#begun?.use === 'ZAK') this.#zak = this.#begun
    const name = `${this.#begun?.use} ${this.#way}`
    this.exchanged.set(name, (this.exchanged.get(name) ?? 0) + 1)
    this.#begun = undefined
    this.#times += 1
  }

  /** An operator of the platform wants a key, for which the platform asks. */
  async want(): Promise<void> {
    await insertExchange(this.#world.db, { id: newId(), network: this.name, use: this.#use })
  }

  get #way(): (typeof WAYS)[number] {
    return WAYS[this.#times % WAYS.length] ?? 'sent'
  }

  /** The first key is one for codes; then each way has both uses in turn. */
  get #use(): SchemeKeyUse {
    return Math.floor(this.#times / WAYS.length) % 2 === 0 ? 'ZAK' : 'ZPK'
  }

  async isAnswered(): Promise<boolean> {
    const [exchange] = await listExchanges(this.#world.db, this.name)
    return exchange?.state === 'DONE'
  }
}
