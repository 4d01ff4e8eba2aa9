/** `export`, `plan` and `apply` in this process, with what they print and their exit code. */

import { Command } from 'commander'
import { programmeCommand } from '../../apps/cli/commands/programme.ts'
import { outcomeOf } from '../../apps/cli/kit/faults.ts'
import type { Terminal } from '../../apps/cli/programme/run.ts'

export type Ran = { code: number; out: string; errors: string }

export async function runCommand(
  args: readonly string[],
  around: Partial<Terminal> & Pick<Terminal, 'env'>,
): Promise<Ran> {
  const [out, errors]: [string[], string[]] = [[], []]
  let code = 0
  const terminal = {
    print: (text: string) => void out.push(text),
    ask: undefined,
    wait: async () => {},
    ...around,
    ended: (ended: number) => {
      code = ended
    },
  }
  const program = new Command('bezant')
  for (const name of ['export', 'plan', 'apply'] as const) {
    program.addCommand(programmeCommand(name, terminal))
  }
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({
      writeOut: (text) => void out.push(text),
      writeErr: (text) => void errors.push(text.trimEnd()),
    })
  }
  try {
    await program.parseAsync(args, { from: 'user' })
  } catch (error) {
    const outcome = outcomeOf(error)
    code = outcome.code
    errors.push(...outcome.lines)
  }
  return { code, out: out.join('\n'), errors: errors.join('\n') }
}
