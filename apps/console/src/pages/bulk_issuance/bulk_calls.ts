/** The calls for one bulk issuance. */

import { answered, issuing } from '../../api/client.ts'
import type { BulkIssuance } from '../../api/types.ts'
import type { Match } from '../../api/versions.ts'

export const readBulk = (id: string): Promise<BulkIssuance> =>
  answered(issuing.cards.getBulkIssuance(id))

/** Changes the members of `body`; a draft that is submitted is issued. */
export const updateBulk = (id: string, body: object, match: Match): Promise<BulkIssuance> =>
  answered(issuing.cards.updateBulkIssuance(id, body, match))
