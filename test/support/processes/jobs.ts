/** Test files as processes: most files share one with others, a few have one of their own. */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { FileTimes, type Progress, Unended } from './progress.ts'
import { dropDatabasesOf } from './server.ts'
import { killTree } from './tree.ts'

/** One process and its files. */
export type Job = readonly string[]

/**
 * Files that wait for timers, processes and each other run first, so that other files use that
 * time; the longest of these are first.
 */
const FIRST = [
  'test/browser/console/presses.test.ts',
  'test/client/{package,runtimes}.test.ts',
  'test/{startup,e2e,cli}/*.test.ts',
  'test/{reliability,fuzz,simulator}/**/*.test.ts',
  'test/browser/**/*.test.ts',
]
/** Files that measure memory, hold up the event loop, kill processes or take minutes. */
const ALONE = [
  'src/embedded_postgres/*.test.ts',
  'src/issuing/accounts/statement.large.test.ts',
  'src/issuing/identifications/{content,large,uploads}.test.ts',
  'src/issuing/webhooks/kills.test.ts',
  'src/kit/{files,net}/**/*.test.ts',
  'test/browser/console/presses.test.ts',
  'test/client/{package,runtimes}.test.ts',
  'test/{reliability,simulator}/**/*.test.ts',
  'test/http_kit_{pace,sockets,guesses,http2}.test.ts',
]
/** Loading the program takes over a second, once for each process. */
const FILES_A_PROCESS = 12
/** Files that run first take longer, and the last of them is not to be waited for. */
const FIRST_A_PROCESS = 5
/** One more than the cores: some tests wait most of their time. */
const CONCURRENCY = availableParallelism() + 1
/** A file of which a test hangs fails, and does not hold up all others. */
const LONGEST_MS = 15 * 60_000
const LONGEST_DEEP_MS = 150 * 60_000
/** A process that hangs is ended; the longest of a deep run takes an hour on a quiet machine. */
const LIMITS: Limits = { process_ms: 20 * 60_000, linger_ms: 2 * 60_000 }
const LIMITS_DEEP: Limits = { process_ms: 3 * 60 * 60_000, linger_ms: 2 * 60_000 }

/** The processes of some test files, in the order in which they begin. */
export function jobsOf(files: readonly string[]): Job[] {
  const left = new Set(files)
  const take = (patterns: string | string[]): string[] => {
    const found = globSync(patterns).filter((file) => left.has(file))
    for (const file of found) left.delete(file)
    return found.sort()
  }
  const alone = new Set(globSync(ALONE))
  const first = FIRST.flatMap((pattern) => {
    const found = take(pattern)
    const own = found.filter((file) => alone.has(file)).map((file) => [file])
    const shared = found.filter((file) => !alone.has(file))
    return [...own, ...shareOut(shared, FIRST_A_PROCESS)]
  })
  const own = take(ALONE).map((file) => [file])
  return [...first, ...own, ...shareOut([...left], FILES_A_PROCESS)]
}

/** Neighbours are often alike: each process gets long and short files. */
function shareOut(files: readonly string[], most: number): Job[] {
  const count = Math.ceil(files.length / most)
  return Array.from({ length: count }, (_, at) =>
    files.filter((_file, index) => index % count === at),
  )
}

export type Limits = {
  /** How long a process of tests may take. */
  process_ms: number
  /** How long it may go on, for what they opened to close, when all its tests have ended. */
  linger_ms: number
}

type Options = { limits?: Limits; print?: (output: string) => void }

export type Counts = { tests: number; pass: number; fail: number; cancelled: number }

type Outcome = Counts & {
  /** 0 where every test has passed. */
  code: number
  /** Faults, as the runner reports them. */
  failures: string[]
  /** How many milliseconds each file took. */
  durations: Map<string, number>
}

const toOutput = (output: string) => void process.stdout.write(output)

/**
 * Runs the jobs, some at one time, and prints the output of each when it ends. A process that takes
 * longer than its limit fails: it is ended with its children, and its databases are dropped.
 */
export async function runJobs(
  jobs: readonly Job[],
  env: NodeJS.ProcessEnv,
  { limits = env['TEST_DEEP'] === '1' ? LIMITS_DEEP : LIMITS, print = toOutput }: Options = {},
): Promise<Outcome> {
  const left = [...jobs]
  const none = { tests: 0, pass: 0, fail: 0, cancelled: 0 }
  const sum: Outcome = { ...none, code: 0, failures: [], durations: new Map() }
  const work = async () => {
    for (let job = left.shift(); job; job = left.shift()) {
      const { code, output, times } = await runJob(job, env, limits)
      for (const [file, ms] of times.sums) sum.durations.set(file, ms)
      print(output)
      add(sum, code, stripVTControlCharacters(output), job)
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work))
  return sum
}

const JOB = fileURLToPath(new URL('./job.ts', import.meta.url))

async function runJob(
  job: Job,
  env: NodeJS.ProcessEnv,
  { process_ms, linger_ms }: Limits,
): Promise<{ code: number; output: string; times: FileTimes }> {
  const longest = env['TEST_DEEP'] === '1' ? LONGEST_DEEP_MS : LONGEST_MS
  // npm installs no package as a link, and to ask that for each of 2,000 modules takes a while.
  const args = ['--preserve-symlinks', JOB, String(longest), ...job]
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const id = randomBytes(4).toString('hex')
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...env, ...color, TEST_JOB: id },
  })
  const chunks: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk))
  const unended = new Unended(job.length)
  const times = new FileTimes()
  let ended = ''
  const end = (why: string) => {
    ended = [`it was ended ${why}.`, ...unended.describe()].join('\n')
    if (child.pid !== undefined) killTree(child.pid)
  }
  const limit = setTimeout(end, process_ms, `after ${process_ms / 1000} s`)
  let linger: NodeJS.Timeout | undefined
  child.on('message', (progress: Progress) => {
    unended.take(progress)
    times.take(progress)
    clearTimeout(linger)
    if (!unended.isEmpty()) return
    linger = setTimeout(end, linger_ms, `${linger_ms / 1000} s after its last test`)
  })
  const code = await new Promise<number>((resolve) => {
    child.on('close', (code) => resolve(code ?? 1))
    // A child of the process may have inherited its output and keep it open.
    child.on('exit', () => ended !== '' && resolve(1))
  })
  clearTimeout(limit)
  clearTimeout(linger)
  if (code !== 0) await dropDatabasesOf(id)
  const output = Buffer.concat(chunks).toString() + (ended && `\n${ENDED}\n${ended}\n`)
  return { code, output, times }
}

const FAILURES = '✖ failing tests:'
/** Begins the report of a process that was ended. */
const ENDED = '✖ the process did not end:'

function add(sum: Outcome, code: number, text: string, job: Job): void {
  for (const name of ['tests', 'pass', 'fail', 'cancelled'] as const) {
    sum[name] += Number(new RegExp(`^ℹ ${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0)
  }
  // A process that a test ended early reports no sum.
  const isWhole = /^ℹ (tests|suites) [1-9]/m.test(text)
  if (code === 0 && isWhole) return
  sum.code = Math.max(sum.code, code, 1)
  const failures = text.indexOf(FAILURES)
  const at = failures < 0 ? text.indexOf(ENDED) : failures
  const reported = at < 0 ? text.slice(-2_000) : text.slice(at)
  sum.failures.push(`${job.join(' ')}\n${reported.replace(FAILURES, '').trim()}`)
}
