/** The calls for the settings of the own organization. */

import { answered, issuing } from '../../api/client.ts'
import type { Match } from '../../api/versions.ts'

export const readSettings = () => answered(issuing.settings.get())

/** Changes the members of `body`. */
export const updateSettings = (body: object, match: Match) =>
  answered(issuing.settings.update(body, match))
