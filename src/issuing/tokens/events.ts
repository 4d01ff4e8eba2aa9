/** The events of tokens (D-60), in one order with those of their card. Without numbers. */

import { Type } from 'typebox'
import type { CardRow } from '#issuing/cards/cards.ts'
import { defineEvent } from '#kit/event.ts'
import { Field, OneOf, Uuid } from '#kit/http/schema.ts'
import { type Provisioning, TokenStatus, Wallet } from './schema.ts'
import type { TokenRow } from './store.ts'

const card_id = Field('Id of the card.', Uuid)

const provisioning = defineEvent({
  event: 'CARD_PROVISIONING',
  emitted: 'A card is put into a wallet, or the provisioning data are wrong (status REFUSED).',
  object: 'card',
  payload: {
    card_id,
    token_id: Type.Optional(
      Field('Id of the token; absent if the provisioning was refused.', Uuid),
    ),
    wallet: Field('Wallet that requested the token.', Wallet),
    device_name: Type.Optional(
      Type.String({ description: 'Name of the device; absent when none was sent.' }),
    ),
    status: Field(
      'ACTIVE, or REFUSED where the provisioning data are wrong.',
      OneOf(['ACTIVE', 'REFUSED']),
    ),
  },
})

/** A token begins ACTIVE. */
export function cardProvisioned({ id, card_id, wallet, device_name }: TokenRow) {
  return provisioning.about(card_id, {
    card_id,
    token_id: id,
    wallet,
    ...(device_name !== null && { device_name }),
    status: 'ACTIVE',
  })
}

export function provisioningRefused(
  { id }: CardRow,
  { wallet, device_name }: Pick<Provisioning, 'wallet' | 'device_name'>,
) {
  return provisioning.about(id, {
    card_id: id,
    wallet,
    ...(device_name !== undefined && { device_name }),
    status: 'REFUSED',
  })
}

const change = defineEvent({
  event: 'TOKEN_NOTIFICATION',
  emitted: 'A wallet token is suspended, resumed or deleted.',
  object: 'card',
  payload: {
    card_id,
    token_id: Field('Id of the token.', Uuid),
    wallet: Field('Wallet that holds the token.', Wallet),
    old_status: Field('Status before the change.', TokenStatus),
    new_status: Field('Status after the change.', TokenStatus),
  },
})

export function tokenNotification(old_status: TokenStatus, token: TokenRow) {
  const { id, card_id, wallet, status } = token
  return change.about(card_id, {
    card_id,
    token_id: id,
    wallet,
    old_status,
    new_status: status,
  })
}

export const tokenEvents = [provisioning, change] as const

declare module '#kit/event.ts' {
  interface EmittedKinds {
    tokens: typeof tokenEvents
  }
}
