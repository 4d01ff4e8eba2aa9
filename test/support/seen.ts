/** Cases for tests of single checks of an authorization: changes of a whole. */

import { cvvOf } from '#cvv/cvv.ts'
import type { Case } from '#issuing/authorization/decide/case.ts'
import { codeOf, kindOf } from '#issuing/authorization/decide/kinds.ts'
import { NO_COUNTS } from '#issuing/authorization/decide/state/limits_in_force.ts'
import type { Account } from '#issuing/ledger/schema.ts'
import type { TenantSettings } from '#issuing/tenants/schema.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import { softwareProofs } from '#issuing/vault/software/software.ts'
import { AesKey, TdesKey } from '#lib/ciphers.ts'
import { Secret } from '#lib/secret.ts'
import {
  Desk,
  heldOf,
  CARD_NUMBER as pan,
  purchase,
  type TestCard,
  type TestMessage,
} from './desk.ts'

const tdes = (hex: string) => new TdesKey(new Secret(Buffer.from(hex, 'hex')))
export const cvk = tdes('0123456789abcdeffedcba9876543210')
export const zpk_aes = new AesKey(new Secret(Buffer.alloc(32, 7)))
export const keys = {
  version: 1,
  cvk,
  cvv2_date_order: 'YYMM',
  pvki: '1',
  zpk_aes,
  pvk: tdes('7cfb6897df10a25b3dae6bab866423f8'),
  zpk: tdes('62325862b902b5fefe19d50e68670b7c'),
  imk_ac: tdes('801383e56d195d49c1ce1fe9376d5191'),
  imk_smi: tdes('fedcba98765432100123456789abcdef'),
  imk_smc: tdes('89abcdef0123456776543210fedcba98'),
} as const satisfies KeySet
export const token_number: Secret = new Secret('4888880000000014')
export const token = { token_id: 'token', status: 'ACTIVE', expiry_date: '2029-01' }
export const cvv2: Secret = cvvOf({ cvk, pan, expiry_yymm: '2906', service_code: '000' })
export const track: Secret = cvvOf({ cvk, pan, expiry_yymm: '2906', service_code: '201' })

export const desk = new Desk()
const account = desk.addAccount(10_000n)
const card = desk.addCard(account.id)

/** Differences from the usual case; `null` takes a part away. */
export type Change = {
  request?: Partial<TestMessage>
  card?: Partial<TestCard> | null
  account?: Partial<Account> | null
  settings?: Partial<TenantSettings>
  evidence?: Partial<Case>
}

/** A purchase that passes every check, changed from left to right. */
export function seen(...changes: readonly Change[]): Case {
  const isTaken = (part: 'card' | 'account') => changes.some((change) => change[part] === null)
  const request = { ...purchase(card, 1_000n), ...merged(changes, 'request') }
  const kind = kindOf(request)
  const all = { ...card, ...merged(changes, 'card') }
  const held = isTaken('card') ? undefined : heldOf(all)
  const own = isTaken('account') ? undefined : { ...account, ...merged(changes, 'account') }
  return {
    request,
    kind,
    code: codeOf(request, kind),
    id: 'id',
    approval_code: '000001',
    fingerprint: () => '',
    late: false,
    reversed_early: false,
    unanswered: undefined,
    verdict: undefined,
    done: undefined,
    raised: undefined,
    raises: undefined,
    card: held?.card,
    product: held?.product,
    holder: held?.holder,
    lacks_product: false,
    account: own,
    token: undefined,
    keys,
    proofs: softwareProofs,
    card_number: pan,
    pin: undefined,
    chip: undefined,
    wrong_tries: [],
    used_aav: false,
    stopped: false,
    limits: NO_COUNTS,
    settings: { ...desk.settings, ...merged(changes, 'settings') },
    now: desk.now,
    local_time: () => '10:00:00',
    currency: all.currency,
    rate: undefined,
    billing: request.currency === all.currency ? request.amount : undefined,
    charge: 0n,
    room: 0n,
    ...merged(changes, 'evidence'),
  }
}

const merged = <Part extends keyof Change>(
  changes: readonly Change[],
  part: Part,
): NonNullable<Change[Part]> => Object.assign({}, ...changes.map((change) => change[part]))

export const closed = (status_reason_code: string): Change => ({
  card: { status: 'TERMINATED', status_reason_code },
})

/** Ten tries, of which the tenth blocks, a minute apart, the last at `last`. */
export function tenTries(last: Date): Date[] {
  return Array.from({ length: 10 }, (_, at) => new Date(last.getTime() - (9 - at) * 60_000))
}
