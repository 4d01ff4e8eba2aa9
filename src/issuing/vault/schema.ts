/** The API schemas of the vault: test keys that a sandbox installs, and their check values. */

import type { KeyObject } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { DateOrder } from '#cvv/cvv.ts'
import { Field, Nullable, OneOf, Strict, Uuid } from '#kit/http/schema.ts'
import type { Secret } from '#lib/secret.ts'
import type { CardKey } from './provider.ts'
import { blockKeys } from './rules/key_blocks.ts'

/** The keys of a product, ready for the cryptography of their custody. */
export type KeySet = {
  readonly version: number
  /** Makes CVV, CVV2 and iCVV: a pair of DES keys. */
  readonly cvk: CardKey
  /** Makes the PIN verification value, with its index of one digit. */
  readonly pvk: CardKey
  readonly pvki: string
  /** Issuer master key of application cryptograms; undefined if the cards have no chip. */
  readonly imk_ac: CardKey | undefined
  /** Issuer master keys of scripts: for their integrity, and for their encrypted parts. */
  readonly imk_smi: CardKey
  readonly imk_smc: CardKey
  /** Zone PIN keys: PIN blocks of format 0 and of format 4. */
  readonly zpk: CardKey
  readonly zpk_aes: CardKey | undefined
  readonly cvv2_date_order: DateOrder
  /**
   * Makes AAVs (D-1091): in software by HMAC, in a module by its codes (D-1372). Products of
   * versions before have neither until their first challenge. The values of a product whose keys
   * were moved are taken until `until`.
   */
  readonly aav?: { readonly key: KeyObject; readonly until: Date | undefined }
  readonly aav_mac?: CardKey
}

/** A PIN as it is stored. */
export type KeptPin = {
  /** Its verification value (D-37, D-1015), from which the PIN cannot be derived without keys. */
  value: Secret
  /** Wrong PINs in a row. */
  failures: number
}

const Hex = (...bytes: number[]) =>
  Type.String({
    pattern: `^(?:${bytes.map((count) => `[0-9A-Fa-f]{${count * 2}}`).join('|')})$`,
  })

const DateOrderOfCvv2 = Field(
  'Order of year and month in the CVV2 computation; YYMM for a new product.',
  OneOf(['YYMM', 'MMYY']),
)
const CheckValue = (key: string) =>
  Type.String({ description: `Check value of the key ${key} in hex.` })

/** Test keys of D-71, in hex. Keys left out are unchanged; the CVK is sent whole or in halves. */
export const TestKeys = Strict(
  {
    cvk: Type.Optional(
      Field(
        'Card verification key: a TDES key of 16 bytes in hex; not with cvk_a or cvk_b.',
        Hex(16),
      ),
    ),
    cvk_a: Type.Optional(
      Field('First half of the card verification key: 8 bytes in hex; requires cvk_b.', Hex(8)),
    ),
    cvk_b: Type.Optional(
      Field('Second half of the card verification key: 8 bytes in hex; requires cvk_a.', Hex(8)),
    ),
    pvk: Type.Optional(Field('PIN verification key: a TDES key of 16 bytes in hex.', Hex(16))),
    pvki: Type.Optional(
      Type.String({
        pattern: '^[0-9]$',
        description: 'Index of the PIN verification key: one digit.',
      }),
    ),
    imk_ac: Type.Optional(
      Field(
        'Issuer master key of application cryptograms: TDES, 16 bytes in hex; null for cards ' +
          'without a chip.',
        Nullable(Hex(16)),
      ),
    ),
    imk_smi: Type.Optional(
      Field('Issuer master key of the integrity of scripts: TDES, 16 bytes in hex.', Hex(16)),
    ),
    imk_smc: Type.Optional(
      Field(
        'Issuer master key of the confidentiality of scripts: TDES, 16 bytes. No script uses it.',
        Hex(16),
      ),
    ),
    zpk: Type.Optional(
      Field('Zone PIN key of blocks of format 0: a TDES key of 16 bytes in hex.', Hex(16)),
    ),
    zpk_aes: Type.Optional(
      Field(
        'Zone PIN key of blocks of format 4: an AES key of 16, 24 or 32 bytes in hex.',
        Hex(16, 24, 32),
      ),
    ),
    cvv2_date_order: Type.Optional(DateOrderOfCvv2),
  },
  { minProperties: 1 },
)
export type TestKeys = Static<typeof TestKeys>

/** Contains only the check values of keys (ANSI X9.24), so that both sides can compare. */
const installedKeys = {
  card_product_id: Field('Id of the card product.', Uuid),
  version: Type.Integer({ description: 'Version of the key set; each installation adds one.' }),
  pvki: Type.String({ description: 'Index of the PIN verification key: one digit.' }),
  cvv2_date_order: DateOrderOfCvv2,
  check_values: Type.Object(
    {
      cvk: CheckValue('cvk'),
      pvk: CheckValue('pvk'),
      imk_ac: Type.Optional(
        Field(
          'Check value of the key imk_ac in hex; absent for cards without a chip.',
          Type.String(),
        ),
      ),
      imk_smi: CheckValue('imk_smi'),
      imk_smc: CheckValue('imk_smc'),
      zpk: CheckValue('zpk'),
      zpk_aes: Type.Optional(
        Field(
          'Check value of the key zpk_aes in hex; absent if the security module has no AES.',
          Type.String(),
        ),
      ),
    },
    { description: 'Check values of the keys by their names (ANSI X9.24).' },
  ),
}
export const InstalledKeys = Type.Object(installedKeys, { title: 'InstalledKeys' })
export type InstalledKeys = Static<typeof InstalledKeys>

export const ProductKeys = Type.Object(
  {
    ...installedKeys,
    protection_key_set: Type.Boolean({
      description: 'Whether a key block protection key was set: without one no key is imported.',
    }),
  },
  { title: 'ProductKeys' },
)
export type ProductKeys = Static<typeof ProductKeys>

export const ProductKeysPath = Strict({
  id: Field('Id of the tenant.', Uuid),
  card_product_id: Field('Id of the card product.', Uuid),
})

const COMPONENTS_MAX = 3

/** Hexadecimal digits with U, or a key block with S: as payment security modules show keys. */
const KEY_OF_MODULE = '^(?:U[0-9A-F]{32}|S[!-~]{20,500})$'

export const SetProtectionKey = Strict(
  {
    components: Type.Optional(
      Type.Array(Hex(16, 24, 32), {
        minItems: 1,
        maxItems: COMPONENTS_MAX,
        description: 'Components of the key in hex, of one length; the key is their exclusive or.',
      }),
    ),
    key: Type.Optional(
      Type.String({
        pattern: KEY_OF_MODULE,
        description:
          'The key as the security module shows it under its own master key, where the keys of ' +
          'cards are in a module; in place of components.',
      }),
    ),
  },
  { minProperties: 1, maxProperties: 1 },
)
export type SetProtectionKey = Static<typeof SetProtectionKey>

export const ProtectionKey = Type.Object(
  {
    card_product_id: Field('Id of the card product.', Uuid),
    check_values: Type.Object(
      {
        tdes: Type.Optional(CheckValue('as TDES, for blocks of version A, B or C')),
        aes: Type.Optional(CheckValue('as AES, for blocks of version D')),
      },
      { description: 'Check values of the key (ANSI X9.24).' },
    ),
  },
  { title: 'ProtectionKey' },
)
export type ProtectionKey = Static<typeof ProtectionKey>

export const KeyBlock = Strict({
  name: Field('Name of the key that the block contains.', OneOf(blockKeys)),
  key_block: Type.String({
    minLength: 16,
    maxLength: 512,
    pattern: '^[ -~]+$',
    description: 'Key block of ANSI X9.143 (TR-31), version A, B, C or D.',
  }),
})
export type KeyBlock = Static<typeof KeyBlock>
