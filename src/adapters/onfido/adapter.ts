/** Onfido verifies identities. */

import type { Adapter } from '../adapter.ts'
import { onfidoIdentity } from './identity.ts'
import { describeSettings, type OnfidoSettings, readSettings } from './settings.ts'

export const onfido: Adapter<OnfidoSettings> = {
  name: 'onfido',
  provides: ['identity'],
  readSettings,
  describeSettings,
  open: (settings) => ({ identity: onfidoIdentity(settings) }),
}
