/** Onfido verifies identities. */

import type { Adapter } from '../adapter.ts'
import { onfidoIdentity } from './identity.ts'
import { type OnfidoSettings, settingsOf, variables } from './settings.ts'

export const onfido: Adapter<typeof variables, OnfidoSettings> = {
  name: 'onfido',
  provides: ['identity'],
  variables,
  settingsOf,
  open: (settings) => ({ identity: onfidoIdentity(settings) }),
}
