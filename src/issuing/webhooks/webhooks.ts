/**
 * Public functions of the webhooks slice: subscriptions, deliveries and the pull feed. D-60 to
 * D-65.
 */

export { sealedInWebhooks } from './credentials.ts'
export {
  findDelivery,
  listDeliveries,
  listObjectDeliveries,
  pingWebhook,
  recoverDeliveries,
  resendDelivery,
} from './deliveries.ts'
export { deliveriesDue } from './due.ts'
export { PING, webhookEvents } from './events.ts'
export { createSeats } from './feed/seats.ts'
export { createWaitingRoom, wakingSweep } from './feed/waiting_room.ts'
export { endLeftOverDeliveries } from './left_over.ts'
export { findSigner } from './signers.ts'
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateSecret,
} from './subscriptions.ts'
