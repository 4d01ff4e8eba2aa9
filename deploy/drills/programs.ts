/** Programs of the system that a drill runs. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { DrillFault } from './fault.ts'

/** Folders of administrators' programs; the PATH of others often lacks them. */
const SBIN = ['/usr/local/sbin', '/usr/sbin', '/sbin']
const LONGEST_OUTPUT = 64 * 1024 * 1024

/** The path of a program; a fault that names Debian's package where it is missing. */
export function locate(program: string, debian_package: string): string {
  const path = process.env['PATH'] ?? ''
  const found = [...path.split(delimiter), ...SBIN]
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new DrillFault(`${program} is missing. Debian has it: apt-get install ${debian_package}`)
}

type Options = { env?: Readonly<NodeJS.ProcessEnv>; cwd?: string; uid?: number; gid?: number }

/** Runs a program to its end; its output, of stderr too if it fails. */
export function run(
  file: string,
  args: readonly string[],
  options: Options = {},
): { code: number; output: string } {
  try {
    const stdio = ['ignore', 'pipe', 'pipe'] as const
    const limits = { maxBuffer: LONGEST_OUTPUT, stdio: [...stdio] }
    const output = execFileSync(file, args, { ...options, ...limits, encoding: 'utf8' })
    return { code: 0, output }
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && 'stdout' in error && 'stderr' in error)) {
      throw error
    }
    const { status, stdout, stderr } = error
    return { code: typeof status === 'number' ? status : 1, output: `${stdout}${stderr}` }
  }
}

export type Running = {
  pid: number
  /** All that it has printed, on stderr too. */
  output: () => string
  /** Resolves once its output matches; a fault with the output where it ends before or is late. */
  until: (pattern: RegExp, ms?: number) => Promise<void>
  kill: (signal: NodeJS.Signals) => void
  /** The exit code; null if a signal has ended it. */
  ended: Promise<number | null>
  /** Ends it by SIGTERM, and by SIGKILL where it takes longer than a minute. */
  [Symbol.asyncDispose]: () => Promise<void>
}

const PATIENCE_MS = 60_000

/** Starts a program that goes on. Its environment has PATH, and what is given. */
export function start(file: string, args: readonly string[], options: Options = {}): Running {
  const child = spawn(file, args, {
    ...options,
    env: { PATH: process.env['PATH'] ?? '', ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const onText = (text: string) => {
    output += text
  }
  child.stdout.setEncoding('utf8').on('data', onText)
  child.stderr.setEncoding('utf8').on('data', onText)
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', (error) => {
      output += error.message
      resolve(1)
    })
    child.once('close', resolve)
  })
  return {
    pid: child.pid ?? 0,
    output: () => output,
    until: (pattern, ms = PATIENCE_MS) => matched(child, pattern, () => output, ms, ended),
    kill: (signal) => void child.kill(signal),
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), PATIENCE_MS)
      await ended.finally(() => clearTimeout(late))
    },
  }
}

async function matched(
  child: ChildProcess,
  pattern: RegExp,
  output: () => string,
  ms: number,
  ended: Promise<number | null>,
): Promise<void> {
  const found = Promise.withResolvers<void>()
  const fail = (why: string) =>
    found.reject(new DrillFault(`${child.spawnfile} ${why} before ${pattern}:\n${output()}`))
  const look = () => {
    if (pattern.test(output())) found.resolve()
  }
  child.stdout?.on('data', look)
  child.stderr?.on('data', look)
  const late = setTimeout(() => fail(`was not ready after ${ms} ms,`), ms)
  void ended.then((code) => fail(`ended with ${code}`))
  look()
  try {
    await found.promise
  } finally {
    clearTimeout(late)
    child.stdout?.off('data', look)
    child.stderr?.off('data', look)
  }
}
