/** The contract of the vault: keys that a sandbox installs, and what of them is told. */

import { type Static, Type } from 'typebox'
import type { DateOrder } from '#cvv/cvv.ts'
import { OneOf, Strict, Uuid } from '#kit/schema.ts'
import type { AesKey, TdesKey } from '#lib/ciphers.ts'
import type { Secret } from '#lib/secret.ts'

/** The keys of a product, ready for the functions of cvv/, pin/ and emv/. */
export type KeySet = {
  readonly version: number
  /** Makes CVV, CVV2 and iCVV: a pair of DES keys. */
  readonly cvk: TdesKey
  /** Makes the PIN verification value, with its index of one digit. */
  readonly pvk: TdesKey
  readonly pvki: string
  /** Issuer master key of application cryptograms. */
  readonly imk_ac: TdesKey
  /** Zone PIN keys: PIN blocks of format 0 and of format 4. */
  readonly zpk: TdesKey
  readonly zpk_aes: AesKey
  readonly cvv2_date_order: DateOrder
}

/** A PIN as it is kept. */
export type KeptPin = {
  /** The PIN verification value: four digits, from which the PIN cannot be had back. */
  pvv: Secret
  /** Wrong PINs in a row. */
  failures: number
}

const Hex = (...bytes: number[]) =>
  Type.String({
    pattern: `^(?:${bytes.map((count) => `[0-9A-Fa-f]{${count * 2}}`).join('|')})$`,
  })

/** Test keys of D-71, in hex. What is left out stays; CVK comes whole or in its two halves. */
export const TestKeys = Strict(
  {
    cvk: Type.Optional(Hex(16)),
    cvk_a: Type.Optional(Hex(8)),
    cvk_b: Type.Optional(Hex(8)),
    pvk: Type.Optional(Hex(16)),
    pvki: Type.Optional(Type.String({ pattern: '^[0-9]$' })),
    imk_ac: Type.Optional(Hex(16)),
    zpk: Type.Optional(Hex(16)),
    zpk_aes: Type.Optional(Hex(16, 24, 32)),
    cvv2_date_order: Type.Optional(OneOf(['YYMM', 'MMYY'])),
  },
  { minProperties: 1 },
)
export type TestKeys = Static<typeof TestKeys>

/** Keys are told by their check values only (ANSI X9.24), so that both sides can compare. */
export const InstalledKeys = Type.Object(
  {
    card_product_id: Uuid,
    version: Type.Integer(),
    pvki: Type.String(),
    cvv2_date_order: OneOf(['YYMM', 'MMYY']),
    check_values: Type.Object({
      cvk: Type.String(),
      pvk: Type.String(),
      imk_ac: Type.String(),
      zpk: Type.String(),
      zpk_aes: Type.String(),
    }),
  },
  { title: 'InstalledKeys' },
)
export type InstalledKeys = Static<typeof InstalledKeys>
