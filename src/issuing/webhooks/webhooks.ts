/**
 * Public functions of the webhooks slice: subscriptions, deliveries and the pull feed. D-60 to
 * D-65.
 */

export { sealedInWebhooks } from './credentials.ts'
export {
  findDelivery,
  listDeliveries,
  pingWebhook,
  recoverDeliveries,
  resendDelivery,
} from './deliveries.ts'
export { PING } from './events.ts'
export { createSeats } from './seats.ts'
export {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateSecret,
} from './subscriptions.ts'
export { createWaitingRoom, wakingSweep } from './waiting_room.ts'
