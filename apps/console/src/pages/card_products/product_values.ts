/** Values of the form of a product, and the body that it sends. */

import { answered, issuing } from '../../api/client.ts'
import type { CardProduct, ProductChanges } from '../../api/types.ts'
import type { Match } from '../../api/versions.ts'
import { amountOf, codeOf, plainDigits } from '../../parts/typed_text.ts'

type InitialStatus = CardProduct['initial_status_of_virtual_card']

export type ProductValues = {
  name: string
  description: string
  currency: string
  bin: string
  card_validity_months: string
  num_of_cards_per_user: string
  clearing_tolerance_percent: string
  identify_above: string
  initial_status_of_virtual_card: InitialStatus
  initial_status_of_physical_card: InitialStatus
  link_account_to_card: boolean
  partial_approval: boolean
  otp_3ds: boolean
  refuse_weak: boolean
  pin_length: string
  max_tries: string
  pin_verification: CardProduct['pin']['verification']
  service_code: string
  chip_profile: string
  carrier: string
  second_line: string
  pin_mailer: boolean
  tracking: boolean
  responder: CardProduct['responder']
}

/** The defaults of the API (D-29), so that the form shows what would be. */
export const newProduct = (currency: string): ProductValues => ({
  name: '',
  description: '',
  currency,
  bin: '',
  card_validity_months: '36',
  num_of_cards_per_user: '',
  clearing_tolerance_percent: '15',
  identify_above: '',
  initial_status_of_virtual_card: 'INACTIVE',
  initial_status_of_physical_card: 'INACTIVE',
  link_account_to_card: true,
  partial_approval: false,
  otp_3ds: false,
  refuse_weak: true,
  pin_length: '4',
  max_tries: '3',
  pin_verification: 'PVV',
  service_code: '',
  chip_profile: '',
  carrier: '',
  second_line: '',
  pin_mailer: false,
  tracking: false,
  responder: 'ASK',
})

export const valuesOf = (product: CardProduct): ProductValues => ({
  name: product.name,
  description: product.description ?? '',
  currency: product.currency,
  bin: product.bin,
  card_validity_months: String(product.card_validity_months),
  num_of_cards_per_user: String(product.num_of_cards_per_user ?? ''),
  clearing_tolerance_percent: String(product.clearing_tolerance_percent),
  identify_above: String(product.identify_above ?? ''),
  initial_status_of_virtual_card: product.initial_status_of_virtual_card,
  initial_status_of_physical_card: product.initial_status_of_physical_card,
  link_account_to_card: product.link_account_to_card,
  partial_approval: product.partial_approval,
  otp_3ds: product.otp_3ds,
  refuse_weak: product.pin.refuse_weak,
  pin_length: String(product.pin.length),
  max_tries: String(product.pin.max_tries),
  pin_verification: product.pin.verification,
  service_code: product.production?.service_code ?? '',
  chip_profile: product.production?.chip_profile ?? '',
  carrier: product.production?.carrier ?? '',
  second_line: product.production?.second_line ?? '',
  pin_mailer: product.production?.pin_mailer ?? false,
  tracking: product.production?.tracking ?? false,
  responder: product.responder,
})

/** BIN and currency stay: they cannot change once a card number has been issued. */
export function bodyOf(values: ProductValues) {
  const { pin_length, max_tries, refuse_weak, pin_verification: verification, ...rest } = values
  const { service_code, chip_profile, carrier, second_line, pin_mailer, tracking, ...more } = rest
  const { currency, bin: _bin, ...others } = more
  const pin = { length: numberOf(pin_length), max_tries: numberOf(max_tries), refuse_weak }
  const texts = { chip_profile, carrier, second_line, service_code: codeOf(service_code) }
  return {
    ...others,
    description: orNull(values.description),
    identify_above: orNull(amountOf(values.identify_above, currency)),
    card_validity_months: numberOf(values.card_validity_months),
    clearing_tolerance_percent: numberOf(values.clearing_tolerance_percent),
    num_of_cards_per_user:
      values.num_of_cards_per_user === '' ? null : numberOf(values.num_of_cards_per_user),
    pin: { ...pin, verification },
    production: productionOf(texts, { pin_mailer, tracking }),
  }
}

/** All of it, for the server replaces the whole; null where all members have their defaults. */
function productionOf(texts: Record<string, string>, choices: Record<string, boolean>) {
  const written = Object.entries(texts).filter(([, text]) => text.trim() !== '')
  const chosen = Object.entries(choices).filter(([, is]) => is)
  if (written.length + chosen.length === 0) return null
  return Object.fromEntries([...written.map(([name, text]) => [name, text.trim()]), ...chosen])
}

const numberOf = (text: string) => Number(plainDigits(text))

const orNull = (text: string) => (text.trim() === '' ? null : text.trim())

export function createProduct(values: ProductValues, key: string): Promise<CardProduct> {
  const { currency } = values
  const bin = codeOf(values.bin)
  const body = { ...bodyOf(values), currency, bin }
  return answered(issuing.cardProducts.create(body, { idempotencyKey: key }))
}

export const readProduct = (id: string): Promise<CardProduct> =>
  answered(issuing.cardProducts.get(id))

export function updateProduct(
  id: string,
  body: ProductChanges,
  match: Match,
): Promise<CardProduct> {
  return answered(issuing.cardProducts.update(id, body, match))
}
