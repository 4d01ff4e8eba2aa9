/**
 * The differences between the modes of a deployment, as data (D-378). The mode chooses one profile
 * when the program is assembled; use cases read the members of it and never the mode.
 */
export type Profile = Readonly<{
  /** The clock of a tenant may be moved (D-70). */
  moves_clocks: boolean
  /** Clients may name pages and endpoints without TLS, as on a developer's machine (D-65). */
  plain_http: boolean
  /** A tenant may receive webhooks at loopback addresses (D-115, D-1004). */
  private_endpoints: boolean
  /** A tenant may answer the questions of its responder by calls (D-510). */
  responder_listener: boolean
  /** A tenant may receive its webhooks at addresses of the program (D-640). */
  webhook_receivers: boolean
  /** Payments are tests: the payment page states that, and offers test cards (D-706, D-707). */
  test_payments: boolean
  /** Clients may make the moves of the table of statuses that exist for testers (D-116). */
  tester_moves: boolean
  /** A term that a product leaves unset has its strictest value (D-315, D-325). */
  strict_terms: boolean
  /** Mails that are not sent are kept for the operator to read (D-142). */
  keeps_mails: boolean
  /** A tenant that signs up has funds and a card product at once (D-134). */
  starts_funded: boolean
  /** A registration is confirmed by a mail before it takes effect (D-134). */
  confirms_sign_up: boolean
  /** Registrations of one address of the network within 15 minutes (D-886). */
  sign_ups_most: number
  /** Requests for a new password of one address of the network within 15 minutes (D-922). */
  resets_most: number
  /** Invitations of one team, and of one address of the network, within 15 minutes (D-939). */
  invitations_most: number
  /** Card details shown to a tenant within an hour, if its settings do not say (D-1003). */
  card_details_per_hour: number | null
  /** Bytes of the files of a tenant, if its settings do not say (D-1005). */
  stored_bytes_max: number | null
  /** Metrics are at the address of the APIs if they have none of their own (D-968). */
  metrics_beside_apis: boolean
  /** Members of a tenant need a second factor if its settings do not say otherwise (D-140). */
  second_factor: boolean
}>

export const PROFILES: Readonly<Record<'sandbox' | 'live', Profile>> = {
  sandbox: {
    moves_clocks: true,
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
