/** The calls for one webhook. */

import { answered, issuing } from '../../api/client.ts'
import type { Webhook } from '../../api/types.ts'
import type { Match } from '../../api/versions.ts'

export const readWebhook = (id: string): Promise<Webhook> =>
  answered(issuing.GET('/webhooks/{id}', { params: { path: { id } } }))

/** Changes the members of `body`. */
export const updateWebhook = (id: string, body: object, header: Match): Promise<Webhook> =>
  answered(issuing.PUT('/webhooks/{id}', { body, params: { path: { id }, header } }))
