/** Parts that all commands that ask the API have in common. */

import { Command } from 'commander'

export type ApiOptions = { profile?: string; json?: boolean }

/** A command with the options that all of them take. */
export function apiCommand(name: string): Command {
  return new Command(name)
    .option('-p, --profile <name>', 'profile of the platform (bezant profile list)')
    .option('--json', 'print JSON')
}

const offered = new WeakMap<Command, readonly string[]>()

/** Words of the first argument that completion offers, where the help lists them in another way. */
export function offerWords(command: Command, words: readonly string[]): Command {
  offered.set(command, words)
  return command
}

export const wordsOffered = (command: Command): readonly string[] =>
  offered.get(command) ?? command.registeredArguments[0]?.argChoices ?? []

/** Examples below the help: the command line, and what it does. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  const lines = examples.map((line) => `  $ bezant ${line}`)
  return command.addHelpText('after', ['', 'Examples:', ...lines].join('\n'))
}
