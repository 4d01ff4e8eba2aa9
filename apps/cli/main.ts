/** The command `bezant`: a client of the API for people at a terminal (docs/cli.md). */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { EXITS, type Subcommand, subcommands } from './commands.ts'
import { EXIT, FileFault, outcomeOf } from './kit/faults.ts'
import { isHere, ROOT } from './kit/platform.ts'
import { note, watchOutput, widthOf } from './kit/print.ts'
import { visibleLines } from './kit/text.ts'

const AFTER = `
Examples:
  $ bezant start                            start a sandbox; what follows finds it
  $ bezant trigger purchase --amount 25     pay with a card
  $ bezant transactions list --status DECLINED
  $ bezant explain TRANSACTION
  $ bezant post /users first_name=Layla last_name=Haddad

Exit codes: ${EXITS}.
The help of a command says what its own mean.`

const HELP_WIDTH = 100
const ELSEWHERE = 'Not here, since they need a checkout or the archive of a release:'

/** Runs a command line; resolves to the exit code of the process. */
export async function main(words: readonly string[]): Promise<number> {
  watchOutput()
  const named = nameIn(words)
  const row = subcommands.find(({ name }) => name === named)
  try {
    const program = await programFor(row)
    await program.parseAsync(row || named === undefined ? helped(words) : [named], { from: 'user' })
    return Number(process.exitCode ?? EXIT.done)
  } catch (error) {
    const { code, lines } = outcomeOf(error)
    // Lines that begin with a file are as an editor reads them.
    const head = error instanceof FileFault ? '' : 'bezant: '
    for (const [at, line] of lines.entries()) note(visibleLines(at === 0 ? head + line : line))
    return row?.codes?.[code] ?? code
  }
}

/** The subcommand that is run or asked about. One that is not there is an error with --help too. */
function nameIn(words: readonly string[]): string | undefined {
  const first = words.find((word) => !word.startsWith('-'))
  return first === 'help' ? words[words.indexOf('help') + 1] : first
}

/** `help keys rotate` is `keys rotate --help`. */
function helped(words: readonly string[]): readonly string[] {
  const [first, ...others] = words
  return first === 'help' && others.length > 0 ? [...others, '--help'] : words
}

/** The command of all; only the subcommand that is named is loaded. */
async function programFor(named: Subcommand | undefined): Promise<Command> {
  const program = new Command('bezant')
    .description('The command line of Bezant, a card issuing platform.')
    .version(version(), '-V, --version')
    .addHelpText('after', AFTER)
    .showHelpAfterError('bezant help lists the commands')
    // Options belong to the command that they follow: those of a script are the script's.
    .enablePositionalOptions()
  for (const row of subcommands) {
    const { name, summary, group, exits = EXITS, needs } = row
    const command = row === named ? withExits(await row.load(), exits) : new Command(name)
    const isMissing = needs !== undefined && !isHere(needs)
    program.addCommand(command.summary(summary).helpGroup(isMissing ? ELSEWHERE : group))
  }
  return strict(program)
}

/** Every help of a command says what its exit codes mean. */
function withExits(command: Command, exits: string): Command {
  for (const inner of command.commands) withExits(inner, exits)
  return command.addHelpText('after', `\nExit codes: ${exits}.`)
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
