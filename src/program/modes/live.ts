/** A deployment with real people and money: nothing is simulated. */

import { makeOperatorKey } from '../operator_key.ts'
import type { Mode } from './mode.ts'
import { PROFILES } from './profiles.ts'

export const live: Mode = {
  profile: PROFILES.live,
  providers: {},
  open: () => ({ payments: {} }),
  slices: () => [],
  chores: [],
  async make(services, { data_dir }) {
    const operator_key_file = await makeOperatorKey(services, data_dir)
    return operator_key_file === undefined ? {} : { operator_key_file }
  },
  record: (_config, made) => made,
}
