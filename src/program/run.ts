/** The process around the program: its output, its signals, its end. */

import { flushCompileCache } from 'node:module'
import { createLog, type Log } from '#kit/log.ts'
import { StartError } from '#kit/start_error.ts'
import { printableJson } from '#lib/printable.ts'
import { onEndSignal } from '#lib/process/end_signals.ts'
import { readConfig } from '#src/config/config.ts'
import { explain } from './explain.ts'
import { failureDocument } from './json_output.ts'
import type { Report, Running } from './start.ts'

/** After this the process ends, also with unfinished work. */
const LONGEST_STOP_MS = 9_500
/** The same of a step of the start: one that makes the database is slow if the machine is busy. */
const LONGEST_STEP_MS = 60_000

const FORMAT = 'start 1'

const print = (line: string) => void process.stdout.write(`${line}\n`)

/**
 * Runs until a signal. Never rejects: an error becomes a line and an exit code. `args` are the
 * words of the command line: with `--json` its steps are lines of the log, which are JSON as well,
 * and that it is ready is one object (D-867).
 */
export async function run(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  const isJson = args.includes('--json')
  const ending = new AbortController()
  try {
    refuseOthers(args)
    const config = readConfig(env)
    const log = createLog(config.log_level)
    const report: Report = isJson ? (line) => log.info(line) : print
    outliveReaders()
    endOnBug(log)
    // The program itself is loaded once the configuration is valid.
    const [{ start }, { welcome, readyDocument }] = await Promise.all([
      import('./start.ts'),
      import('./welcome.ts'),
    ])
    const starting = start({ config, log, report, signal: ending.signal })
    stopOnSignal(ending, starting, log, report)
    const running = await starting
    // It is stopping already, so that it is ready is not printed.
    if (ending.signal.aborted) return
    if (isJson) print(printableJson({ format: FORMAT, ok: true, ...readyDocument(running) }))
    else print(welcome(running))
    // A killed process cannot do this later.
    flushCompileCache()
  } catch (error) {
    // The end that was asked for may be the error: Ctrl-C ends initdb as well.
    if (ending.signal.aborted) return
    if (isJson) print(printableJson(failureDocument(FORMAT, explain(error))))
    fail(error, env)
  }
}

function refuseOthers(args: readonly string[]): void {
  const other = args.find((arg) => arg !== '--json')
  if (other === undefined) return
  throw new StartError(
    `it has one option, --json, and not ${other}: settings are variables (docs/settings.md)`,
  )
}

function fail(error: unknown, env: NodeJS.ProcessEnv): never {
  for (const line of explain(error)) process.stderr.write(`bezant cannot start: ${line}\n`)
  if (env['LOG_LEVEL'] === 'debug') createLog('debug').debug({ err: error }, 'cannot start')
  process.exit(1)
}

/** The reader of the output may end before the program, which has cards to decide for. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

/** After an unexpected error the state is uncertain: another process takes over. */
function endOnBug(log: Log): void {
  const end = (err: unknown) => {
    log.fatal({ err }, 'an unexpected error ends this process')
    process.exit(1)
  }
  process.on('uncaughtException', end)
  process.on('unhandledRejection', end)
}

/** The first signal stops gracefully, a second one immediately. */
function stopOnSignal(
  ending: AbortController,
  starting: Promise<Running>,
  log: Log,
  report: Report,
): void {
  onEndSignal((signal) => {
    report(`${signal}: finishing what was begun; once more ends at once`)
    ending.abort()
    void stop(starting, log, report)
  })
}

async function stop(starting: Promise<Running>, log: Log, report: Report): Promise<void> {
  const cut = () => {
    log.error('stopping took too long; the rest is cut')
    process.exit(1)
  }
  const step = setTimeout(cut, LONGEST_STEP_MS)
  // A start that fails meanwhile has closed what it had opened.
  const running = await starting.catch((err: unknown) => {
    log.debug({ err }, 'the start ended')
    return undefined
  })
  clearTimeout(step)
  setTimeout(cut, LONGEST_STOP_MS)
  try {
    await running?.stop()
    report(running ? 'stopped' : 'stopped before it was ready')
    process.exit(0)
  } catch (err) {
    log.error({ err }, 'stopping failed')
    process.exit(1)
  }
}
