/** Texts of the pages, by the keys of the console. */

import * as ar_mccs from '../../../apps/console/src/i18n/ar/mccs.ts'
import * as ar_entrance from '../../../apps/console/src/i18n/ar/parts_entrance.ts'
import * as ar_first from '../../../apps/console/src/i18n/ar/parts_first.ts'
import * as ar_objects from '../../../apps/console/src/i18n/ar/parts_objects.ts'
import * as ar_platform from '../../../apps/console/src/i18n/ar/parts_platform.ts'
import * as ar_trials from '../../../apps/console/src/i18n/ar/parts_trials.ts'
import * as ar_program from '../../../apps/console/src/i18n/ar/program.ts'
import { mccs } from '../../../apps/console/src/i18n/en/mccs.ts'
import { outside } from '../../../apps/console/src/i18n/en/parts_entrance.ts'
import { first } from '../../../apps/console/src/i18n/en/parts_first.ts'
import { objects } from '../../../apps/console/src/i18n/en/parts_objects.ts'
import { platform } from '../../../apps/console/src/i18n/en/parts_platform.ts'
import { trials } from '../../../apps/console/src/i18n/en/parts_trials.ts'
import { program } from '../../../apps/console/src/i18n/en/program.ts'
import type { Texts } from '../../../apps/console/src/i18n/texts.ts'

export const english = { ...first, ...outside, ...objects, ...platform, ...trials, mccs, program }

export type Words = Texts<typeof english>

export const arabic: Words = {
  ...ar_first.first,
  ...ar_entrance.outside,
  ...ar_objects.objects,
  ...ar_platform.platform,
  ...ar_trials.trials,
  mccs: ar_mccs.mccs,
  program: ar_program.program,
}
