/** Watchman searches lists of sanctions for people and companies (D-1081). */

import type { Adapter } from '../adapter.ts'
import { watchmanScreeners } from './screening.ts'
import { settingsOf, variables, type WatchmanSettings } from './settings.ts'

export const watchman: Adapter<typeof variables, WatchmanSettings> = {
  name: 'watchman',
  provides: ['kyc', 'kyb'],
  variables,
  settingsOf,
  open: (settings) => watchmanScreeners(settings),
}
