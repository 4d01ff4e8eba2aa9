/** Files of programmes. */

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '#test/support/processes/scratch.ts'

const folder = scratchFolder('bezant-programme-')
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
let files = 0

/** The path of a file with this text. */
export function fileOf(text: string | Buffer): string {
  files += 1
  const path = join(folder, `programme-${files}.yaml`)
  writeFileSync(path, text)
  return path
}

export const PASSWORD = 'open-sesame-1'
export const TOKEN = 'Bearer token-value-2'
export const ENVIRONMENT = { HOOK_PASSWORD: PASSWORD, HOOK_TOKEN: TOKEN }

/** One of everything, with members that are not the defaults. */
export const EVERYTHING = `version: 1
settings:
  default_currency: USD
  time_zone: Asia/Dubai
  allowed_issuing_countries: [AE, IND]
  checks: [DOCUMENT]
  hold_days: 9
  webhook_retry_seconds: [60, 5]
  responder: { url: "http://127.0.0.1:9/ask", timeout_ms: 1500, default_action: APPROVE }
allowed_countries:
  Gulf: { country_codes: [OM, ARE, "682"] }
allowed_mccs:
  Groceries: { mccs: ["5499", "5411"] }
  "Gambling: none #1": { allow: false, mode: SHADOW, mccs: ["7995", "0742"] }
allowed_merchants:
  "متاجر":
    merchants: [{ merchant_id: shop-2, allow: true }, { allow: false, merchant_id: shop-1 }]
velocity_limits:
  Monthly spend: { type: CUMULATIVE, currency: AED, max_amount: 5000.5, period: MONTHLY }
  "2":
    type: PER_TRANSACTION
    currency: AED
    min_amount: 1
    transaction_scope: [WITHDRAWALS, PURCHASES]
balance_limits:
  Floor: { type: PER_ACCOUNT, currency: AED, min_amount: 10 }
card_products:
  Everyday:
    currency: AED
    bin: "73345670"
    description: "For all\\nof us: # not a comment"
    pan_range: { start_range: 100, end_range: 900000 }
    pin: { length: 6 }
    auth_settings: { atm: false, max_amount: 750.25, recurring: true }
    allowed_countries: Gulf
    allowed_mccs: "Gambling: none #1"
    allowed_merchants: "متاجر"
    num_of_cards_per_user: 3
    unlinked_credit_max_amount: 100
    emv: REQUIRED
    charges:
      - { type: MONTHLY, amount: 5, description: Monthly fee }
      - { type: FOREIGN_CURRENCY, percent: 2.5 }
    velocity_limits: [Monthly spend, "2"]
    balance_limits: [Floor]
  Plain: { currency: USD, bin: "73345671" }
webhooks:
  http://127.0.0.1:9/hook:
    events: [TRANSACTION, CARD_STATUS_CHANGE]
    config:
      basic_auth_username: shop
      basic_auth_password: \${env:HOOK_PASSWORD}
      custom_headers: [{ header_name: X-Token, header_value: "\${env:HOOK_TOKEN}" }]
  http://127.0.0.1:9/hook?off: { events: [TRANSACTION], status: DISABLED }
`
