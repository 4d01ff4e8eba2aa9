/** The process around the program: its output, its signals, its end. */

import { flushCompileCache } from 'node:module'
import { createLog, type Log } from '#kit/log.ts'
import { readConfig } from '#src/config/config.ts'
import { explain } from './explain.ts'
import type { Running } from './start.ts'

/** After this the process ends, also with unfinished work. */
const LONGEST_STOP_MS = 9_500
/** npm and the terminal may both forward one Ctrl-C; a signal later than this is a second one. */
const SAME_SIGNAL_MS = 1_000

const report = (line: string) => void process.stdout.write(`${line}\n`)

/** Runs until a signal. Never rejects: an error becomes a line and an exit code. */
export async function run(env: NodeJS.ProcessEnv): Promise<void> {
  try {
    const config = readConfig(env)
    const log = createLog(config.log_level)
    endOnBug(log)
    // The program itself is loaded once the configuration is valid.
    const [{ start }, { welcome }] = await Promise.all([
      import('./start.ts'),
      import('./welcome.ts'),
    ])
    const starting = start({ config, log, report })
    stopOnSignal(starting, log)
    const running = await starting
    report(welcome(running))
    // A killed process cannot do this later.
    flushCompileCache()
  } catch (error) {
    fail(error, env)
  }
}

function fail(error: unknown, env: NodeJS.ProcessEnv): never {
  for (const line of explain(error)) process.stderr.write(`bezant cannot start: ${line}\n`)
  if (env['LOG_LEVEL'] === 'debug') createLog('debug').debug({ err: error }, 'cannot start')
  process.exit(1)
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
function stopOnSignal(starting: Promise<Running>, log: Log): void {
  let since: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now()
    if (since === undefined) {
      since = now
      report(`${signal}: finishing what was begun; once more ends at once`)
      void stop(starting, log)
    } else if (now - since > SAME_SIGNAL_MS) {
      process.exit(1)
    }
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
}

async function stop(starting: Promise<Running>, log: Log): Promise<void> {
  setTimeout(() => {
    log.error('stopping took too long; what was left is cut')
    process.exit(1)
  }, LONGEST_STOP_MS)
  // A start that fails meanwhile reports it itself.
  const running = await starting.catch(() => undefined)
  if (!running) return
  try {
    await running.stop()
    report('stopped')
    process.exit(0)
  } catch (err) {
    log.error({ err }, 'stopping failed')
    process.exit(1)
  }
}
