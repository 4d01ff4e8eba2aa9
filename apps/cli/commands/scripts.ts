/** Scripts of the tree that are processes of their own, as subcommands. */

import { spawn } from 'node:child_process'
import { Command } from 'commander'
import { withExamples } from '../kit/command.ts'
import { dataFolder, programAt, ROOT } from '../kit/platform.ts'

/** The server is the process that sets flags of V8 before anything is loaded. */
export function startCommand(): Command {
  const command = new Command('start')
    .description('Starts the server: a sandbox, where nothing else is set.')
    .option('--json', 'print one object a line: that it is ready, and its log')
    .action(({ json }: { json?: true }) => run('src/main.ts', json ? ['--json'] : []))
  return withExamples(command, ['start', 'start --json'])
}

/** All words behind the name are those of the script. */
export function scriptCommand(name: string, file: string, about: string): Command {
  const command = new Command(name)
    .description(about)
    .argument('[words...]', `words of ${file}`)
    .allowUnknownOption()
    .passThroughOptions()
    .action((words: string[]) => run(file, words))
  return withExamples(command, [name])
}

/** The exit code of the script is that of this process; it has the same terminal and signals. */
async function run(file: string, words: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [programAt(file), ...words], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, DATA_DIR: dataFolder() },
  })
  // Ctrl-C reaches both, and the end of the terminal too, which a second SIGHUP does not hasten;
  // the script decides when it ends.
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
