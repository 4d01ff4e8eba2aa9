/** The events of tokens (D-60), in one order with those of their card. Without numbers. */

import type { CardRow } from '#issuing/cards/cards.ts'
import type { Event } from '#kit/event.ts'
import type { Provisioning, TokenStatus } from './schema.ts'
import type { TokenRow } from './store.ts'

export function cardProvisioned({ id, card_id, wallet, device_name, status }: TokenRow): Event {
  return {
    event: 'CARD_PROVISIONING',
    object_id: card_id,
    payload: {
      card_id,
      token_id: id,
      wallet,
      ...(device_name !== null && { device_name }),
      status,
    },
  }
}

export function provisioningRefused(
  { id }: CardRow,
  { wallet, device_name }: Pick<Provisioning, 'wallet' | 'device_name'>,
): Event {
  return {
    event: 'CARD_PROVISIONING',
    object_id: id,
    payload: {
      card_id: id,
      wallet,
      ...(device_name !== undefined && { device_name }),
      status: 'REFUSED',
    },
  }
}

export function tokenNotification(old_status: TokenStatus, token: TokenRow): Event {
  const { id, card_id, wallet, status } = token
  return {
    event: 'TOKEN_NOTIFICATION',
    object_id: card_id,
    payload: { card_id, token_id: id, wallet, old_status, new_status: status },
  }
}
