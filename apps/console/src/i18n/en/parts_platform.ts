/** Texts of the pages of webhooks, the team, settings and the operator. */

import { hooks } from './hooks.ts'
import { operator } from './operator.ts'
import { receiver } from './receiver.ts'
import { settings } from './settings.ts'
import { team } from './team.ts'

export const platform = { ...hooks, ...settings, ...team, operator, receiver }
