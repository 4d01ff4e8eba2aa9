/**
 * The members of each kind of event beside `id`, `event` and `created` (D-60, D-61). They describe
 * what the builders of the slices write; test/contract/examples.test.ts holds events against them.
 */

import { Type } from 'typebox'
import { AccountStatus } from '#issuing/accounts/schema.ts'
import {
  CardStatus,
  CardType,
  delivery,
  FulfillmentStatus,
  StatusChange,
  StatusReason,
} from '#issuing/cards/schema.ts'
import { Charge } from '#issuing/charges/schema.ts'
import { TokenStatus, Wallet } from '#issuing/tokens/schema.ts'
import { Transaction } from '#issuing/transactions/schema.ts'
import { User, UserStatus } from '#issuing/users/schema.ts'
import { KycRequest } from '#issuing/verification/schema.ts'
import { Currency, Field, Instant, OneOf, Uuid } from '#kit/http/schema.ts'

const text = (description: string) => Type.String({ description })
const optionalText = (description: string) => Type.Optional(text(description))
const optionalId = (description: string) => Type.Optional(Field(description, Uuid))

const card_id = Field('Id of the card.', Uuid)
const user_id = Field('Id of the user.', Uuid)
const user_type = text('Type of the user.')
const STATUS_CODE = 'Reason code of the status.'

/** A card payment as `GET /transactions/{id}` returned it right after the event. */
export const transaction = { card_transaction: Transaction }

export const cardStatusChange = {
  card_status_change: Type.Object(
    {
      card_id,
      old_status: Field('Status before the change.', CardStatus),
      new_status: Field('Status after the change.', CardStatus),
      old_status_reason_code: Field('Reason code before the change.', StatusReason),
      status_reason_code: Field('Reason code after the change.', StatusReason),
      note: StatusChange.properties.note,
    },
    { description: 'Change of the status of the card.' },
  ),
}

const kyc = KycRequest.properties
export const kycResult = {
  kyc_policy: kyc.kyc_policy,
  kyc_id: kyc.id,
  user_id,
  note: kyc.note,
  old_status: kyc.old_status,
  status: kyc.status,
  status_code: kyc.status_code,
  status_description: kyc.status_description,
  modified: kyc.modified,
}

export const userCreated = {
  user_id,
  user_type,
  status: Field('Status of the user.', UserStatus),
  status_reason_code: text(STATUS_CODE),
  user: User,
}

export const userStatusChange = {
  user_id,
  old_status: Field('Status before the change.', UserStatus),
  old_status_reason_code: text('Reason code before the change.'),
  new_status: Field('Status after the change.', UserStatus),
  new_status_reason_code: text('Reason code after the change.'),
  user_type,
  note: optionalText('Note of the change.'),
  User_status_change: User,
}

export const documentAlert = {
  user_id,
  identification_id: Field('Id of the identification.', Uuid),
  document_type: text('Type of the document.'),
  expiry_date: Field('Date of expiry of the document.', Instant),
}

export const identityVerification = {
  user_id,
  applicant_id: optionalText('Id of the applicant at the identity provider.'),
  sdk_token: optionalText('Token of the applicant for the identity provider; expires.'),
  note: optionalText('Note of the report.'),
  status: Field('Status of the user.', UserStatus),
  old_status_reason_code: optionalText('Reason code before the change.'),
  status_reason_code: text(STATUS_CODE),
  status_description: text('Text of the reason code.'),
  modified: Field('Time of the last change.', Instant),
}

export const pinChange = { card_id }

export const chargeApplied = {
  charge: Charge,
}

export const accountStatusChange = {
  account_status_change: Type.Object(
    {
      account_id: Field('Id of the account.', Uuid),
      user_id: optionalId('Id of the user that owns the account, if any.'),
      old_status: Field('Status before the change.', AccountStatus),
      new_status: Field('Status after the change.', AccountStatus),
      notes: optionalText('Reason of the change.'),
    },
    { description: 'Change of the status of the account.' },
  ),
}

export const cardProvisioning = {
  card_id,
  token_id: optionalId('Id of the token; absent where the provisioning was refused.'),
  wallet: Field('Wallet that requested the token.', Wallet),
  device_name: optionalText('Name of the device; absent when none was sent.'),
  status: Field(
    'ACTIVE, or REFUSED where the provisioning data are wrong.',
    OneOf(['ACTIVE', 'REFUSED']),
  ),
}

export const tokenNotification = {
  card_id,
  token_id: Field('Id of the token.', Uuid),
  wallet: Field('Wallet that holds the token.', Wallet),
  old_status: Field('Status before the change.', TokenStatus),
  new_status: Field('Status after the change.', TokenStatus),
}

export const successfullyCreated = {
  object: Field('What was created.', OneOf(['card', 'account'])),
  card_id: optionalId('Id of the card; of a card only.'),
  user_id: optionalId('Id of the user; absent until the card or account is linked to one.'),
  card_product_id: Field('Id of the card product.', Uuid),
  account_id: optionalId('Id of the account; absent where a card has none.'),
  reference_card_id: optionalId('Id of the card that the new card replaces.'),
  card_type: Type.Optional(Field('VIRTUAL or PHYSICAL; of a card only.', CardType)),
  currency: Type.Optional(Field('ISO 4217 code; of an account only.', Currency)),
  status: text('Status of the card or account.'),
  status_reason_code: optionalText('Reason code of the status; of a card only.'),
}

export const deliveryPartnerAssigned = { card_id, ...delivery }

export const deliveryStatusChanged = {
  card_id,
  old_status: Field('Fulfillment status before the change.', FulfillmentStatus),
  new_status: Field('Fulfillment status after the change.', FulfillmentStatus),
  ...delivery,
}

const FOUR_DECIMALS = 'in major units, with four decimals'

const order = {
  order_id: Field('Id of the order.', Uuid),
  merchant_id: Field('Id of the merchant.', Uuid),
  reference: text('Reference of the merchant, from the checkout.'),
  order_number: text('Number of the order: twelve upper-case letters and digits.'),
  status: Field('Status of the order.', OneOf(['OPENED', 'COMPLETED'])),
  currency: text('ISO 4217 alphabetic code of the order.'),
  total: text(`Total of the order, ${FOUR_DECIMALS}.`),
  capture_expiration: text('Deadline of the capture, UTC with six decimals.'),
}

export const orderOpen = order
export const orderCaptured = {
  ...order,
  transaction_id: Field('Id of the capture.', Uuid),
  amount: text(`Captured amount ${FOUR_DECIMALS}.`),
}
export const orderRefunded = {
  ...order,
  transaction_id: Field('Id of the refund.', Uuid),
  amount: text(`Amount of this refund ${FOUR_DECIMALS}.`),
  total_refund: text(`Sum of the refunds ${FOUR_DECIMALS}.`),
}
export const orderCaptureExpiring = {
  ...order,
  hours_left: Type.Integer({ description: 'Hours until the deadline of the capture: 24 or 2.' }),
}
