import type { Slice } from '#kit/slice.ts'
import type { Authorizer } from './engine/engine.ts'
import { unansweredBacklog } from './engine/store/unanswered.ts'
import { holdExpiry, reverseUnanswered } from './sweeps.ts'

export const authorizationSlice = (engine: Authorizer): Slice => ({
  name: 'authorization',
  backlogs: [unansweredBacklog],
  sweeps: [holdExpiry, reverseUnanswered(engine)],
})
