/** The kinds of D-60 and the shapes of D-61, in their words: the documents must keep them. */

export const kinds = [
  'CARD_STATUS_CHANGE',
  'TRANSACTION',
  'KYC_RESULT',
  'USER_CREATED',
  'USER_STATUS_CHANGE',
  'USER_DOCUMENT_ALERT',
  'IDENTITY_VERIFICATION',
  'PIN_CHANGE',
  'EXPIRED_AUTH',
  'CHARGE_APPLIED',
  'ACCOUNT_STATUS_CHANGE',
  'CARD_PROVISIONING',
  'TOKEN_NOTIFICATION',
  'SUCCESSFULLY_CREATED',
  'CARD_DELIVERY_PARTNER_ASSIGNED',
  'CARD_DELIVERY_STATUS_CHANGED',
  'ORDER_AUTHORIZED',
  'ORDER_CAPTURED',
  'ORDER_REFUNDED',
  'ORDER_CAPTURE_EXPIRING',
  'ORDER_EXPIRED',
  'PAYOUT_CREATED',
  'PAYOUT_PAID',
  'PAYOUT_FAILED',
  'CARD_DETAILS_LIMIT',
  'DISPUTE_STATUS_CHANGE',
  'DISPUTE_DEADLINE',
  'CHARGEBACK_STATUS_CHANGE',
  'CHALLENGE_CREATED',
  'SCREENING_MATCH',
] as const

/** The members of an object by their names; below `true` nothing is compared. */
export type Shape = { readonly [member: string]: true | Shape }

const shapeOf = (names: string): Shape =>
  Object.fromEntries(names.split(', ').map((name) => [name, true]))

/** `created` is the time of the event, where D-61 names none (D-102). */
const event = shapeOf('event, id, created')

/** D-46. */
const card_transaction = {
  ...shapeOf(
    'id, card_id, account_id, user_id, message_type, transaction_type, status, status_code, ' +
      'status_description, amount, currency, billing_amount, billing_currency, approval_code, ' +
      'rrn, stan, cleared_amount, refunded_amount, hold_expires, reference_transaction_id, ' +
      'events, created, modified',
  ),
  merchant: shapeOf('id, name, mcc, city, country'),
  pos: shapeOf('entry_mode, environment, terminal_id'),
}

export const shapes: Readonly<Record<string, Shape>> = {
  CARD_STATUS_CHANGE: {
    ...event,
    card_status_change: {
      ...shapeOf('card_id, old_status, new_status, old_status_reason_code, status_reason_code'),
      note: shapeOf('category, description, extras'),
    },
  },
  KYC_RESULT: {
    ...event,
    ...shapeOf('kyc_policy, kyc_id, user_id, note, old_status, status, status_code'),
    ...shapeOf('status_description, created, modified'),
  },
  USER_STATUS_CHANGE: {
    ...event,
    ...shapeOf('user_id, old_status, old_status_reason_code, new_status, new_status_reason_code'),
    ...shapeOf('user_type, note, created, User_status_change'),
  },
  IDENTITY_VERIFICATION: {
    ...event,
    ...shapeOf('user_id, applicant_id, sdk_token, note, status, old_status_reason_code'),
    ...shapeOf('status_reason_code, status_description, created, modified'),
  },
  TRANSACTION: { ...event, card_transaction },
}

type Members = Readonly<Record<string, unknown>>

/** The differences from a shape of which each object has some members and all together have all. */
export function differences(shape: Shape, objects: readonly Members[], path = ''): string[] {
  const found = new Set(objects.flatMap((object) => Object.keys(object)))
  const lacking = Object.keys(shape).filter((name) => !found.has(name))
  const further = [...found].filter((name) => !(name in shape))
  const within = Object.entries(shape).flatMap(([name, part]) =>
    part === true ? [] : differences(part, partsOf(objects, name), `${path}${name}.`),
  )
  return [
    ...lacking.map((name) => `no event has ${path}${name}`),
    ...further.map((name) => `${path}${name} is not in the shape`),
    ...within,
  ]
}

function partsOf(objects: readonly Members[], name: string): Members[] {
  return objects.flatMap((object) => {
    const part = object[name]
    // A member of JSON that is an object has members.
    return part !== null && typeof part === 'object' ? [part as Members] : []
  })
}
