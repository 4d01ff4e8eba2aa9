import { TransactionPath } from '#issuing/transactions/schema.ts'
import { route } from '#kit/http/route.ts'
import { WireMessages } from './schema.ts'
import type { WireLog } from './wire_log.ts'
import { listMessages } from './wire_messages.ts'

/** `log` is null if no messages are recorded. */
export const wireMessageRoutes = (log: WireLog | null) => [
  route({
    id: 'listTransactionMessages',
    tag: 'Transactions',
    description:
      'Lists the messages of the card network that belong to a transaction, oldest first, each ' +
      'field by field: requests, repeats, advices and reversals, with their answers. Card data ' +
      'is masked. They are a diagnostic: messages may be missing where many came at one time, ' +
      'and another process of the platform writes them up to a second later. They are kept as ' +
      'long as MESSAGES_KEPT_DAYS.',
    method: 'GET',
    path: '/transactions/{id}/messages',
    permission: 'read',
    summary: 'List the network messages of a transaction',
    params: TransactionPath,
    answer: WireMessages,
    run: (ctx, { params }) => listMessages(ctx, log, params.id),
  }),
]
