/** The programs of a checkout that npm scripts run, as subcommands. */

import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import { Command } from 'commander'
import { offerWords, withExamples } from '../kit/command.ts'
import { dataFolder, programAt, ROOT } from '../kit/platform.ts'

type Json = { json?: true }

const scripts: Record<string, () => Command> = {
  start: () =>
    plain('start', {
      ...{ file: 'src/main.ts', about: 'Starts the server: a sandbox, where nothing else is set.' },
      json: 'print one object a line: that it is ready, and its log',
    }),
  demo: () =>
    plain('demo', {
      ...{ file: 'tools/demo.ts', about: 'Runs an example against the running server.' },
      json: 'print what was made as JSON; the steps go to standard error',
    }),
  doctor: () =>
    plain('doctor', {
      ...{ file: 'tools/doctor.ts', about: 'Checks the promises of the whole database.' },
      json: 'print JSON',
    }),
  ...{ audit, keys, listen },
}

export function scriptCommand(name: string): Command {
  const make = scripts[name]
  if (!make) throw new Error(`there is no script ${name}`)
  return make()
}

type Plain = { file: string; about: string; json: string }

/** A program whose one option is --json. */
function plain(name: string, { file, about, json }: Plain): Command {
  const command = new Command(name)
    .description(about)
    .option('--json', json)
    .action((options: Json) => run(file, wordsOf(options)))
  return withExamples(command, [name, `${name} --json`])
}

function audit(): Command {
  const command = new Command('audit').description(
    'Exports an anchor of the audit log, or verifies it.',
  )
  withExamples(command.command('export'), ['audit export anchor.json'])
    .summary('write an anchor: the present end of each chain')
    .description('Writes an anchor, the present end of each chain, which is JSON itself.')
    .argument('[file]', 'a file that is not there yet; standard output where it is left out')
    .option('--json', 'print JSON of the file that was written')
    .action((file: string | undefined, options: Json) =>
      run('tools/audit.ts', [
        'export',
        ...wordsOf(options),
        ...(file ? ['--', resolve(file)] : []),
      ]),
    )
  withExamples(command.command('verify'), ['audit verify', 'audit verify --anchor anchor.json'])
    .summary('verify every record')
    .option('--anchor <file>', 'verify the chains by this anchor, too')
    .option('--json', 'print JSON')
    .action(({ anchor, ...options }: Json & { anchor?: string }) =>
      run('tools/audit.ts', [
        ...['verify', ...wordsOf(options)],
        ...(anchor === undefined ? [] : [`--anchor=${resolve(anchor)}`]),
      ]),
    )
  return withExamples(command, ['audit export anchor.json', 'audit verify --anchor anchor.json'])
}

function keys(): Command {
  const command = new Command('keys').description('Rotates data keys, or wraps them anew.')
  withExamples(command.command('rotate'), ['keys rotate', 'keys rotate --remove-old --json'])
    .summary('the next data keys, for everything that is sealed')
    .option('--remove-old', 'delete the keys that were retired an hour ago or earlier')
    .option('--json', 'print JSON; the steps go to standard error')
    .action(({ removeOld, ...options }: Json & { removeOld?: true }) =>
      run('tools/keys.ts', [
        ...['rotate', ...wordsOf(options)],
        ...(removeOld ? ['--remove-old'] : []),
      ]),
    )
  withExamples(command.command('rewrap'), ['keys rewrap', 'keys rewrap --json'])
    .summary('the data keys under MASTER_KEY_NEW, or KMS_URL_NEW')
    .option('--json', 'print JSON; the steps go to standard error')
    .action((options: Json) => run('tools/keys.ts', ['rewrap', ...wordsOf(options)]))
  return withExamples(command, ['keys rotate', 'keys rewrap'])
}

/** All words behind its name are those of the program itself, which has its own help. */
function listen(): Command {
  const command = new Command('listen')
    .description('Prints and forwards events as they come; bezant listen --help has its options.')
    .argument('[words...]', 'options of the program itself')
    .allowUnknownOption()
    .passThroughOptions()
    .helpOption(false)
    .action((words: string[]) => run('tools/listen.ts', words))
  offerWords(command, [
    ...['--forward-to', '--responder-to', '--events', '--after', '--tenant', '--url', '--key'],
    ...['--secret', '--json'],
  ])
  return withExamples(command, [
    'listen --forward-to http://localhost:4000/hook',
    'listen --events TRANSACTION',
  ])
}

const wordsOf = ({ json }: Json): string[] => (json ? ['--json'] : [])

/** The exit code of the program is that of this process; it has the same terminal and signals. */
async function run(file: string, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [programAt(file), ...words], {
    ...{ cwd: ROOT, stdio: 'inherit' },
    env: { ...process.env, DATA_DIR: dataFolder() },
  })
  // Ctrl-C reaches both, and the end of the terminal too, which a second SIGHUP does not hasten;
  // the program decides when it ends.
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  const ignore = () => {}
  process.on('SIGTERM', pass).on('SIGHUP', pass).on('SIGINT', ignore)
  process.exitCode = await new Promise<number>((resolveCode, reject) => {
    child.once('error', reject).once('exit', (code) => {
      process.off('SIGTERM', pass).off('SIGHUP', pass).off('SIGINT', ignore)
      resolveCode(code ?? 1)
    })
  })
}
