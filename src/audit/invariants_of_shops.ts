/** The conditions of the merchant service, and the operator's remedies (D-562). */

export type Invariants = {
  holds: readonly string[]
  /** The meaning of a finding, and its remedy. */
  remedy: string
}

/** In the order in which doctor prints them. */
export const ofShops = {
  orders: {
    holds: [
      'An order has one last capture at most, and no other unless it may be captured in parts; ' +
        'its captures are no more than was authorized, and its refunds no more than they are.',
      'It is COMPLETED by its last capture, or by its deadline where parts were captured before.',
      'Its totals are the sums of its operations; each operation agrees with its message.',
      'The message of its payment was approved, is of no other order, and its checkout is ' +
        'PAID; each PAID checkout has an order, and the message of one that is being paid has no ' +
        'outcome yet.',
      'Each payment, capture, refund and end of the hold has one event.',
      'An open order is due at its next reminder or its deadline, unless its last capture is ' +
        'under way; a closed one is not due. The deadline is at most 30 days after the payment, ' +
        'and while the merchant is not changed that of its window.',
      'The order has the amount and currency of its payment and of its checkout; amounts on the ' +
        'card are the totals, rounded.',
      'A PENDING operation is due soon, or is a refund whose reversal decides; no other is due.',
      'A capture or refund is of the amount, the payment and the issuer of its message; its fee ' +
        'is that of its merchant while that is not changed.',
      'A successful operation is payable from the end of the day on which it was booked, or is ' +
        'in a payout of that day.',
      'An open checkout is due when it expires, at most a day after it was made; one that is ' +
        'being paid is due soon, unless it is in doubt; its message has its amount and currency.',
    ],
    remedy:
      'Compare the order with the messages of the acquirer and correct its totals. A time of ' +
      '`due` that is missing or too late is set to the one that the rule names, with the row of ' +
      '`due_work`; the sweep does the rest.',
  },
  'messages to the issuer': {
    holds: [
      'A reversal that was not acknowledged is sent again soon; a message that is finished is not.',
      'A message of unknown outcome (REVERSING) has a reversal under way; one that is REVERSED ' +
        'has one that was acknowledged.',
      'A payment, capture or refund without an outcome is that of a checkout or an operation ' +
        'that waits for it.',
      'A message has the retrieval reference, the currency, the acceptor and the issuer of its ' +
        'authorization, its direction is that of its type, it names in DE90 what it is about, ' +
        'it reverses a message of the same authorization, and it was made after both, unless the ' +
        'operator ended one of them.',
      'An approved message has the answer of an approval, or was ended by the operator.',
      'A payment that was approved has one order, and a capture or refund one operation.',
    ],
    remedy:
      "Ask the issuer about the retrieval reference (`fields ->> '37'`). A reversal that is due " +
      'never is sent by setting its `due` to now, with the row of `due_work`.',
  },
  'payments in doubt': {
    holds: [
      'A payment, capture or refund without an outcome comes to one by itself: its card is ' +
        'stored, and its issuer has answered within 24 hours.',
    ],
    remedy:
      'Ask the issuer whether the retrieval reference took effect, and end it with its answer: ' +
      '`POST /v1/operator/payments/{id}:end`. `GET /v1/operator/payments` lists all of them.',
  },
  chargebacks: {
    holds: [
      'A chargeback has taken its amount and its fee from its merchant once, and given the ' +
        'amount back if it is WON or WITHDRAWN.',
      'The chargebacks of an order have taken no more than what it has captured and not refunded.',
    ],
    remedy:
      'Correct the entries of the chargeback that are in no payout yet. What is paid out is ' +
      'settled with the merchant; the finding stays.',
  },
  payouts: {
    holds: [
      'The sums of a payout are those of its captures, refunds and fees, all of its merchant and ' +
        'currency.',
      'Payouts of a merchant and a currency are numbered without a gap, and each carries the ' +
        'negative rest of the one before it.',
      'An operation has the merchant and the currency of its order.',
      'Each payout that was reported exists, and its status is that of its last event.',
    ],
    remedy:
      'Pay nothing to the merchant until the difference is known. The operations are the truth: ' +
      'a payout that is PENDING is corrected to their sums; the difference to one that is PAID ' +
      'is settled with the merchant.',
  },
  'card numbers of shops': {
    holds: [
      'Each card that a shop keeps has a sealed number, and each sealed number has its payment ' +
        'or its kept card.',
      'A kept card is of the customer and the merchant of the payment by which it was kept.',
    ],
    remedy:
      'A kept card without a number cannot pay: delete it by the API, and the customer enters ' +
      'the card again. A number without either is used by nobody and is deleted. A kept card of ' +
      'another customer is deleted too.',
  },
} as const satisfies Record<string, Invariants>
