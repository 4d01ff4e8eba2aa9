export interface Token {
  /** Bearer token: a signed JWT. */
  token: string
}

export interface FieldErrors {
  [key: string]: (string | FieldErrors)[] | FieldErrors
}

export interface Detail {
  /** The fault. */
  detail: string
}

export interface KeptCard {
  /**
   * Format: uuid
   * Id of the kept card.
   */
  id: string
  /** Name of the customer in the shop, `order.customer.reference`. */
  customer: string
  /** `EXPIRED` after the month of `expiry_date`, else `ACTIVE`. Whether a card can be used is for its issuer to say. */
  status: 'ACTIVE' | 'EXPIRED'
  /** Brand by the first digits; absent if they are of none known. */
  brand?: string
  /** The last four digits of the number. */
  last_four: string
  /** The last month in which the card can be used, YYYY-MM. */
  expiry_date: string
  /** The consent of the customer. */
  consent: {
    /** Language and version of the sentence that the customer agreed to. */
    text: string
    /** Time of the payment with which it was agreed to, UTC with six decimals. */
    given_at: string
  }
  /** Time at which a payment was last begun, UTC with six decimals. */
  used_at?: string
  /** Time at which the card was kept, UTC with six decimals. */
  created_at: string
  /** Time of the last change, UTC with six decimals. */
  updated_at: string
}

export interface Checkout {
  /** Reference of the order, unique for the merchant: 1 to 100 visible characters without space, slash and colon, other than `.` and `..`. A number keeps all of its digits: it is returned as text where a JSON number would lose some. */
  reference: string | number
  /** Reference that the customer sees; `reference` where it is absent or blank. */
  display_reference?: string | number | null
  /** Description of the order. */
  description?: string | null
  /** Amount to pay in major units, as a number or text with up to four decimals. The card pays it rounded half-even to the decimals of the currency: at least one minor unit, at most twelve digits of them. */
  total: number | string
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Details of the order. */
  order?: {
    /** Tax in major units; it is rounded to four decimals. */
    tax_amount?: string | number | null
    /** Shipping costs in major units; they are rounded to four decimals. */
    shipping_amount?: string | number | null
    /** Discount in major units, rounded to four decimals; its absolute value counts. */
    discount?: string | number | null
    /** Customer of the order. */
    customer?: {
      /** First name. */
      first_name?: string | null
      /** Last name. */
      last_name?: string | null
      /** E-mail address. */
      email?: string | null
      /** Phone number. */
      phone?: string | number | null
      /** Name of the customer in the shop, 1 to 100 characters: with the setting `kept_cards` of the merchant, the payment page offers the cards that this customer let the shop keep. */
      reference?: string | number | null
    } | null
    /** Billing address of the order. */
    billing_address?: {
      /** Title of the person. */
      title?: string | null
      /** First name. */
      first_name?: string | null
      /** Last name. */
      last_name?: string | null
      /** First line of the address. */
      line1?: string | null
      /** Second line of the address. */
      line2?: string | null
      /** Third line of the address. */
      line3?: string | null
      /** Fourth line of the address. */
      line4?: string | null
      /** State or province. */
      state?: string | null
      /** Postal code. */
      postcode?: string | number | null
      /** ISO 3166-1 alpha-2 code; it may be empty. */
      country?: string | null
      /** Phone number. */
      phone?: string | number | null
    } | null
    /** Shipping address of the order. */
    shipping_address?: {
      /** Title of the person. */
      title?: string | null
      /** First name. */
      first_name?: string | null
      /** Last name. */
      last_name?: string | null
      /** First line of the address. */
      line1?: string | null
      /** Second line of the address. */
      line2?: string | null
      /** Third line of the address. */
      line3?: string | null
      /** Fourth line of the address. */
      line4?: string | null
      /** State or province. */
      state?: string | null
      /** Postal code. */
      postcode?: string | number | null
      /** ISO 3166-1 alpha-2 code; it may be empty. */
      country?: string | null
      /** Phone number. */
      phone?: string | number | null
    } | null
    /** Order lines; stored and returned unchanged, but for the decimals of their prices. */
    lines?:
      | {
          /** Stock keeping unit. */
          sku?: string | number | null
          /** Reference of the line. */
          reference?: string | number | null
          /** Name of the item. */
          title?: string | null
          /** Universal product code. */
          upc?: string | number | null
          /** Number of items. */
          quantity?: string | number | null
          /** Price in major units; it is rounded to four decimals. */
          price?: string | number | null
          /** ISO 4217 alphabetic code of the price. */
          currency?: string | null
          /** URL of an image of the item. */
          image_url?: string | null
        }[]
      | null
  } | null
  /** URL to which the payment page redirects the customer after the payment. It is absolute, http or https (in live https), with a name or an IP address as its host, which is one of the `callback_hosts` of the merchant where it has some. */
  confirm_callback_url: string
  /** URL to which the payment page redirects the customer after the third declined payment, and to which its form leads back. It is absolute, http or https (in live https), with a name or an IP address as its host, which is one of the `callback_hosts` of the merchant where it has some. */
  reject_callback_url: string
  /** Payment plan; `pay-now` is the only one and the default. */
  plan?: string | null
  /** Returned unchanged, without effect: capture the order explicitly. */
  completes?: boolean | null
  /** URL of the payment page of the customer. It has a query: `&lang=ar` behind it makes the page Arabic, `&lang=en` English. */
  checkout_url: string
}

export interface KeptPayment {
  /** `FAILURE` states that no money has moved. */
  status: 'SUCCESS' | 'FAILURE'
  /** Always `PAYMENT`. */
  type: string
  /** Reference of the request. */
  reference: string
  /**
   * Format: uuid
   * Id of the order that was made; on success only.
   */
  order_id?: string
  /** Total of the request, in major units, four decimals. */
  amount: string
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Why no money was moved; on failure only. `recurring_stopped`: the cardholder or the issuer has ended recurring payments to this shop, so ask the customer and do not repeat the payment. */
  reason?:
    | 'insufficient_funds'
    | 'card_data_wrong'
    | 'security_failed'
    | 'limit_exceeded'
    | 'card_unusable'
    | 'authentication_required'
    | 'recurring_stopped'
    | 'issuer_unavailable'
    | 'declined'
}

export interface Order {
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Reference that the customer sees; `reference` by default. */
  display_reference: string
  /** Description of the checkout; empty when none. */
  description: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Tax in major units, with four decimals; null when the checkout had none. */
  tax_amount: string | null
  /** Shipping costs in major units, with four decimals; null when the checkout had none. */
  shipping_amount: string | null
  /** Discount in major units, with four decimals, never negative; null when the checkout had none. */
  discount: string | null
  /** Customer of the checkout. */
  customer: {
    /** First name; null when the checkout had none. */
    first_name: string | null
    /** Last name; null when the checkout had none. */
    last_name: string | null
    /** E-mail address; empty when the checkout had none. */
    email: string
    /** Phone number as sent with the checkout, as text or number. */
    phone: unknown
  }
  /** Billing address as sent with the checkout. */
  billing_address: {
    [key: string]: unknown
  } | null
  /** Shipping address as sent with the checkout. */
  shipping_address: {
    [key: string]: unknown
  } | null
  /** Order lines as sent with the checkout. */
  lines: {
    [key: string]: unknown
  }[]
  /** Time of the authorization, UTC with six decimals. */
  created_at: string
  /** Time of the last change, UTC with six decimals. */
  updated_at: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** `OPENED` from the authorization, `COMPLETED` from the capture, the last one where there are several. */
  status: 'OPENED' | 'COMPLETED'
  /** Sum of the captures in major units, with four decimals; `0` when there are none. Present only where the order may be captured in parts. */
  total_captured?: string
  /** Sum of the refunds in major units, with four decimals; `0` when there are none. */
  total_refund: string
  /** Deadline of the capture, UTC with six decimals and the offset `+00:00`. */
  capture_expiration: string
  /** Display name of the merchant. */
  employee_name: string
}

export interface OrderTotals {
  /** One object for each currency, by its code. */
  data: {
    /** ISO 4217 alphabetic code of the order. */
    currency: string
    /** Number of the orders. */
    count: number
    /** Sum of their totals, in major units, with four decimals. */
    authorized: string
    /** Sum of what is captured, in major units, with four decimals. */
    captured: string
    /** Sum of what is refunded, in major units, with four decimals. */
    refunded: string
  }[]
}

export interface OrderOperation {
  /**
   * Format: uuid
   * Id of the capture or refund, as in its event.
   */
  transaction_id: string
  /** Whether it is a capture or a refund. */
  type: 'CAPTURE' | 'REFUND'
  /** `PENDING` until the outcome is known; `FAILURE` states that no money has moved. */
  status: 'PENDING' | 'SUCCESS' | 'FAILURE'
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /** Reference of the order. */
  reference: string
  /** Number of the order. */
  order_number: string
  /** Amount in major units, with four decimals. */
  amount: string
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Whether it is the last capture of its order; present for captures of an order that may be captured in parts. */
  final?: boolean
  /** Fee that the merchant pays for it if it succeeds, in major units, with four decimals. */
  fee: string
  /**
   * Format: uuid
   * Payout that it is in; absent until there is one.
   */
  payout_id?: string
  /** Time of the request, UTC with six decimals. */
  created_at: string
  /** Time of the last change, UTC with six decimals. */
  updated_at: string
}

export interface CaptureResult {
  /** `FAILURE` states that no money has moved. */
  status: 'SUCCESS' | 'FAILURE'
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /** Captured amount in major units, with four decimals; on success only. */
  amount?: string
  /** ISO 4217 alphabetic code of the order; on success only. */
  currency?: string
  /** Always `CAPTURE`; on success only. */
  type?: string
  /** Whether the order is completed; present on success, where the order may be captured in parts. */
  final?: boolean
}

export interface RefundResult {
  /** `FAILURE` states that no money has moved. */
  status: 'SUCCESS' | 'FAILURE'
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /** Amount of this refund in major units, with four decimals. */
  amount: string
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Always `REFUND`. */
  type: string
  /**
   * Format: uuid
   * Id of this refund.
   */
  transaction_id: string
}

export interface MerchantDispute {
  /**
   * Format: uuid
   * Id of the dispute.
   */
  dispute_id: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /** Reference of the order. */
  reference: string
  /** `NEEDS_RESPONSE` until the merchant sends evidence or accepts, at the latest at `respond_by`. `UNDER_REVIEW` until it is decided. `WON` and `WITHDRAWN` give the amount back. */
  status: 'NEEDS_RESPONSE' | 'UNDER_REVIEW' | 'WON' | 'LOST' | 'ACCEPTED' | 'WITHDRAWN'
  /** Reason of the cardholder, in the words of the network. */
  reason: string
  /** Code of the scheme. */
  reason_code?: string
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Amount that the network took back, in major units, with four decimals. */
  amount: string
  /** Amount that was given back, in major units, with four decimals; of what is `WON` or `WITHDRAWN`. */
  returned?: string
  /** Fee of the dispute, in major units, with four decimals; it is not given back. */
  fee: string
  /** Until when the merchant may answer, UTC with six decimals. */
  respond_by?: string
  /** Evidence that the merchant has sent. */
  evidence: {
    /**
     * Format: not-blank
     * What the merchant says about it.
     */
    explanation?: string
    /**
     * Format: not-blank
     * Carrier, tracking number and day of the delivery.
     */
    shipping_tracking?: string
    /**
     * Format: not-blank
     * Who received it, when and where.
     */
    proof_of_delivery?: string
    /**
     * Format: not-blank
     * Messages with the customer.
     */
    customer_communication?: string
    /**
     * Format: not-blank
     * The terms that the customer accepted.
     */
    refund_policy?: string
    /**
     * Format: not-blank
     * The receipt or invoice.
     */
    receipt?: string
    /**
     * Format: not-blank
     * The payment that is said to be the same one.
     */
    other_transaction?: string
  }
  /** Time at which it was opened, UTC with six decimals. */
  created_at: string
  /** Time of the last change, UTC with six decimals. */
  updated_at: string
}

export interface MerchantEvidence {
  /**
   * Format: not-blank
   * What the merchant says about it.
   */
  explanation?: string
  /**
   * Format: not-blank
   * Carrier, tracking number and day of the delivery.
   */
  shipping_tracking?: string
  /**
   * Format: not-blank
   * Who received it, when and where.
   */
  proof_of_delivery?: string
  /**
   * Format: not-blank
   * Messages with the customer.
   */
  customer_communication?: string
  /**
   * Format: not-blank
   * The terms that the customer accepted.
   */
  refund_policy?: string
  /**
   * Format: not-blank
   * The receipt or invoice.
   */
  receipt?: string
  /**
   * Format: not-blank
   * The payment that is said to be the same one.
   */
  other_transaction?: string
}

export interface MerchantDisputeUpload {
  /**
   * Format: uuid
   * Id of the new file; generated when absent.
   */
  id?: string
  /** Name of the file; that of its part when absent. */
  file_name?: string
  /**
   * Format: binary
   * Content of a single file.
   */
  file?: Blob
  /** Contents of one to five files. */
  files?: Blob[]
}

export interface MerchantDisputeFile {
  /**
   * Format: uuid
   * Id of the file.
   */
  id: string
  /**
   * Format: uuid
   * Id of the dispute.
   */
  dispute_id: string
  /** Name of the file. */
  file_name: string
  /** Media type under which the file is served. */
  content_type: string
  /** Size in bytes. */
  size: number
  /** SHA-256 of the content, in hex. */
  sha256: string
  /** Result of the virus scan, absent without a scanner; only a CLEAN file is served then. */
  scan_status?: 'HELD' | 'CLEAN' | 'INFECTED'
  /** Time of the upload, UTC with six decimals. */
  created_at: string
}

export interface Statement {
  /** First day, YYYY-MM-DD. */
  from: string
  /** Last day, YYYY-MM-DD. */
  to: string
  /** One object for each currency, by its code. */
  data: {
    /** ISO 4217 alphabetic code. */
    currency: string
    /** Number of the captures. */
    captures: number
    /** Sum of the captures, in major units, with four decimals. */
    captured: string
    /** Number of the refunds. */
    refunds: number
    /** Sum of the refunds, in major units, with four decimals. */
    refunded: string
    /** Number of the disputes that were opened; absent for none. */
    chargebacks?: number
    /** Sum of what disputes took, less what they gave back; absent if nothing moved, in major units, with four decimals. */
    charged_back?: string
    /** Sum of the fees of all, in major units, with four decimals. */
    fees: string
    /** `captured` less `refunded`, `charged_back` and `fees`, in major units, with four decimals. */
    net: string
    /** Sum owed to the merchant at present, of all days, in major units, with four decimals: payouts that are not PAID, and operations and disputes that are in no payout yet. */
    payout_due: string
    /** Days on which something was captured, refunded or disputed, in their order. */
    days: {
      /** Day, YYYY-MM-DD. */
      day: string
      /** Number of the captures. */
      captures: number
      /** Sum of the captures, in major units, with four decimals. */
      captured: string
      /** Number of the refunds. */
      refunds: number
      /** Sum of the refunds, in major units, with four decimals. */
      refunded: string
      /** Number of the disputes that were opened; absent for none. */
      chargebacks?: number
      /** Sum of what disputes took, less what they gave back; absent if nothing moved, in major units, with four decimals. */
      charged_back?: string
      /** Sum of the fees of all, in major units, with four decimals. */
      fees: string
      /** `captured` less `refunded`, `charged_back` and `fees`, in major units, with four decimals. */
      net: string
    }[]
  }[]
}

export interface Payout {
  /**
   * Format: uuid
   * Id of the payout.
   */
  payout_id: string
  /** `PENDING` until the operator has paid it (`PAID`) or could not (`FAILED`; it is still owed). `CARRIED` states that there is nothing to pay, and that the next payout takes what is below zero over. */
  status: 'PENDING' | 'PAID' | 'FAILED' | 'CARRIED'
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Day of its captures and refunds in UTC, YYYY-MM-DD. */
  day: string
  /** Number of the payout, counted for the merchant and the currency. */
  number: number
  /** Number of the captures. */
  captures: number
  /** Sum of the captures, in major units, with four decimals. */
  captured: string
  /** Number of the refunds. */
  refunds: number
  /** Sum of the refunds, in major units, with four decimals. */
  refunded: string
  /** Number of the disputes that were opened; absent for none. */
  chargebacks?: number
  /** Sum of what disputes took, less what they gave back; absent if nothing moved, in major units, with four decimals. */
  charged_back?: string
  /** Sum of the fees of all, in major units, with four decimals. */
  fees: string
  /** Amount carried on from the payout before it, zero or below, in major units, with four decimals. */
  carried: string
  /** Amount paid: `captured` less `refunded`, `charged_back` and `fees`, and `carried`, in major units, with four decimals. */
  amount: string
  /** Name of the transfer, or why it failed; absent while no operator has said so. */
  reference?: string
  /** Time of its making, UTC with six decimals. */
  created_at: string
  /** Time of the last change, UTC with six decimals. */
  updated_at: string
}

export interface WebhookEndpointWithSecret {
  /**
   * Format: uuid
   * Id of the endpoint.
   */
  webhook_id: string
  /** URL that receives the events by POST. */
  url: string
  /** Kinds of events that are sent to it. */
  events: string[]
  /** Only an enabled endpoint receives events. */
  enabled: boolean
  /** CLIENT, GONE (it answered 410) or FAILING (for five days); absent while enabled. */
  disabled_reason?: string
  /** Time of the first failed attempt since the last successful one, UTC with six decimals. */
  failing_since?: string
  /** Time of its creation, UTC with six decimals. */
  created_at: string
  /** Time of the last change, UTC with six decimals. */
  updated_at: string
  /** Signing secret: whsec_ and 32 bytes in base64. */
  secret: string
}

export interface WebhookEndpoint {
  /**
   * Format: uuid
   * Id of the endpoint.
   */
  webhook_id: string
  /** URL that receives the events by POST. */
  url: string
  /** Kinds of events that are sent to it. */
  events: string[]
  /** Only an enabled endpoint receives events. */
  enabled: boolean
  /** CLIENT, GONE (it answered 410) or FAILING (for five days); absent while enabled. */
  disabled_reason?: string
  /** Time of the first failed attempt since the last successful one, UTC with six decimals. */
  failing_since?: string
  /** Time of its creation, UTC with six decimals. */
  created_at: string
  /** Time of the last change, UTC with six decimals. */
  updated_at: string
}

export interface WebhookDelivery {
  /**
   * Format: uuid
   * Id of the delivery.
   */
  delivery_id: string
  /**
   * Format: uuid
   * Id of the endpoint.
   */
  webhook_id: string
  /**
   * Format: uuid
   * Id of the event, the same in each of its deliveries.
   */
  event_id: string
  /** Kind of the event. */
  event: string
  /**
   * Format: uuid
   * Id of the order or the payout that the event is about.
   */
  object_id: string
  /** RETRYING after a failed attempt, EXPIRED after the last. */
  status: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXPIRED'
  /** Attempts made since the delivery was last started. */
  attempts: number
  /** Time of the next attempt, UTC with six decimals; absent if none follows. */
  next_attempt_at?: string
  /** HTTP status of the response, if one came. */
  response_status?: number
  /** First 4096 bytes of the response. */
  response_body?: string
  /** Why it failed. */
  error?: string
  /** Time of its creation, UTC with six decimals. */
  created_at: string
  /** Time of the last change, UTC with six decimals. */
  updated_at: string
}

export interface WebhookDeliveryAttempt {
  /** From 1, over all starts of the delivery. */
  number: number
  /** Time at which the attempt began, UTC with six decimals. */
  sent_at: string
  /** Milliseconds until the response was read or the attempt given up. */
  duration_ms: number
  /** HTTP status of the response, if one came. */
  response_status?: number
  /** First 4096 bytes of the response. */
  response_body?: string
  /** Why it failed. */
  error?: string
}

export interface WebhookDeliveryWithHistory {
  /**
   * Format: uuid
   * Id of the delivery.
   */
  delivery_id: string
  /**
   * Format: uuid
   * Id of the endpoint.
   */
  webhook_id: string
  /**
   * Format: uuid
   * Id of the event, the same in each of its deliveries.
   */
  event_id: string
  /** Kind of the event. */
  event: string
  /**
   * Format: uuid
   * Id of the order or the payout that the event is about.
   */
  object_id: string
  /** RETRYING after a failed attempt, EXPIRED after the last. */
  status: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXPIRED'
  /** Attempts made since the delivery was last started. */
  attempts: number
  /** Time of the next attempt, UTC with six decimals; absent if none follows. */
  next_attempt_at?: string
  /** HTTP status of the response, if one came. */
  response_status?: number
  /** First 4096 bytes of the response. */
  response_body?: string
  /** Why it failed. */
  error?: string
  /** Time of its creation, UTC with six decimals. */
  created_at: string
  /** Time of the last change, UTC with six decimals. */
  updated_at: string
  /** The attempts of all starts of the delivery, newest first, at most 100. */
  history: WebhookDeliveryAttempt[]
}

export interface OrderAuthorizedEvent {
  /** The kind of the event. */
  event: 'ORDER_AUTHORIZED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** Status of the order. */
  status: 'OPENED' | 'COMPLETED'
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** Deadline of the capture, UTC with six decimals. */
  capture_expiration: string
}

export interface OrderCapturedEvent {
  /** The kind of the event. */
  event: 'ORDER_CAPTURED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** Status of the order. */
  status: 'OPENED' | 'COMPLETED'
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** Deadline of the capture, UTC with six decimals. */
  capture_expiration: string
  /**
   * Format: uuid
   * Id of the capture.
   */
  transaction_id: string
  /** Amount of this capture in major units, with four decimals. */
  amount: string
  /** Sum of the captures in major units, with four decimals. */
  total_captured: string
  /** Whether it is the last capture of the order. */
  final: boolean
}

export interface OrderRefundedEvent {
  /** The kind of the event. */
  event: 'ORDER_REFUNDED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** Status of the order. */
  status: 'OPENED' | 'COMPLETED'
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** Deadline of the capture, UTC with six decimals. */
  capture_expiration: string
  /**
   * Format: uuid
   * Id of the refund.
   */
  transaction_id: string
  /** Amount of this refund in major units, with four decimals. */
  amount: string
  /** Sum of the refunds in major units, with four decimals. */
  total_refund: string
}

export interface OrderCaptureExpiringEvent {
  /** The kind of the event. */
  event: 'ORDER_CAPTURE_EXPIRING'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** Status of the order. */
  status: 'OPENED' | 'COMPLETED'
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** Deadline of the capture, UTC with six decimals. */
  capture_expiration: string
  /** Hours until the deadline of the capture: 24 or 2. */
  hours_left: number
}

export interface OrderExpiredEvent {
  /** The kind of the event. */
  event: 'ORDER_EXPIRED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
  /** Reference of the merchant, from the checkout. */
  reference: string
  /** Number of the order: twelve upper-case letters and digits. */
  order_number: string
  /** Status of the order. */
  status: 'OPENED' | 'COMPLETED'
  /** ISO 4217 alphabetic code of the order. */
  currency: string
  /** Total of the order, in major units, with four decimals. */
  total: string
  /** Deadline of the capture, UTC with six decimals. */
  capture_expiration: string
  /** Sum of the captures in major units, with four decimals; zero if there was none. */
  total_captured: string
}

export interface ChargebackStatusChangeEvent {
  /** The kind of the event. */
  event: 'CHARGEBACK_STATUS_CHANGE'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the dispute.
   */
  dispute_id: string
  /**
   * Format: uuid
   * Id of the order.
   */
  order_id: string
  /** Reference of the order. */
  reference: string
  /** `NEEDS_RESPONSE` until the merchant sends evidence or accepts, at the latest at `respond_by`. `UNDER_REVIEW` until it is decided. `WON` and `WITHDRAWN` give the amount back. */
  status: 'NEEDS_RESPONSE' | 'UNDER_REVIEW' | 'WON' | 'LOST' | 'ACCEPTED' | 'WITHDRAWN'
  /** Reason of the cardholder, in the words of the network. */
  reason: string
  /** Code of the scheme. */
  reason_code?: string
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Amount that the network took back, in major units, with four decimals. */
  amount: string
  /** Amount that was given back, in major units, with four decimals; of what is `WON` or `WITHDRAWN`. */
  returned?: string
  /** Fee of the dispute, in major units, with four decimals; it is not given back. */
  fee: string
  /** Until when the merchant may answer, UTC with six decimals. */
  respond_by?: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
}

export interface PayoutCreatedEvent {
  /** The kind of the event. */
  event: 'PAYOUT_CREATED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the payout.
   */
  payout_id: string
  /** `PENDING` until the operator has paid it (`PAID`) or could not (`FAILED`; it is still owed). `CARRIED` states that there is nothing to pay, and that the next payout takes what is below zero over. */
  status: 'PENDING' | 'PAID' | 'FAILED' | 'CARRIED'
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Day of its captures and refunds in UTC, YYYY-MM-DD. */
  day: string
  /** Number of the payout, counted for the merchant and the currency. */
  number: number
  /** Number of the captures. */
  captures: number
  /** Sum of the captures, in major units, with four decimals. */
  captured: string
  /** Number of the refunds. */
  refunds: number
  /** Sum of the refunds, in major units, with four decimals. */
  refunded: string
  /** Number of the disputes that were opened; absent for none. */
  chargebacks?: number
  /** Sum of what disputes took, less what they gave back; absent if nothing moved, in major units, with four decimals. */
  charged_back?: string
  /** Sum of the fees of all, in major units, with four decimals. */
  fees: string
  /** Amount carried on from the payout before it, zero or below, in major units, with four decimals. */
  carried: string
  /** Amount paid: `captured` less `refunded`, `charged_back` and `fees`, and `carried`, in major units, with four decimals. */
  amount: string
  /** Name of the transfer, or why it failed; absent while no operator has said so. */
  reference?: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
}

export interface PayoutPaidEvent {
  /** The kind of the event. */
  event: 'PAYOUT_PAID'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the payout.
   */
  payout_id: string
  /** `PENDING` until the operator has paid it (`PAID`) or could not (`FAILED`; it is still owed). `CARRIED` states that there is nothing to pay, and that the next payout takes what is below zero over. */
  status: 'PENDING' | 'PAID' | 'FAILED' | 'CARRIED'
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Day of its captures and refunds in UTC, YYYY-MM-DD. */
  day: string
  /** Number of the payout, counted for the merchant and the currency. */
  number: number
  /** Number of the captures. */
  captures: number
  /** Sum of the captures, in major units, with four decimals. */
  captured: string
  /** Number of the refunds. */
  refunds: number
  /** Sum of the refunds, in major units, with four decimals. */
  refunded: string
  /** Number of the disputes that were opened; absent for none. */
  chargebacks?: number
  /** Sum of what disputes took, less what they gave back; absent if nothing moved, in major units, with four decimals. */
  charged_back?: string
  /** Sum of the fees of all, in major units, with four decimals. */
  fees: string
  /** Amount carried on from the payout before it, zero or below, in major units, with four decimals. */
  carried: string
  /** Amount paid: `captured` less `refunded`, `charged_back` and `fees`, and `carried`, in major units, with four decimals. */
  amount: string
  /** Name of the transfer, or why it failed; absent while no operator has said so. */
  reference?: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
}

export interface PayoutFailedEvent {
  /** The kind of the event. */
  event: 'PAYOUT_FAILED'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the payout.
   */
  payout_id: string
  /** `PENDING` until the operator has paid it (`PAID`) or could not (`FAILED`; it is still owed). `CARRIED` states that there is nothing to pay, and that the next payout takes what is below zero over. */
  status: 'PENDING' | 'PAID' | 'FAILED' | 'CARRIED'
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Day of its captures and refunds in UTC, YYYY-MM-DD. */
  day: string
  /** Number of the payout, counted for the merchant and the currency. */
  number: number
  /** Number of the captures. */
  captures: number
  /** Sum of the captures, in major units, with four decimals. */
  captured: string
  /** Number of the refunds. */
  refunds: number
  /** Sum of the refunds, in major units, with four decimals. */
  refunded: string
  /** Number of the disputes that were opened; absent for none. */
  chargebacks?: number
  /** Sum of what disputes took, less what they gave back; absent if nothing moved, in major units, with four decimals. */
  charged_back?: string
  /** Sum of the fees of all, in major units, with four decimals. */
  fees: string
  /** Amount carried on from the payout before it, zero or below, in major units, with four decimals. */
  carried: string
  /** Amount paid: `captured` less `refunded`, `charged_back` and `fees`, and `carried`, in major units, with four decimals. */
  amount: string
  /** Name of the transfer, or why it failed; absent while no operator has said so. */
  reference?: string
  /**
   * Format: uuid
   * Id of the merchant.
   */
  merchant_id: string
}

export interface PingEvent {
  /** The kind of the event. */
  event: 'PING'
  /**
   * Format: uuid
   * Id of the event: the same at every attempt, and the header webhook-id.
   */
  id: string
  /**
   * Format: date-time
   * When the event happened.
   */
  created: string
  /**
   * Format: uuid
   * Id of the subscription.
   */
  webhook_id: string
  /**
   * Format: uuid
   * Id of the merchant whose endpoint it is; absent for one of the tenant.
   */
  merchant_id?: string
}

export interface CreateMerchantTokenBody {
  /** Public key of the pair, with the prefix `pk_`. */
  public_key: string
  /** Private key of the pair, with the prefix `sk_`. */
  private_key: string
}

export interface CreateCheckoutBody {
  /** Reference of the order, unique for the merchant: 1 to 100 visible characters without space, slash and colon, other than `.` and `..`. A number keeps all of its digits: it is returned as text where a JSON number would lose some. */
  reference: string | number
  /** Reference that the customer sees; `reference` where it is absent or blank. */
  display_reference?: string | number | null
  /** Description of the order. */
  description?: string | null
  /** Amount to pay in major units, as a number or text with up to four decimals. The card pays it rounded half-even to the decimals of the currency: at least one minor unit, at most twelve digits of them. */
  total: number | string
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Details of the order. */
  order?: {
    /** Tax in major units; it is rounded to four decimals. */
    tax_amount?: string | number | null
    /** Shipping costs in major units; they are rounded to four decimals. */
    shipping_amount?: string | number | null
    /** Discount in major units, rounded to four decimals; its absolute value counts. */
    discount?: string | number | null
    /** Customer of the order. */
    customer?: {
      /** First name. */
      first_name?: string | null
      /** Last name. */
      last_name?: string | null
      /** E-mail address. */
      email?: string | null
      /** Phone number. */
      phone?: string | number | null
      /** Name of the customer in the shop, 1 to 100 characters: with the setting `kept_cards` of the merchant, the payment page offers the cards that this customer let the shop keep. */
      reference?: string | number | null
    } | null
    /** Billing address of the order. */
    billing_address?: {
      /** Title of the person. */
      title?: string | null
      /** First name. */
      first_name?: string | null
      /** Last name. */
      last_name?: string | null
      /** First line of the address. */
      line1?: string | null
      /** Second line of the address. */
      line2?: string | null
      /** Third line of the address. */
      line3?: string | null
      /** Fourth line of the address. */
      line4?: string | null
      /** State or province. */
      state?: string | null
      /** Postal code. */
      postcode?: string | number | null
      /** ISO 3166-1 alpha-2 code; it may be empty. */
      country?: string | null
      /** Phone number. */
      phone?: string | number | null
    } | null
    /** Shipping address of the order. */
    shipping_address?: {
      /** Title of the person. */
      title?: string | null
      /** First name. */
      first_name?: string | null
      /** Last name. */
      last_name?: string | null
      /** First line of the address. */
      line1?: string | null
      /** Second line of the address. */
      line2?: string | null
      /** Third line of the address. */
      line3?: string | null
      /** Fourth line of the address. */
      line4?: string | null
      /** State or province. */
      state?: string | null
      /** Postal code. */
      postcode?: string | number | null
      /** ISO 3166-1 alpha-2 code; it may be empty. */
      country?: string | null
      /** Phone number. */
      phone?: string | number | null
    } | null
    /** Order lines; stored and returned unchanged, but for the decimals of their prices. */
    lines?:
      | {
          /** Stock keeping unit. */
          sku?: string | number | null
          /** Reference of the line. */
          reference?: string | number | null
          /** Name of the item. */
          title?: string | null
          /** Universal product code. */
          upc?: string | number | null
          /** Number of items. */
          quantity?: string | number | null
          /** Price in major units; it is rounded to four decimals. */
          price?: string | number | null
          /** ISO 4217 alphabetic code of the price. */
          currency?: string | null
          /** URL of an image of the item. */
          image_url?: string | null
        }[]
      | null
  } | null
  /** URL to which the payment page redirects the customer after the payment. It is absolute, http or https (in live https), with a name or an IP address as its host, which is one of the `callback_hosts` of the merchant where it has some. */
  confirm_callback_url: string
  /** URL to which the payment page redirects the customer after the third declined payment, and to which its form leads back. It is absolute, http or https (in live https), with a name or an IP address as its host, which is one of the `callback_hosts` of the merchant where it has some. */
  reject_callback_url: string
  /** Payment plan; `pay-now` is the only one and the default. */
  plan?: string | null
  /** Returned unchanged, without effect: capture the order explicitly. */
  completes?: boolean | null
}

export interface ListOrdersQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Lists only orders of this status. */
  status?: 'OPENED' | 'COMPLETED'
  /** Lists only the order with this reference. */
  reference?: string
  /** Lists only orders in this currency, an ISO 4217 alphabetic code. */
  currency?: string
  /** Lists only orders with this total or more, in major units. */
  min_total?: string
  /** Lists only orders with this total or less, in major units. */
  max_total?: string
  /** Lists only orders of which nothing (`none`), a part (`partial`) or all that was captured (`full`) is refunded. */
  refund?: 'none' | 'partial' | 'full'
  /**
   * Format: not-blank
   * Lists only orders whose customer has this e-mail address, in any case; blanks and marks of direction around it do not count.
   */
  email?: string
  /**
   * Format: date-time
   * Lists only orders that were created at this time or later.
   */
  from?: string
  /**
   * Format: date-time
   * Lists only orders that were created before this time.
   */
  to?: string
}

export interface TotalOrdersQuery {
  /** Lists only orders of this status. */
  status?: 'OPENED' | 'COMPLETED'
  /** Lists only the order with this reference. */
  reference?: string
  /** Lists only orders in this currency, an ISO 4217 alphabetic code. */
  currency?: string
  /** Lists only orders with this total or more, in major units. */
  min_total?: string
  /** Lists only orders with this total or less, in major units. */
  max_total?: string
  /** Lists only orders of which nothing (`none`), a part (`partial`) or all that was captured (`full`) is refunded. */
  refund?: 'none' | 'partial' | 'full'
  /**
   * Format: not-blank
   * Lists only orders whose customer has this e-mail address, in any case; blanks and marks of direction around it do not count.
   */
  email?: string
  /**
   * Format: date-time
   * Lists only orders that were created at this time or later.
   */
  from?: string
  /**
   * Format: date-time
   * Lists only orders that were created before this time.
   */
  to?: string
}

export interface ListCapturesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Lists only those of this status. */
  status?: 'PENDING' | 'SUCCESS' | 'FAILURE'
  /** Lists only those of the order with this reference. */
  reference?: string
  /**
   * Format: uuid
   * Lists only those of this payout.
   */
  payout_id?: string
  /** Lists only those in this currency, an ISO 4217 alphabetic code. */
  currency?: string
  /**
   * Format: date-time
   * Lists only those that were requested at this time or later.
   */
  from?: string
  /**
   * Format: date-time
   * Lists only those that were requested before this time.
   */
  to?: string
}

export interface ListRefundsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Lists only those of this status. */
  status?: 'PENDING' | 'SUCCESS' | 'FAILURE'
  /** Lists only those of the order with this reference. */
  reference?: string
  /**
   * Format: uuid
   * Lists only those of this payout.
   */
  payout_id?: string
  /** Lists only those in this currency, an ISO 4217 alphabetic code. */
  currency?: string
  /**
   * Format: date-time
   * Lists only those that were requested at this time or later.
   */
  from?: string
  /**
   * Format: date-time
   * Lists only those that were requested before this time.
   */
  to?: string
}

export interface GetOrderQuery {
  /** Refund amount in major units; used when the body has no `total`. */
  total?: string
  /** ISO 4217 alphabetic code; used when the body has no `currency`. */
  currency?: string
}

export type CaptureOrderBody =
  | {
      /** Amount in major units, with up to four decimals. A capture without it captures all that is not captured yet; a refund requires it. */
      total?: number | string | null
      /** ISO 4217 alphabetic code, the one of the order. A refund requires it. */
      currency?: string | null
      /** Whether this is the last capture of the order, for a merchant with `partial_captures`, which releases the rest. A capture of all that is left always is. Without the setting each capture is the last, and `false` with less than the total is rejected. */
      final?: boolean | null
    }
  | unknown[]
  | null

export type RefundOrderBody =
  | {
      /** Amount in major units, with up to four decimals. A capture without it captures all that is not captured yet; a refund requires it. */
      total?: number | string | null
      /** ISO 4217 alphabetic code, the one of the order. A refund requires it. */
      currency?: string | null
    }
  | unknown[]
  | null

export interface RefundOrderQuery {
  /** Refund amount in major units; used when the body has no `total`. */
  total?: string
  /** ISO 4217 alphabetic code; used when the body has no `currency`. */
  currency?: string
}

export interface ListKeptCardsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Lists only the cards of this customer. */
  customer?: string
}

export interface DeleteKeptCardHeaders {
  'if-match'?: string
}

export interface DeleteKeptCardAnswer {
  /**
   * Format: uuid
   * Id of the kept card.
   */
  id: string
  /** Always true. */
  deleted: boolean
}

export interface PayWithKeptCardBody {
  /** Reference of the order, unique for the merchant: 1 to 100 visible characters without space, slash and colon, other than `.` and `..`. A number keeps all of its digits: it is returned as text where a JSON number would lose some. */
  reference: string | number
  /** Reference that the customer sees; `reference` where it is absent or blank. */
  display_reference?: string | number | null
  /** Description of the order. */
  description?: string | null
  /** Amount to pay in major units, as a number or text with up to four decimals. The card pays it rounded half-even to the decimals of the currency: at least one minor unit, at most twelve digits of them. */
  total: number | string
  /** ISO 4217 alphabetic code. */
  currency: string
  /** Details of the order. */
  order?: {
    /** Tax in major units; it is rounded to four decimals. */
    tax_amount?: string | number | null
    /** Shipping costs in major units; they are rounded to four decimals. */
    shipping_amount?: string | number | null
    /** Discount in major units, rounded to four decimals; its absolute value counts. */
    discount?: string | number | null
    /** Customer of the order. */
    customer?: {
      /** First name. */
      first_name?: string | null
      /** Last name. */
      last_name?: string | null
      /** E-mail address. */
      email?: string | null
      /** Phone number. */
      phone?: string | number | null
      /** Name of the customer in the shop, 1 to 100 characters: with the setting `kept_cards` of the merchant, the payment page offers the cards that this customer let the shop keep. */
      reference?: string | number | null
    } | null
    /** Billing address of the order. */
    billing_address?: {
      /** Title of the person. */
      title?: string | null
      /** First name. */
      first_name?: string | null
      /** Last name. */
      last_name?: string | null
      /** First line of the address. */
      line1?: string | null
      /** Second line of the address. */
      line2?: string | null
      /** Third line of the address. */
      line3?: string | null
      /** Fourth line of the address. */
      line4?: string | null
      /** State or province. */
      state?: string | null
      /** Postal code. */
      postcode?: string | number | null
      /** ISO 3166-1 alpha-2 code; it may be empty. */
      country?: string | null
      /** Phone number. */
      phone?: string | number | null
    } | null
    /** Shipping address of the order. */
    shipping_address?: {
      /** Title of the person. */
      title?: string | null
      /** First name. */
      first_name?: string | null
      /** Last name. */
      last_name?: string | null
      /** First line of the address. */
      line1?: string | null
      /** Second line of the address. */
      line2?: string | null
      /** Third line of the address. */
      line3?: string | null
      /** Fourth line of the address. */
      line4?: string | null
      /** State or province. */
      state?: string | null
      /** Postal code. */
      postcode?: string | number | null
      /** ISO 3166-1 alpha-2 code; it may be empty. */
      country?: string | null
      /** Phone number. */
      phone?: string | number | null
    } | null
    /** Order lines; stored and returned unchanged, but for the decimals of their prices. */
    lines?:
      | {
          /** Stock keeping unit. */
          sku?: string | number | null
          /** Reference of the line. */
          reference?: string | number | null
          /** Name of the item. */
          title?: string | null
          /** Universal product code. */
          upc?: string | number | null
          /** Number of items. */
          quantity?: string | number | null
          /** Price in major units; it is rounded to four decimals. */
          price?: string | number | null
          /** ISO 4217 alphabetic code of the price. */
          currency?: string | null
          /** URL of an image of the item. */
          image_url?: string | null
        }[]
      | null
  } | null
}

export interface ListChargebacksQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Lists only disputes of this status. */
  status?: 'NEEDS_RESPONSE' | 'UNDER_REVIEW' | 'WON' | 'LOST' | 'ACCEPTED' | 'WITHDRAWN'
  /** Lists only disputes with this reason. */
  reason?: string
  /**
   * Format: date-time
   * Lists only those that are to be answered before this time.
   */
  respond_before?: string
  /** `created` lists all, newest first; `respond_by` those that wait for an answer, the next deadline first. `created` by default. */
  sort_by?: 'created' | 'respond_by'
  /** Lists only disputes of the order with it. */
  reference?: string
}

export interface UploadChargebackFilesHeaders {
  'if-match'?: string
}

export type UploadChargebackFilesAnswer =
  | MerchantDisputeFile
  | {
      /** The new files. */
      data: MerchantDisputeFile[]
    }

export interface ListChargebackFilesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface DeleteChargebackFileAnswer {
  /**
   * Format: uuid
   * Id of the file.
   */
  id: string
  /** Always true. */
  deleted: boolean
}

export interface DownloadChargebackFileHeaders {
  range?: string
}

export interface GetStatementQuery {
  /**
   * Format: date
   * First day in UTC; 29 days before `to` by default.
   */
  from?: string
  /**
   * Format: date
   * Last day in UTC, at most 366 days after `from`; today by default.
   */
  to?: string
}

export interface ListPayoutsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Lists only payouts of this status. */
  status?: 'PENDING' | 'PAID' | 'FAILED' | 'CARRIED'
  /** Lists only payouts in this currency. */
  currency?: string
  /**
   * Format: date-time
   * Lists only payouts that were made at this time or later.
   */
  from?: string
  /**
   * Format: date-time
   * Lists only payouts that were made before this time.
   */
  to?: string
}

export interface CreateEndpointBody {
  /** URL that receives the events by POST; https in live. */
  url: string
  /** Kinds of events that are sent to it. */
  events: (
    | 'ORDER_AUTHORIZED'
    | 'ORDER_CAPTURED'
    | 'ORDER_REFUNDED'
    | 'ORDER_CAPTURE_EXPIRING'
    | 'ORDER_EXPIRED'
    | 'CHARGEBACK_STATUS_CHANGE'
    | 'PAYOUT_CREATED'
    | 'PAYOUT_PAID'
    | 'PAYOUT_FAILED'
  )[]
}

export interface ListEndpointsQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
}

export interface UpdateEndpointBody {
  /** URL that receives the events by POST; https in live. */
  url?: string
  /** Kinds of events that are sent to it. */
  events?: (
    | 'ORDER_AUTHORIZED'
    | 'ORDER_CAPTURED'
    | 'ORDER_REFUNDED'
    | 'ORDER_CAPTURE_EXPIRING'
    | 'ORDER_EXPIRED'
    | 'CHARGEBACK_STATUS_CHANGE'
    | 'PAYOUT_CREATED'
    | 'PAYOUT_PAID'
    | 'PAYOUT_FAILED'
  )[]
  /** False stops deliveries, true resumes those that are open. */
  enabled?: boolean
}

export interface UpdateEndpointHeaders {
  'if-match'?: string
}

export interface DeleteEndpointHeaders {
  'if-match'?: string
}

export interface RotateEndpointSecretHeaders {
  'if-match'?: string
}

export interface PingEndpointHeaders {
  'if-match'?: string
}

export interface RecoverEndpointDeliveriesBody {
  /**
   * Format: date-time
   * Time of the earliest missed event.
   */
  since: string
  /**
   * Format: date-time
   * Time before which the events are; by default up to now.
   */
  until?: string
  /** Kinds to deliver, each one of the endpoint; by default all of them. */
  events?: (
    | 'ORDER_AUTHORIZED'
    | 'ORDER_CAPTURED'
    | 'ORDER_REFUNDED'
    | 'ORDER_CAPTURE_EXPIRING'
    | 'ORDER_EXPIRED'
    | 'CHARGEBACK_STATUS_CHANGE'
    | 'PAYOUT_CREATED'
    | 'PAYOUT_PAID'
    | 'PAYOUT_FAILED'
  )[]
}

export interface RecoverEndpointDeliveriesHeaders {
  'if-match'?: string
}

export interface RecoverEndpointDeliveriesAnswer {
  /** Number of deliveries that are now due. */
  recovered: number
  /** Whether the call must be repeated for the rest. */
  has_more: boolean
}

export interface ListEndpointDeliveriesQuery {
  /**
   * The most objects in the answer.
   * @default 50
   */
  limit?: number
  /** Start of the page: `after` of the page before it. */
  after?: string
  /** Lists only deliveries of this status. */
  status?: 'PENDING' | 'RETRYING' | 'DELIVERED' | 'EXPIRED'
  /** Lists only deliveries of this kind of event. */
  event?:
    | 'ORDER_AUTHORIZED'
    | 'ORDER_CAPTURED'
    | 'ORDER_REFUNDED'
    | 'ORDER_CAPTURE_EXPIRING'
    | 'ORDER_EXPIRED'
    | 'CHARGEBACK_STATUS_CHANGE'
    | 'PAYOUT_CREATED'
    | 'PAYOUT_PAID'
    | 'PAYOUT_FAILED'
    | 'PING'
}

export interface ResendEndpointDeliveryHeaders {
  'if-match'?: string
}

/** Every event that a subscription may receive; `event` says which. */
export type WebhookEvent =
  | OrderAuthorizedEvent
  | OrderCapturedEvent
  | OrderRefundedEvent
  | OrderCaptureExpiringEvent
  | OrderExpiredEvent
  | ChargebackStatusChangeEvent
  | PayoutCreatedEvent
  | PayoutPaidEvent
  | PayoutFailedEvent
  | PingEvent
