/** Evidence for tests of single checks of an authorization: changes of a whole. */

import { cvvOf } from '#cvv/cvv.ts'
import type { Evidence } from '#issuing/authorization/decide/checks/evidence.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import { AesKey, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import { Desk, CARD_NUMBER as pan, purchase, type TestMessage } from './desk.ts'

const tdes = (hex: string) => new TdesKey(new Secret(Buffer.from(hex, 'hex')))
export const cvk = tdes('0123456789abcdeffedcba9876543210')
export const zpk_aes = new AesKey(new Secret(Buffer.alloc(32, 7)))
export const keys: KeySet = {
  ...{ version: 1, cvk, cvv2_date_order: 'YYMM', pvki: '1', zpk_aes },
  pvk: tdes('7cfb6897df10a25b3dae6bab866423f8'),
  zpk: tdes('62325862b902b5fefe19d50e68670b7c'),
  imk_ac: tdes('801383e56d195d49c1ce1fe9376d5191'),
  imk_smi: tdes('fedcba98765432100123456789abcdef'),
  imk_smc: tdes('89abcdef0123456776543210fedcba98'),
}
export const token_number: Secret = new Secret('4888880000000014')
export const token = { token_id: 'token', status: 'ACTIVE', expiry_date: '2029-01' }
export const cvv2: Secret = cvvOf({ cvk, pan, expiry_yymm: '2906', service_code: '000' })
export const track: Secret = cvvOf({ cvk, pan, expiry_yymm: '2906', service_code: '201' })

export const desk = new Desk()
const account = desk.addAccount(10_000n)
const card = desk.addCard(account.id)

/** Differences from the usual evidence; `null` takes a part away. */
export type Change = {
  request?: Partial<TestMessage>
  card?: Partial<typeof card> | null
  account?: Partial<typeof account> | null
  evidence?: Partial<Evidence>
}

/** A purchase that passes every check, changed from left to right. */
export function seen(...changes: readonly Change[]): Evidence {
  const request = Object.assign({}, ...changes.map((change) => change.request))
  const asked = { ...purchase(card, 1_000n), ...request }
  const product = Object.assign({}, card, ...changes.map((change) => change.card))
  const merged = {
    request: asked,
    billing: asked.currency === product.currency ? asked.amount : undefined,
    covered: (available: bigint) => available,
    card: product,
    account: Object.assign({}, account, ...changes.map((change) => change.account)),
    ...{ keys, late: false, reversed_early: false, settings: desk.settings, now: desk.now },
    ...{ wrong_tries: [], max_tries: 10, stopped: false, has_responder: false },
    ...{ limits: { velocity: [], balance: [] }, room: 0n, charge: 0n },
    ...{ token: undefined, card_number: pan, pin: undefined },
    ...Object.assign({}, ...changes.map((change) => change.evidence)),
  }
  if (changes.some((change) => change.card === null)) merged.card = undefined
  if (changes.some((change) => change.account === null)) merged.account = undefined
  return merged
}

export const closed = (status_reason_code: string): Change => ({
  card: { status: 'TERMINATED', status_reason_code },
})

/** Ten tries, of which the tenth blocks, a minute apart, the last at `last`. */
export function tenTries(last: Date): Date[] {
  return Array.from({ length: 10 }, (_, at) => new Date(last.getTime() - (9 - at) * 60_000))
}
