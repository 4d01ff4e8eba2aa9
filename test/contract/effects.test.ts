/**
 * Everything that is accepted has an effect (D-130): each setting and member of products, cards
 * and users is named here with the file that reads it. examples.test.ts has each kind of event.
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { CardChanges, NewCard } from '#issuing/cards/schema.ts'
import { NewProduct } from '#issuing/products/schema.ts'
import { SettingsChange } from '#issuing/tenants/schema.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const IN = 'src/issuing'
const RULES = `${IN}/authorization/decide`

const settings: Readonly<Record<string, string>> = {
  default_currency: `${IN}/accounts/funding.ts`,
  time_zone: `${IN}/cards/fulfillment.ts`,
  allowed_issuing_countries: `${IN}/verification/rules/report.ts`,
  require_document_verification: `${IN}/users/rules/status.ts`,
  checks: `${IN}/verification/identity.ts`,
  privacy_notices_read_consent_given: `${IN}/verification/identity.ts`,
  require_kyc: `${IN}/users/rules/status.ts`,
  hold_days: `${RULES}/messages/authorize.ts`,
  clearing_hold_days: `${RULES}/messages/complete.ts`,
  webhook_retry_seconds: `${IN}/webhooks/worker.ts`,
  atm_deposit: `${IN}/products/rules/switches.ts`,
  card_verification_max_tries: `${RULES}/checks/proofs.ts`,
  card_order_hour: `${IN}/cards/fulfillment.ts`,
  dispute_provisional_credit: `${IN}/disputes/moves.ts`,
  challenge_messenger: `${IN}/challenges/challenges.ts`,
  challenge_url: `${IN}/challenges/sending.ts`,
  second_factor_required: 'src/callers/sessions.ts',
  pci_compliant: `${IN}/cards/cards.ts`,
  expired_idv_policy: `${IN}/verification/expiry.ts`,
  rate_limit_per_second: 'src/callers/keys.ts',
  rate_limit_burst: 'src/callers/keys.ts',
  tenant_rate_limit_per_second: 'src/callers/keys.ts',
  tenant_rate_limit_burst: 'src/callers/keys.ts',
  api_keys_max: `${IN}/tenants/quotas.ts`,
  stored_bytes_max: `${IN}/tenants/quotas.ts`,
  responder: `${IN}/authorization/engine/asking.ts`,
  card_details_per_hour: `${IN}/cards/details_shown.ts`,
  allow_private_endpoints: `${IN}/webhooks/subscriptions.ts`,
}

/** Members of products and cards. */
const members: Readonly<Record<string, string>> = {
  id: `${IN}/products/products.ts`,
  name: `${IN}/products/store.ts`,
  currency: `${IN}/cards/issuance/new_card.ts`,
  bin: `${IN}/products/products.ts`,
  // Stored for people and returned as it was sent.
  description: `${IN}/products/schema.ts`,
  pan_range: `${IN}/products/rules/terms.ts`,
  link_account_to_card: `${IN}/cards/issuance/accounts.ts`,
  virtual_to_physical_expiry_duration: `${IN}/cards/migration.ts`,
  initial_status_of_physical_card: `${IN}/cards/rules/issue.ts`,
  initial_status_of_virtual_card: `${IN}/cards/rules/issue.ts`,
  card_validity_months: `${IN}/cards/issuance/create.ts`,
  pin: `${IN}/pins/pins.ts`,
  auth_settings: `${IN}/authorization/engine/store/cards.ts`,
  num_of_cards_per_user: `${IN}/cards/issuance/create.ts`,
  partial_approval: `${RULES}/checks/checks.ts`,
  identify_above: `${RULES}/money/approval.ts`,
  clearing_tolerance_percent: `${RULES}/messages/complete.ts`,
  unlinked_credit_max_amount: `${RULES}/messages/credit.ts`,
  unlinked_credit_max_daily_amount: `${RULES}/messages/credit.ts`,
  emv: `${RULES}/checks/chip.ts`,
  otp_3ds: `${RULES}/checks/phone.ts`,
  responder: `${RULES}/checks/responder.ts`,
  charges: `${IN}/charges/charges.ts`,
  allow_negative_charges: `${IN}/charges/charges.ts`,
  allowed_countries_id: `${IN}/lists/lists.ts`,
  allowed_mccs_id: `${IN}/lists/lists.ts`,
  allowed_merchants_id: `${IN}/lists/lists.ts`,
  user_id: `${IN}/cards/issuance/create.ts`,
  card_type: `${IN}/cards/issuance/new_card.ts`,
  card_product_id: `${IN}/cards/issuance/create.ts`,
  expiry_date: `${IN}/cards/issuance/create.ts`,
  account_id: `${IN}/cards/issuance/accounts.ts`,
  production: `${IN}/card_orders/file/records.ts`,
  reference_card_id: `${IN}/cards/issuance/create.ts`,
  name_on_card: `${IN}/cards/issuance/new_card.ts`,
  // The embosser and the courier read them from the card.
  shipping_details: `${IN}/cards/issuance/new_card.ts`,
  delivery_method: `${IN}/cards/issuance/new_card.ts`,
  change_to_physical: `${IN}/cards/cards.ts`,
}

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')

/** Every name has a place, every place mentions its name, and nothing else is named. */
function check(names: readonly string[], places: Readonly<Record<string, string>>): void {
  assert.deepEqual([...new Set(names)].sort(), Object.keys(places).sort())
  for (const [name, path] of Object.entries(places)) {
    const text = withoutComments(readFileSync(path, 'utf8'))
    assert.match(text, new RegExp(`\\b${name}\\b`), `${path} does not mention ${name}`)
  }
}

describe('what is accepted has an effect', () => {
  test('every setting of a tenant is read', () => {
    check(Object.keys(SettingsChange.properties), settings)
  })

  test('every member of a product and of a card is read', () => {
    const names = [NewProduct, NewCard, CardChanges].flatMap((schema) =>
      Object.keys(schema.properties),
    )
    check(names, members)
  })
})
