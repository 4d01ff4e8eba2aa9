/** The commands where no platform answers. */

import { type Ran, runCommand } from './running.ts'

export const OFFLINE = { BEZANT_URL: 'http://127.0.0.1:1', BEZANT_KEY: 'bzt_of_no_tenant' }

export const offline = (args: readonly string[], env: NodeJS.ProcessEnv = OFFLINE): Promise<Ran> =>
  runCommand(args, { env })
