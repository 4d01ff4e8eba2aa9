/** The values of the profile of each mode (D-378). */

import type { Profile } from '#kit/profile.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** Metrics are at the address of the APIs if they have none of their own (D-968). */
    readonly metrics_beside_apis: boolean
  }
}

export const PROFILES: Readonly<Record<'sandbox' | 'live', Profile>> = {
  sandbox: {
    moves_clocks: true,
    test_clearing: true,
    plain_http: true,
    private_endpoints: true,
    responder_listener: true,
    webhook_receivers: true,
    test_payments: true,
    tester_moves: true,
    strict_terms: false,
    keeps_mails: true,
    starts_funded: true,
    confirms_sign_up: false,
    sign_ups_most: 1_000,
    resets_most: 1_000,
    invitations_most: 1_000,
    card_details_per_hour: null,
    stored_bytes_max: 2_000_000_000,
    metrics_beside_apis: true,
    second_factor: false,
  },
  live: {
    moves_clocks: false,
    test_clearing: false,
    plain_http: false,
    private_endpoints: false,
    responder_listener: false,
    webhook_receivers: false,
    test_payments: false,
    tester_moves: false,
    strict_terms: true,
    keeps_mails: false,
    starts_funded: false,
    confirms_sign_up: true,
    sign_ups_most: 20,
    resets_most: 20,
    invitations_most: 100,
    card_details_per_hour: 1_000,
    stored_bytes_max: null,
    metrics_beside_apis: false,
    second_factor: true,
  },
}
