/**
 * Runs a command on a machine without a free processor: node tools/busy.ts [processes] -- command…
 * So many loops (by default one for each core) run beside it, until it ends.
 */

import { fork, spawn } from 'node:child_process'
import { availableParallelism, constants } from 'node:os'
import { fileURLToPath } from 'node:url'

/** Nothing that is run so takes longer. */
const LONGEST_MS = 2 * 60 * 60_000
/** A loop looks so often whether it is to go on. */
const TURN_MS = 50
const LOOP = '--loop'

if (process.argv[2] === LOOP) loop(performance.now() + LONGEST_MS)
else await run(process.argv.slice(2))

/** Ends when its parent is gone. */
function loop(end: number): void {
  const turn = performance.now() + TURN_MS
  while (performance.now() < turn);
  if (performance.now() < end && process.connected) setImmediate(loop, end)
  else process.exit()
}

async function run(words: readonly string[]): Promise<void> {
  const at = words.indexOf('--')
  const [program, ...args] = words.slice(at + 1)
  const count = at > 0 ? Number(words[0]) : availableParallelism()
  if (at < 0 || program === undefined || !Number.isInteger(count) || count < 1) {
    console.error('usage: node tools/busy.ts [processes] -- command…')
    process.exitCode = 2
    return
  }
  const self = fileURLToPath(import.meta.url)
  const loops = Array.from({ length: count }, () => fork(self, [LOOP]))
  const command = spawn(program, args, { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => command.kill(signal))
  process.exitCode = await new Promise<number>((resolve) => {
    command.on('error', ({ message }) => {
      console.error(message)
      resolve(127)
    })
    command.on('exit', (code, signal) =>
      resolve(code ?? 128 + constants.signals[signal ?? 'SIGKILL']),
    )
  })
  for (const one of loops) one.disconnect()
}
