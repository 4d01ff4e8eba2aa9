import { lockRow } from '#kit/db/locks.ts'
import { type Route, route } from '#kit/http/route.ts'
import { IdPath } from '#kit/http/schema.ts'
import {
  changeReceiver,
  createReceiver,
  deleteReceiver,
  findReceiver,
  listReceivers,
  listRequests,
} from './receiver.ts'
import {
  DeletedReceiver,
  ReceivedRequests,
  ReceiverChange,
  ReceiversQuery,
  WebhookReceiver,
  WebhookReceivers,
} from './schema.ts'

const PATH = '/simulate/webhookreceivers'

/** `publicUrl` is called when it is needed: the port may be known only once the program listens. */
export const receiverRoutes = (publicUrl: () => string): Route[] => [
  route({
    id: 'createWebhookReceiver',
    tag: 'Simulation',
    description:
      'Creates a receiver for trying webhooks: an address of this program that a subscription ' +
      'can have as its endpoint. It stores the newest 100 requests for up to seven days, checks ' +
      'their signatures, and answers them as it is set. A tenant has at most 10. If ' +
      '`allow_private_endpoints` is false, `PUBLIC_URL` has to be a public address. Exists in ' +
      'sandbox only.',
    method: 'POST',
    path: PATH,
    permission: 'write',
    summary: 'Create a receiver for webhooks',
    sandbox: true,
    body: ReceiverChange,
    bodyOptional: true,
    answer: WebhookReceiver,
    errors: ['receiver_limit_reached'],
    run: (ctx, { body }) => createReceiver(ctx, publicUrl(), body),
  }),
  route({
    id: 'listWebhookReceivers',
    tag: 'Simulation',
    description: 'Lists the receivers of the tenant, newest first. Exists in sandbox only.',
    method: 'GET',
    path: PATH,
    permission: 'read',
    summary: 'List receivers for webhooks',
    sandbox: true,
    query: ReceiversQuery,
    answer: WebhookReceivers,
    run: (ctx, { query }) => listReceivers(ctx, publicUrl(), query),
  }),
  route({
    id: 'getWebhookReceiver',
    tag: 'Simulation',
    description:
      'Returns a receiver: its address, how it answers, and how many requests it has received. ' +
      'Exists in sandbox only.',
    method: 'GET',
    path: `${PATH}/{id}`,
    permission: 'read',
    summary: 'Get a receiver for webhooks',
    sandbox: true,
    params: IdPath,
    answer: WebhookReceiver,
    lock: (tx, params) => lockRow(tx, 'sandbox_webhook_receivers', params.id),
    run: (ctx, { params }) => findReceiver(ctx, publicUrl(), params.id),
  }),
  ...oneRoutes(publicUrl),
]

const oneRoutes = (publicUrl: () => string): Route[] => [
  route({
    id: 'updateWebhookReceiver',
    tag: 'Simulation',
    description:
      'Changes how the receiver answers from now on. Status 500 shows how deliveries are tried ' +
      'again, a delay of more than 10 000 ms how they time out, and 410 how their subscription ' +
      'is disabled. Exists in sandbox only.',
    method: 'PUT',
    path: `${PATH}/{id}`,
    permission: 'write',
    summary: 'Change how a receiver answers',
    sandbox: true,
    params: IdPath,
    body: ReceiverChange,
    answer: WebhookReceiver,
    run: (ctx, { params, body }) => changeReceiver(ctx, publicUrl(), params.id, body),
  }),
  route({
    id: 'deleteWebhookReceiver',
    tag: 'Simulation',
    description:
      'Deletes the receiver with its requests. Subscriptions to its address stay; their ' +
      'deliveries are answered 404. Exists in sandbox only.',
    method: 'DELETE',
    path: `${PATH}/{id}`,
    permission: 'write',
    summary: 'Delete a receiver for webhooks',
    sandbox: true,
    params: IdPath,
    answer: DeletedReceiver,
    run: (ctx, { params }) => deleteReceiver(ctx, params.id),
  }),
  route({
    id: 'listReceivedRequests',
    tag: 'Simulation',
    description:
      'Lists what the receiver has received, newest first: the headers, whether the signature ' +
      'is that of a subscription of the tenant, and then the body, and how it was answered. ' +
      'Exists in sandbox only.',
    method: 'GET',
    path: `${PATH}/{id}/requests`,
    permission: 'read',
    summary: 'List requests of a receiver',
    sandbox: true,
    params: IdPath,
    query: ReceiversQuery,
    answer: ReceivedRequests,
    run: (ctx, { params, query }) => listRequests(ctx, params.id, query),
  }),
]
