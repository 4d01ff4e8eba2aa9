/** The calls for one shop. */

import { answered, issuing } from '../../api/client.ts'
import type { Shop } from '../../api/types.ts'
import type { Match } from '../../api/versions.ts'

export const readMerchant = (id: string): Promise<Shop> =>
  answered(issuing.operator.getMerchant(id))

/** Changes the members of `body`. */
export const updateMerchant = (id: string, body: object, match: Match): Promise<Shop> =>
  answered(issuing.operator.updateMerchant(id, body, match))
