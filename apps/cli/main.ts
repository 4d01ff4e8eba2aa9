/** The command `bezant`: a client of the API for people at a terminal (docs/cli.md). */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { type Subcommand, subcommands } from './commands.ts'
import { EXIT, FileFault, outcomeOf } from './kit/faults.ts'
import { ROOT } from './kit/platform.ts'
import { note, watchOutput, widthOf } from './kit/print.ts'
import { visibleLines } from './kit/text.ts'

const EXAMPLES = `
Examples:
  $ bezant start                            start a sandbox; what follows finds it
  $ bezant trigger purchase --amount 25     pay with a card
  $ bezant transactions list --status DECLINED
  $ bezant explain TRANSACTION
  $ bezant post /users first_name=Layla last_name=Haddad

Exit codes: 0 done, 1 the API answered with an error or not at all, 2 a wrong command.`

const HELP_WIDTH = 100

/** Runs a command line; resolves to the exit code of the process. */
export async function main(words: readonly string[]): Promise<number> {
  watchOutput()
  try {
    const program = await programFor(subcommands, words)
    await program.parseAsync(words, { from: 'user' })
    return Number(process.exitCode ?? EXIT.done)
  } catch (error) {
    const { code, lines } = outcomeOf(error)
    // Lines that begin with a file are as an editor reads them.
    const head = error instanceof FileFault ? '' : 'bezant: '
    for (const [at, line] of lines.entries()) note(visibleLines(at === 0 ? head + line : line))
    return subcommands.find(({ name }) => name === nameIn(words))?.codes?.[code] ?? code
  }
}

/** The subcommand that is run or asked about. */
function nameIn(words: readonly string[]): string | undefined {
  const first = words.find((word) => !word.startsWith('-'))
  return first === 'help' ? words[words.indexOf('help') + 1] : first
}

/** The command of all; only the subcommand that is named is loaded. */
async function programFor(table: readonly Subcommand[], words: readonly string[]) {
  const named = nameIn(words)
  const program = new Command('bezant')
    .description('The command line of Bezant, a card issuing platform.')
    .version(version(), '-V, --version')
    .addHelpText('after', EXAMPLES)
    // Options belong to the command that they follow: those of a script are the script's.
    .enablePositionalOptions()
  for (const { name, summary, group, load } of table) {
    const command = name === named ? await load() : new Command(name)
    program.addCommand(command.summary(summary).helpGroup(group))
  }
  return strict(program)
}

/** Every command throws in place of ending the process, and says what is unknown. */
function strict(command: Command): Command {
  const help = { helpWidth: widthOf() ?? HELP_WIDTH, minWidthToWrap: 20 }
  command.exitOverride().showSuggestionAfterError().configureHelp(help)
  for (const inner of command.commands) strict(inner)
  return command
}

function version(): string {
  const text = readFileSync(join(ROOT, 'package.json'), 'utf8')
  const { version: own }: { version: string } = JSON.parse(text)
  return own
}
