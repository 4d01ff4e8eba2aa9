/** A program as a process of its own, with what it prints, its end, and the wait until it is ready. */

import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** The script of the server, from the root of a tree. */
export const SERVER = 'src/main.ts'
/** A line of the server by which it has started. */
export const READY: RegExp = / is ready after /
/** Characters of each stream that are kept; earlier ones are forgotten. */
const LONGEST_OUTPUT = 64 * 1024 * 1024
const PATIENCE_MS = 60_000

export type Environment = Readonly<NodeJS.ProcessEnv>
export type Options = {
  /** The whole environment, beside PATH and the folder of compiled code. */
  env?: Environment
  cwd?: string
  uid?: number
  gid?: number
}

export type Launched = AsyncDisposable & {
  pid: number
  /** Its text on standard output. */
  output: () => string
  /** Its text on standard error. */
  errors: () => string
  /** Both, in the order in which they came. */
  text: () => string
  /** Resolves once its text matches; throws with the text if it ends before or is late. */
  until: (pattern: RegExp, ms?: number) => Promise<void>
  /** The exit code; null if a signal has ended it. */
  ended: Promise<number | null>
  kill: (signal: NodeJS.Signals) => void
  /** Closes the ends of its output: printing then fails. */
  stopReading: () => void
}

/** Starts a program. At its disposal it gets SIGTERM, and SIGKILL if it takes longer than a minute. */
export function launch(file: string, args: readonly string[], options: Options = {}): Launched {
  const child = spawn(file, args, {
    ...options,
    env: { ...ofMachine(args), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const printed = { output: '', errors: '', text: '' }
  const waiting = new Set<() => void>()
  const reading = (stream: 'output' | 'errors') => (text: string) => {
    printed[stream] = (printed[stream] + text).slice(-LONGEST_OUTPUT)
    printed.text = (printed.text + text).slice(-LONGEST_OUTPUT)
    for (const look of waiting) look()
  }
  child.stdout.setEncoding('utf8').on('data', reading('output'))
  child.stderr.setEncoding('utf8').on('data', reading('errors'))
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', ({ message }) => {
      reading('errors')(message)
      resolve(1)
    })
    child.once('close', resolve)
  })
  return {
    pid: child.pid ?? 0,
    output: () => printed.output,
    errors: () => printed.errors,
    text: () => printed.text,
    async until(pattern, ms = PATIENCE_MS) {
      const found = Promise.withResolvers<void>()
      const fail = (why: string) =>
        found.reject(new Error(`${file} ${why} before ${pattern}:\n${printed.text}`))
      const look = () => {
        if (pattern.test(printed.text)) found.resolve()
      }
      const late = setTimeout(() => fail(`was not ready after ${ms} ms,`), ms)
      waiting.add(look)
      look()
      void ended.then((code) => fail(`ended with ${code}`))
      await found.promise.finally(() => {
        clearTimeout(late)
        waiting.delete(look)
      })
    },
    ended,
    kill: (signal) => void child.kill(signal),
    stopReading() {
      child.stdout.destroy()
      child.stderr.destroy()
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await ended.finally(() => clearTimeout(late))
    },
  }
}

/** A script of this tree or, where `cwd` is given, of another one, by the Node of this process. */
export const launchScript = (args: readonly string[], options: Options = {}): Launched =>
  launch(process.execPath, args, { cwd: ROOT, ...options })

/** Starts the server with this environment alone, and waits until it is ready. */
export async function launchServer(env: Environment, patience_ms = PATIENCE_MS): Promise<Launched> {
  const server = launchScript([SERVER], { env: { PORT: '0', NETWORK_PORT: '0', ...env } })
  try {
    await server.until(READY, patience_ms)
    return server
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

/**
 * The path to programs, and the folder of code that they compiled before, the script's own
 * included.
 */
function ofMachine(args: readonly string[]): NodeJS.ProcessEnv {
  const { PATH = '', NODE_COMPILE_CACHE = '' } = process.env
  if (NODE_COMPILE_CACHE === '') return { PATH }
  // src/main.ts sets a flag of V8, and V8 rejects code that was compiled under other flags. In one
  // folder the server and other scripts would compile everything again, and replace what they find.
  const folder = args.includes(SERVER) ? `${NODE_COMPILE_CACHE}-main` : NODE_COMPILE_CACHE
  return { PATH, NODE_COMPILE_CACHE: folder }
}
