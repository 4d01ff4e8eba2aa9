/** The calls for one webhook. */

import { answered, issuing } from '../../api/client.ts'
import type { Webhook } from '../../api/types.ts'
import type { Match } from '../../api/versions.ts'

export const readWebhook = (id: string): Promise<Webhook> => answered(issuing.webhooks.get(id))

/** Changes the members of `body`. */
export const updateWebhook = (id: string, body: object, match: Match): Promise<Webhook> =>
  answered(issuing.webhooks.update(id, body, match))
