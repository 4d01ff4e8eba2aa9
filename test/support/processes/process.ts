/** The program as its users have it: a process of its own, with its output and its end. */

import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import { clusterOf } from '#embedded_postgres/embedded_postgres.ts'
import type { SandboxFile } from '#sandbox/seed/file.ts'
import { recordingOf } from '#test/support/statements/folder.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import { scratchFolder } from './scratch.ts'

const READY = / is ready after /

export type Launched = {
  /** Resolves when it prints that it is ready; rejects when it ends before. */
  ready: Promise<void>
  /** The exit code; null when a signal ended it. */
  ended: Promise<number | null>
  output: () => string
  /** Its lines on stderr. */
  errors: () => string[]
  kill: (signal: NodeJS.Signals) => void
  /** Closes the ends of its output: printing then fails. */
  stopReading: () => void
}

const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
const RECORDING = recordingOf(process.env)

/**
 * The path to programs, and the folder of code that they compiled before, the script's own
 * included.
 */
function ofMachine(args: readonly string[]): NodeJS.ProcessEnv {
  if (NODE_COMPILE_CACHE === '') return { PATH, ...RECORDING }
  // src/main.ts sets a flag of V8, and V8 rejects code that was compiled under other flags. In one
  // folder the program and the tests would compile everything again, and replace what they find.
  const folder = args.includes('src/main.ts') ? `${NODE_COMPILE_CACHE}-main` : NODE_COMPILE_CACHE
  return { PATH, NODE_COMPILE_CACHE: folder, ...RECORDING }
}

/**
 * Starts src/main.ts, or another script with its arguments, with `env` alone, on ports that the
 * system chooses unless they are given.
 */
export function launch(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = ['src/main.ts'],
): Launched {
  const child = spawn(process.execPath, args, {
    env: { ...ofMachine(args), PORT: '0', NETWORK_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let [output, errors] = ['', '']
  const ready = Promise.withResolvers<void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (READY.test(output)) ready.resolve()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text
  })
  const closed = new Promise<number | null>((resolve) => {
    child.on('close', (code) => {
      running.delete(child)
      ready.reject(new Error(`it ended with ${code} before it was ready: ${output}${errors}`))
      resolve(code)
    })
  })
  // Callers that wait for its end do not wait for this.
  ready.promise.catch(() => {})
  return {
    get ready() {
      return within(PATIENCE_MS, ready.promise, () => `not ready: ${output}${errors}`)
    },
    get ended() {
      return within(PATIENCE_MS, closed, () => `still running: ${output}${errors}`)
    },
    output: () => output,
    errors: () => errors.split('\n').filter((line) => line !== ''),
    kill: (signal) => void child.kill(signal),
    stopReading() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
  }
}

export type Ended = { code: number | null; output: string; errors: string }

/** A script to its end, with a database. */
export async function runScript(database_url: string, ...args: string[]): Promise<Ended> {
  const { ended, output, errors } = launch({ DATABASE_URL: database_url }, args)
  const code = await ended
  return { code, output: output(), errors: errors().join('\n') }
}

const running = new Set<ChildProcess>()
after(() => {
  for (const child of running) child.kill('SIGKILL')
})

/** A data folder of the test's own, under a path with a space. */
export function dataFolder(): string {
  const folder = scratchFolder('bezant start-')
  const data_dir = join(folder, 'data')
  after(() => {
    // A test may have put a file in its place.
    const made = statSync(data_dir, { throwIfNoEntry: false })
    if (made?.isDirectory()) removeCluster(clusterOf(data_dir))
    rmSync(folder, { recursive: true, force: true })
  })
  return data_dir
}

/**
 * If root runs it, the folder is outside the data folder, whose parent the server's account cannot
 * enter.
 */
function removeCluster(cluster: string): void {
  for (const path of [cluster, `${cluster}.log`]) rmSync(path, { recursive: true, force: true })
}

export function sandboxIn(data_dir: string): SandboxFile {
  // Written by the program under test.
  return JSON.parse(readFileSync(join(data_dir, 'sandbox.json'), 'utf8'))
}

async function within<Value>(ms: number, value: Promise<Value>, message: () => string) {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(message())), ms)
  try {
    return await Promise.race([value, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
