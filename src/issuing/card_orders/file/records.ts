/** The values of a card in a record of a file: those that the batch froze or that its keys make. */

import type { CardRow } from '#issuing/cards/cards.ts'
import type { ShippingDetails } from '#issuing/cards/schema.ts'
import type { ProductRow } from '#issuing/products/products.ts'
import type { KeySet } from '#issuing/vault/schema.ts'
import type { Context } from '#kit/context.ts'
import type { Secret } from '#lib/secret.ts'
import { formOfKept, offsetDigits } from '#pin/kept.ts'
import { cardValues } from '../card_values.ts'
import { addressFields } from './fields.ts'
import type { Values } from './layout.ts'
import { track1, track2 } from './tracks.ts'

type Address = NonNullable<ShippingDetails['address']>

/** Everything of a record that is stored with its batch. Texts are empty where there is nothing. */
export type Frozen = {
  reason: 'NEW' | 'REPLACEMENT' | 'MIGRATION'
  /** YYYY-MM. */
  expiry_date: string
  valid_from: string
  name: string | null
  second_line: string
  service_code: string
  chip_profile: string
  carrier: string
  delivery_method: string
  tracking: boolean
  ship: Address
  return: Address
  /** Whether the block of a mailer belongs to the record. */
  mailer: boolean
}

const SERVICE_CODE_WITH_CHIP = '201'
const SERVICE_CODE_WITHOUT = '101'
const SEQUENCE_NUMBER = '00'

/** The parts of a card that its record rests on. */
export type CardToMake = Pick<
  CardRow,
  | 'name_on_card'
  | 'expiry_date'
  | 'created'
  | 'reference_card_id'
  | 'migration_started'
  | 'delivery_method'
  | 'shipping_details'
>

export function frozenOf(
  card: CardToMake,
  { production }: Pick<ProductRow, 'production'>,
  { has_chip, mailer }: { has_chip: boolean; mailer: boolean },
): Frozen {
  const { shipping_details: shipping, delivery_method } = card
  return {
    reason: reasonOf(card),
    expiry_date: card.expiry_date,
    valid_from: card.created.toISOString().slice(0, 7),
    name: card.name_on_card?.toUpperCase() ?? null,
    second_line: production?.second_line?.toUpperCase() ?? '',
    service_code:
      production?.service_code ?? (has_chip ? SERVICE_CODE_WITH_CHIP : SERVICE_CODE_WITHOUT),
    chip_profile: production?.chip_profile ?? '',
    carrier: production?.carrier ?? '',
    delivery_method: delivery_method ?? shipping?.method ?? '',
    tracking: production?.tracking ?? false,
    ship: shipping?.address ?? {},
    return: shipping?.return_address ?? {},
    mailer,
  }
}

function reasonOf({ migration_started, reference_card_id }: CardToMake): Frozen['reason'] {
  if (migration_started !== null) return 'MIGRATION'
  return reference_card_id === null ? 'NEW' : 'REPLACEMENT'
}

/** The secrets of a card; the value of its PIN is as the vault has it. */
export type Secrets = { pan: Secret; kept_pin: Secret | null; pin_block: Secret | null }

/** The values of a record, by the fields of fields.ts. They leave only in the file. */
export async function valuesOf(
  ctx: Pick<Context, 'custody'>,
  id: string,
  frozen: Frozen,
  secrets: Secrets,
  keys: KeySet,
): Promise<Values> {
  const { expiry_date, valid_from, service_code, name } = frozen
  const { pan, kept_pin, pin_block } = secrets
  const { cvv, icvv, cvv2 } = await cardValues(ctx, keys, { pan, expiry_date, service_code })
  const isOffset = kept_pin !== null && formOfKept(kept_pin) === 'OFFSET'
  // A stripe has room for a PVV alone.
  const pvv = isOffset ? null : (kept_pin?.map(firstPart) ?? null)
  const expiry = yymm(expiry_date)
  const stripe = { pan, name, expiry, service_code, pvki: keys.pvki, pvv, cvv }
  return {
    order_id: id,
    reason: frozen.reason,
    pan: pan.reveal(),
    pan_embossed: pan.reveal().replace(/(\d{4})(?=\d)/g, '$1 '),
    sequence_number: SEQUENCE_NUMBER,
    expiry,
    expiry_embossed: embossed(expiry_date),
    valid_from: yymm(valid_from),
    valid_from_embossed: embossed(valid_from),
    name: name ?? '',
    second_line: frozen.second_line,
    service_code,
    track1: track1(stripe).reveal(),
    track2: track2(stripe).reveal(),
    icvv: icvv.reveal(),
    cvv2: cvv2.reveal(),
    chip_profile: frozen.chip_profile,
    pvki: pvv === null ? '' : keys.pvki,
    pvv: (isOffset ? offsetDigits(kept_pin) : pvv)?.reveal() ?? '',
    pin_block: frozen.mailer ? (pin_block?.reveal() ?? '') : '',
    carrier: frozen.carrier,
    delivery_method: frozen.delivery_method,
    tracking: frozen.tracking ? 'Y' : '',
    ...addressOf('ship', frozen.ship),
    ...addressOf('return', frozen.return),
  }
}

const addressOf = (prefix: string, address: Address): Values =>
  Object.fromEntries(addressFields.map((name) => [`${prefix}_${name}`, address[name] ?? '']))

/** The stored value of a PIN longer than four digits has the PVV of its first four behind a colon. */
const firstPart = (pvv: string) => (pvv.includes(':') ? (pvv.split(':')[1] ?? '') : pvv)

const yymm = (month: string) => month.slice(2, 4) + month.slice(5, 7)
const embossed = (month: string) => `${month.slice(5, 7)}/${month.slice(2, 4)}`
