/** Onfido verifies identities, and searches watchlists for persons where a setting says so (D-1081). */

import type { Adapter } from '../adapter.ts'
import { onfidoIdentity } from './identity.ts'
import { type OnfidoSettings, settingsOf, variables } from './settings.ts'
import { onfidoWatchlists } from './watchlists.ts'
import { listener } from './webhook.ts'

export const onfido: Adapter<typeof variables, OnfidoSettings> = {
  name: 'onfido',
  provides: ['identity', 'kyc'],
  providesBy: ({ watchlist }) => (watchlist === null ? ['identity'] : ['identity', 'kyc']),
  variables,
  settingsOf,
  open(settings) {
    const { webhook_token, watchlist } = settings
    const listen = webhook_token ? listener(webhook_token) : undefined
    const identity = onfidoIdentity(settings, listen)
    if (watchlist === null) return { identity }
    return { identity, kyc: onfidoWatchlists({ ...settings, watchlist }, listen) }
  },
}
