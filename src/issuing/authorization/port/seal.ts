/** The codes of messages (MAC): one connection checks them and writes them (D-1031). */

import { coveredIn, macIn, putMac, withoutMac } from '#iso8583/mac_field.ts'
import { encode, type Fields, type Message } from '#iso8583/message.ts'
import { elementIds, parseElements, writeElements } from '#iso8583/tlv48.ts'
import type { SentKey } from '#issuing/networks/networks.ts'
import { lenient } from '../message/format.ts'
import { isManagement } from '../message/management.ts'
import type { NetworkProfile } from './profile.ts'

export type SealKey = NonNullable<
  Awaited<ReturnType<NonNullable<NetworkProfile['keys']>['keyOfMac']>>
>

export class Seal {
  readonly #profile: NetworkProfile
  /** The keys under which messages came: their answers go back under the same. */
  readonly #keys = new WeakMap<Message, SealKey>()

  constructor(profile: NetworkProfile) {
    this.#profile = profile
  }

  /** Whether messages are checked, or written with a code. */
  get isUsed(): boolean {
    return this.#profile.mac !== null
  }

  /**
   * Whether the message may have an effect, once `before` has ended, since a message before it may
   * have brought its key. Its code is checked beside that: a module takes its time.
   */
  async check(message: Message, bytes: Buffer, before: Promise<void>): Promise<boolean> {
    const early = this.#isRightNow(message, bytes)
    await before
    return (await early) || this.#isRight(message, bytes)
  }

  async #isRightNow(message: Message, bytes: Buffer): Promise<boolean> {
    const { mac, keys, dialect } = this.#profile
    const code = mac && macIn(bytes, message, dialect)
    if (!mac || !keys || !code) return false
    const key = await keys.knownKeyOfMac(mac.method, code.covered, code.mac).catch(() => undefined)
    if (key) this.#keys.set(message, key)
    return key !== undefined
  }

  /** Until the first key has come, network management needs no code, because it brings the key. */
  async #isRight(message: Message, bytes: Buffer): Promise<boolean> {
    const { mac, keys, dialect } = this.#profile
    if (!mac || !keys) return true
    const code = macIn(bytes, message, dialect)
    const key = code && (await keys.keyOfMac(mac.method, code.covered, code.mac))
    if (key) this.#keys.set(message, key)
    if (key || !mac.required) return true
    if (keys.zak === undefined) await keys.read()
    return keys.zak === undefined && code === undefined && isManagement(message)
  }

  /** The bytes of a message, with zeros where its code will be, if there is a key for it. */
  encode(message: Message, answers: Message | undefined): { bytes: Buffer; key?: SealKey } {
    const { dialect, mac } = this.#profile
    const key = mac ? this.#keyFor(answers) : undefined
    const whole = key ? withoutMac(message) : message
    const bytes = encode(whole, dialect, lenient.text)
    return key ? { bytes, key } : { bytes }
  }

  /** Writes the code into the bytes. */
  async close(bytes: Buffer, key: SealKey): Promise<void> {
    const { dialect, mac } = this.#profile
    if (mac) putMac(bytes, await key.mac(mac.method, coveredIn(bytes, dialect)), dialect)
  }

  #keyFor(answers: Message | undefined): SealKey | undefined {
    return (answers && this.#keys.get(answers)) ?? this.#profile.keys?.zak
  }
}

/** The key that an exchange brings in DE48: a key block, or elements with its check value. */
export function sentKeyOf({ 48: text, 70: code }: Fields, hasMac: boolean): SentKey | undefined {
  if (text === undefined) return undefined
  const isPin = code === '161' || (code === '101' && !hasMac)
  const usual = isPin ? 'ZPK' : 'ZAK'
  if (/^[A-D][0-9]{4}/.test(text)) return { key: text, check_value: undefined, use: usual }
  const parsed = parseElements(text)
  const key = parsed.ok ? parsed.elements.get(elementIds.key) : undefined
  if (!parsed.ok || key === undefined) return undefined
  const named = parsed.elements.get(elementIds.key_use)
  const use = named === 'ZAK' || named === 'ZPK' ? named : usual
  return { key, check_value: parsed.elements.get(elementIds.key_check_value) ?? '', use }
}

/** DE48 of a request for a key. */
export const wantedKey = (use: SentKey['use']): string => writeElements([[elementIds.key_use, use]])
