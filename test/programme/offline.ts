/** The commands where no platform answers. */

import { runProgramme, type Terminal } from '../../apps/cli/programme/run.ts'

export const OFFLINE = { BEZANT_URL: 'http://127.0.0.1:1', BEZANT_KEY: 'bzt_of_no_tenant' }

export async function offline(args: readonly string[], env: NodeJS.ProcessEnv = OFFLINE) {
  const [out, errors]: [string[], string[]] = [[], []]
  const terminal: Terminal = {
    print: (text) => void out.push(text),
    printError: (text) => void errors.push(text),
    ...{ ask: undefined, wait: async () => {}, env },
  }
  const code = await runProgramme(args, terminal)
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}
