/** The outside world as the sandbox simulates it (src/sandbox/identity). */

import { sandboxIdentity } from '#sandbox/identity/identity.ts'
import { sandboxKyc } from '#sandbox/identity/kyc.ts'
import { simulatedIdentitySlice } from '#sandbox/identity/slice.ts'
import type { Adapter } from '../adapter.ts'
import { type SimulatedSettings, settingsOf, variables } from './settings.ts'

export const simulated: Adapter<typeof variables, SimulatedSettings> = {
  name: 'simulated',
  provides: ['identity', 'kyc'],
  simulated: true,
  variables,
  settingsOf,
  open: () => ({
    identity: sandboxIdentity,
    kyc: sandboxKyc,
    slices: [simulatedIdentitySlice],
  }),
}
