/** The calls for one shop. */

import { answered, issuing } from '../../api/client.ts'
import type { Shop } from '../../api/types.ts'
import type { Match } from '../../api/versions.ts'

export const readMerchant = (id: string): Promise<Shop> =>
  answered(issuing.GET('/operator/merchants/{id}', { params: { path: { id } } }))

/** Changes the members of `body`. */
export const updateMerchant = (id: string, body: object, header: Match): Promise<Shop> =>
  answered(issuing.PUT('/operator/merchants/{id}', { body, params: { path: { id }, header } }))
