/** `export`, `plan` and `apply`: the programme of a tenant as a file (docs/programme.md). */

import { createInterface, type ReadLineOptions } from 'node:readline/promises'
import { setTimeout } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { apiCommand, withExamples } from '../kit/command.ts'
import { apiPlatformOf } from '../kit/platform.ts'
import { print } from '../kit/print.ts'
import { DAYS_MAX } from '../programme/plan/trial.ts'
import { runProgramme, type Terminal } from '../programme/run.ts'

/** `ended` takes the exit code of what has run. */
export type Around = Terminal & { ended: (code: number) => void }
type Options = {
  profile?: string
  json?: boolean
  out?: string
  prune?: boolean
  backtest?: number
  yes?: boolean
}

export function programmeCommand(name: 'export' | 'plan' | 'apply', around = process_): Command {
  const run = async (file: string, options: Options) => {
    const { url, key } = apiPlatformOf(options, around.env)
    const { out, prune = false, backtest: days, json = false, yes = false } = options
    const own =
      name === 'export'
        ? { command: name, out, json }
        : { command: name, file, prune, days, json, yes }
    around.ended(await runProgramme({ url, key, ...own }, around))
  }
  if (name === 'export') {
    const command = apiCommand(name)
      .description('Writes the programme of the tenant of the key, as YAML.')
      .option('--out <file>', 'write the file; on the screen where it is left out')
      .action((options: Options) => run('', options))
    return withExamples(command, ['export > programme.yaml', 'export --out programme.yaml'])
  }
  const command = apiCommand(name)
    .argument('<file>', 'the programme, as YAML or JSON')
    .option('--prune', 'delete webhooks that are not in the file; nothing else is ever deleted')
    .option(
      ...(['--backtest <days>', 'decide so many days again with the changed controls'] as const),
      daysOf,
    )
  if (name === 'apply') {
    command
      .description('Makes the tenant like a file: plans, shows the plan, asks, and does it.')
      .option('--yes', 'do not ask; required where there is no terminal, and with --json')
  } else {
    command.description('Shows what apply would do, and how many cards each change applies to.')
  }
  command.action(run)
  return withExamples(command, examples[name])
}

const examples = {
  plan: ['plan programme.yaml', 'plan programme.yaml --prune --backtest 30 --json'],
  apply: ['apply programme.yaml', 'apply programme.yaml --prune --yes'],
}

function daysOf(text: string): number {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (days >= 1 && days <= DAYS_MAX) return days
  throw new InvalidArgumentError(`It is not a number from 1 to ${DAYS_MAX}.`)
}

const process_: Around = {
  env: process.env,
  print,
  ask: process.stdin.isTTY && process.stdout.isTTY ? (question) => ask(question) : undefined,
  wait: async (ms) => setTimeout(ms),
  ended: (code) => {
    process.exitCode = code
  },
}

/** The line that the user enters; '' if Ctrl-C or the end of the input is the answer. */
export async function ask(
  question: string,
  streams: ReadLineOptions = { input: process.stdin, output: process.stdout },
): Promise<string> {
  const lines = createInterface(streams)
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return await Promise.race([lines.question(question).catch(() => ''), ended])
  } finally {
    lines.close()
  }
}
