/** The folder Getting started: from a fresh sandbox to a payment and its explanation, in order. */

import type { Call, Expected, Folder } from './calls.ts'

type Step = {
  operation: string
  name: string
  text: string
  /** Instead of the example's, if the step needs other values. */
  body?: object
  /** Sent beside the path. */
  query?: Readonly<Record<string, string>>
  expected: Expected
}

const STEPS: readonly Step[] = [
  {
    operation: 'updateSettings',
    name: 'Require KYC of new users',
    text: 'A user of the demo tenant is ACTIVE at once; with this setting it passes KYC first.',
    body: { require_kyc: true },
    expected: { require_kyc: true },
  },
  {
    operation: 'createUser',
    name: 'Create a user',
    text: 'The user waits for KYC. `user_id` is kept for the following requests.',
    body: { first_name: 'Layla', last_name: 'Aziz' },
    expected: { status: 'PENDINGKYC' },
  },
  {
    operation: 'createKycRequest',
    name: 'Request KYC',
    text: 'The request is submitted. `kyc_request_id` is kept.',
    expected: { status: 'SUBMITTED' },
  },
  {
    operation: 'simulateKycResult',
    name: 'Pass KYC',
    text: 'The sandbox answers in the place of a provider: the user becomes ACTIVE.',
    expected: { status: 'OK' },
  },
  {
    operation: 'createCard',
    name: 'Create a card with its account',
    text:
      'The demo tenant’s product opens an account with each card. `card_id` and `account_id` are ' +
      'kept.',
    body: { user_id: '{{user_id}}', card_product_id: '{{card_product_id}}', card_type: 'VIRTUAL' },
    expected: { status: 'INACTIVE' },
  },
  {
    operation: 'changeCardStatus',
    name: 'Activate the card',
    text: 'A card pays once it is ACTIVE.',
    body: { status: 'ACTIVE', status_reason_code: 'A0' },
    expected: { status: 'ACTIVE' },
  },
  {
    operation: 'loadAccountFunds',
    name: 'Load 500.00 AED',
    text: 'The money comes from the program funding of the tenant. Amounts are in major units.',
    body: { currency: 'AED', amount: 500 },
    expected: { 'account.balance': 500 },
  },
  {
    operation: 'simulateAuthorization',
    name: 'Pay 120.50 AED',
    text: 'The sandbox simulates the card network. `transaction_id` is kept.',
    body: {
      card_id: '{{card_id}}',
      amount: 120.5,
      currency: 'AED',
      merchant: { id: 'BOOKSHOP', mcc: '5942' },
    },
    expected: { status: 'PENDING', status_code: '0000' },
  },
  {
    operation: 'getAccount',
    name: 'See what is held',
    text: 'The amount is held until it is cleared: 379.50 AED are available.',
    expected: { balance: 500, available_balance: 379.5, held_amount: 120.5 },
  },
  {
    operation: 'listTransactions',
    name: 'List the card’s transactions',
    text: 'The newest is first.',
    query: { card_id: '{{card_id}}' },
    expected: { 'data[0].status': 'PENDING', 'data[0].amount': 120.5 },
  },
  {
    operation: 'getTransactionTrace',
    name: 'Read why it was approved',
    text: 'The trace lists every check with what it found.',
    expected: { status_code: '0000', 'checks[0].verdict': 'passed' },
  },
  {
    operation: 'simulateClearing',
    name: 'Clear it',
    text: 'The hold becomes a posting.',
    expected: { status: 'SETTLED', cleared_amount: 120.5 },
  },
  {
    operation: 'updateSettings',
    name: 'Restore the setting',
    text: 'Further users of the demo tenant are ACTIVE at once again.',
    body: { require_kyc: false },
    expected: { require_kyc: false },
  },
]

const DESCRIPTION =
  'From a user to a payment that is explained, in a fresh sandbox (`npm start`). Run the folder, ' +
  'or send its requests one by one: each keeps the ids that the following ones need.'

/** `calls` are those of the documents, which the steps are made of. */
export function gettingStarted(calls: readonly Call[]): Folder {
  const steps = STEPS.map((step): Call => {
    const call = calls.find(({ operation }) => operation === step.operation)
    if (!call) throw new Error(`no document has ${step.operation}`)
    const { body, query = {}, name, text, expected } = step
    const sent = call.query.flatMap((field) => {
      const value = query[field.name]
      return value === undefined ? [] : [{ ...field, value, isSent: true }]
    })
    return {
      ...call,
      name,
      expected,
      query: sent,
      description: `${text}\n\n${call.description}`,
      ...(body && { body: { json: JSON.stringify(body, null, 2) } }),
    }
  })
  const name = 'Getting started'
  return { name, description: DESCRIPTION, auth: 'api_key', folders: [], calls: steps }
}
