/**
 * A fault for each of examples/scenarios: a change of its text, and the difference that the run
 * must find then.
 */

export type PlantedFault = { from: string; to: string; found: string }

export const plantedFaults: Readonly<Record<string, PlantedFault>> = {
  atm_withdrawal: {
    from: 'type: CASH_WITHDRAWAL, amount: 5 ',
    to: 'type: CASH_WITHDRAWAL, amount: 4 ',
    found: 'response_code: expected "51", was "00"',
  },
  broken_connection: {
    from: 'line: connection_broken\n    expect: { balance: 60',
    to: 'line: request_lost\n    expect: { balance: 60',
    found: 'balance: expected 60, was 100',
  },
  card_expiry: {
    from: 'status_code: "1001"',
    to: 'status_code: "1804"',
    found: 'status_code: expected "1804", was "1001"',
  },
  card_frozen: {
    from: 'new_status: SUSPENDED',
    to: 'new_status: TERMINATED',
    found:
      'events: CARD_STATUS_CHANGE has card_status_change.new_status "SUSPENDED", ' +
      'expected "TERMINATED"',
  },
  checkout: {
    from: 'total: "20.25"',
    to: 'total: "20.26"',
    found: 'body.amount: expected "20.2500", was "20.2600"',
  },
  declined_by_funds: {
    from: 'funds: 100 ',
    to: 'funds: 101 ',
    found: 'available: expected 40, was 41',
  },
  dispute_deadline: {
    from: 'advance: P116D',
    to: 'advance: P114D',
    found: 'events: expected "DISPUTE_DEADLINE", came nothing',
  },
  dispute_lost: {
    from: 'dispute_provisional_credit: AT_SUBMISSION',
    to: 'dispute_provisional_credit: AT_CHARGEBACK',
    found: 'balance: expected 100, was 0',
  },
  dispute_won: {
    from: 'recovered_amount: 80 }',
    to: 'recovered_amount: 79 }',
    found: 'body.recovered_amount: expected 79, was 80',
  },
  foreign_currency: {
    from: 'rate: "3.6725" }]',
    to: 'rate: "3.6726" }]',
    found: 'transaction.billing_amount: expected 367.25, was 367.26',
  },
  hold_expires: {
    from: 'hold_days: 3',
    to: 'hold_days: 4',
    found: 'transaction.status: expected "EXPIRED", was "PENDING"',
  },
  increment: {
    from: 'amount: 250',
    to: 'amount: 251',
    found: 'transaction.amount: expected 550, was 551',
  },
  late_completion: {
    from: 'advance: P8D',
    to: 'advance: P6D',
    found: 'transaction.status: expected "EXPIRED", was "PENDING"',
  },
  lost_answer: {
    from: 'send: reversal\n    of: purchase',
    to: 'send: reversal\n    of: purchase\n    amount: 39',
    found: 'transaction.status: expected "VOIDED", was "PENDING"',
  },
  mcc_list: {
    from: 'allow: false',
    to: 'allow: true',
    found: 'response_code: expected "57", was "00"',
  },
  monthly_window: {
    from: '2090-04-01T00:00:00Z',
    to: '2090-03-31T23:59:30Z',
    found: 'response_code: expected "00", was "61"',
  },
  onboarding: {
    from: 'result: OK',
    to: 'result: FAILED',
    found: 'body.status: expected "OK", was "FAILED"',
  },
  partial_approval: {
    from: 'partial_approval: true }',
    to: 'partial_approval: false }',
    found: 'response_code: expected "10", was "51"',
  },
  partial_reversal: {
    from: 'amount: 50\n',
    to: 'amount: 51\n',
    found: 'transaction.amount: expected 100, was 99',
  },
  purchase_approved: {
    from: 'status: SETTLED } }]',
    to: 'status: VOIDED } }]',
    found: 'events: TRANSACTION has card_transaction.status "SETTLED", expected "VOIDED"',
  },
  refund: {
    from: 'amount: 50.01',
    to: 'amount: 50',
    found: 'response_code: expected "13", was "00"',
  },
  repeat: {
    from: 'repeat: purchase',
    to: 'send: purchase\n    amount: 30',
    found: 'same_answer: expected true, was false',
  },
  responder: {
    from: 'answer: decline',
    to: 'answer: approve',
    found: 'response_code: expected "59", was "00"',
  },
  responder_silent: {
    from: ', default_action: APPROVE',
    to: '',
    found: 'response_code: expected "00", was "96"',
  },
  stand_in: {
    from: 'response_code: "05"',
    to: 'response_code: "00"',
    found: 'status_code: expected "1856", was "0000"',
  },
  stop_order: {
    from: 'merchant_id: GYM00001',
    to: 'merchant_id: GYM00002',
    found: 'response_code: expected "R0", was "00"',
  },
  unknown_reversal: {
    from: 'line: request_lost',
    to: 'line: answer_lost',
    found: 'available: expected 100, was 60',
  },
  velocity_limit: {
    from: 'max_amount: 100',
    to: 'max_amount: 101',
    found: 'response_code: expected "61", was "00"',
  },
  wrong_cvv2: {
    from: '${wrong_cvv2}',
    to: '${cvv2}',
    found: 'response_code: expected "N7", was "00"',
  },
}
