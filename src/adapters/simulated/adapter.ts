/** The outside world as the sandbox simulates it (src/sandbox/identity). */

import { sandboxIdentity } from '#sandbox/identity/identity.ts'
import { sandboxKyc } from '#sandbox/identity/kyc.ts'
import { simulatedIdentitySlice } from '#sandbox/identity/slice.ts'
import type { Adapter } from '../adapter.ts'
import { readSettings, type SimulatedSettings } from './settings.ts'

export const simulated: Adapter<SimulatedSettings> = {
  name: 'simulated',
  provides: ['identity', 'kyc'],
  simulated: true,
  readSettings,
  describeSettings: () => [],
  open: () => ({
    identity: sandboxIdentity,
    kyc: sandboxKyc,
    slices: [simulatedIdentitySlice],
  }),
}
