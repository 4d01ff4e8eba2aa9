/** The programs of a checkout that npm scripts run, as subcommands. */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { Command } from 'commander'
import { offerWords, withExamples } from '../kit/command.ts'
import { dataFolder, ROOT } from '../kit/platform.ts'

type Script = {
  file: string
  about: string
  /** Words and options that it takes, for completion. */
  takes?: readonly string[]
  examples: readonly string[]
  hasHelp?: boolean
}

const scripts: Record<string, Script> = {
  start: {
    ...{ file: 'src/main.ts', about: 'Starts the server: a sandbox, where nothing else is set.' },
    examples: ['start'],
  },
  demo: {
    ...{ file: 'tools/demo.ts', about: 'Runs an example against the running server.' },
    examples: ['demo'],
  },
  doctor: {
    ...{ file: 'tools/doctor.ts', about: 'Checks the promises of the whole database.' },
    examples: ['doctor'],
  },
  audit: {
    ...{ file: 'tools/audit.ts', about: 'Exports an anchor of the audit log, or verifies it.' },
    takes: ['export', 'verify', '--anchor'],
    examples: ['audit export anchor.json', 'audit verify --anchor anchor.json'],
  },
  keys: {
    ...{ file: 'tools/keys.ts', about: 'Rotates the master key, or rewraps data keys.' },
    takes: ['rotate', 'rewrap', '--remove-old'],
    examples: ['keys rotate', 'keys rewrap'],
  },
  listen: {
    ...{ file: 'tools/listen.ts', hasHelp: true },
    about: 'Prints and forwards events as they come; bezant listen --help has its options.',
    takes: [
      ...['--forward-to', '--responder-to', '--events', '--after', '--tenant', '--url', '--key'],
      ...['--secret', '--json'],
    ],
    examples: ['listen --forward-to http://localhost:4000/hook', 'listen --events TRANSACTION'],
  },
}

/** All words behind the name are those of the program itself; it has its own help. */
export function scriptCommand(name: string): Command {
  const script = scripts[name]
  if (!script) throw new Error(`there is no script ${name}`)
  const command = new Command(name)
    .description(script.about)
    .argument('[words...]', 'options of the program itself')
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(script.hasHelp ? false : '-h, --help')
    .action(async (words: string[]) => {
      process.exitCode = await run(script, words)
    })
  offerWords(command, script.takes ?? [])
  return withExamples(command, script.examples)
}

/** Resolves to the exit code of the program, with the same terminal and the same signals. */
function run({ file }: Script, words: readonly string[]) {
  const child = spawn(process.execPath, [join(ROOT, file), ...words], {
    ...{ cwd: ROOT, stdio: 'inherit' },
    env: { ...process.env, DATA_DIR: dataFolder() },
  })
  // Ctrl-C reaches both; the program decides when it ends.
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  const ignore = () => {}
  process.on('SIGTERM', pass).on('SIGINT', ignore)
  return new Promise<number>((resolve, reject) => {
    child.once('error', reject).once('exit', (code) => {
      process.off('SIGTERM', pass).off('SIGINT', ignore)
      resolve(code ?? 1)
    })
  })
}
