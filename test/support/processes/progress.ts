/** Reports of a process of tests, to name a test that did not end. */

import { relative, resolve } from 'node:path'

/** A report about a test or a suite; `known` is one that is going to run. */
export type Reported = {
  kind: 'known' | 'begun' | 'ended'
  name: string
  file: string | undefined
  isSuite: boolean
}
/** Files are loaded one after the other, and then their tests run. */
export type Progress = { kind: 'loading' | 'loaded'; file: string } | Reported

/** How many milliseconds each file of a process took: to load, and from its first test to its last. */
export class FileTimes {
  readonly #loaded = new Map<string, number>()
  readonly #begun = new Map<string, number>()
  readonly #tested = new Map<string, number>()

  take(progress: Progress, now = performance.now()): void {
    const file = relative(process.cwd(), resolve(progress.file ?? ''))
    const loaded = this.#loaded.get(file) ?? -now
    if (progress.kind === 'loading') this.#loaded.set(file, -now)
    if (progress.kind === 'loaded') this.#loaded.set(file, loaded + now)
    if (!('name' in progress) || progress.isSuite) return
    if (progress.kind === 'begun' && !this.#begun.has(file)) this.#begun.set(file, now)
    if (progress.kind === 'ended') this.#tested.set(file, now - (this.#begun.get(file) ?? now))
  }

  /** The files that were loaded. */
  sums(): [file: string, ms: number][] {
    return [...this.#loaded].map(([file, ms]) => [file, ms + (this.#tested.get(file) ?? 0)])
  }
}

/** How many unended tests are named. */
const NAMED_MAX = 20
const SUITE = 'suite '

export class Unended {
  #loading: string | undefined
  #files: number
  /** How often each test has begun or is to begin, and how often it is running; names may repeat. */
  readonly #known = new Map<string, number>()
  readonly #running = new Map<string, number>()

  /** `files` is how many the process loads. */
  constructor(files: number) {
    this.#files = files
  }

  take(progress: Progress): void {
    if ('name' in progress) this.#takeTest(progress)
    else if (progress.kind === 'loading') this.#loading = progress.file
    else {
      this.#loading = undefined
      this.#files -= 1
    }
  }

  #takeTest({ kind, name, file, isSuite }: Reported): void {
    const test = `${isSuite ? SUITE : ''}${relative(process.cwd(), file ?? '')}: ${name}`
    if (kind === 'known') count(this.#known, test, 1)
    if (kind === 'begun') count(this.#running, test, 1)
    if (kind !== 'ended') return
    count(this.#known, test, -1)
    count(this.#running, test, -1)
  }

  /** Whether every test of every file has ended. */
  isEmpty(): boolean {
    return this.#files === 0 && this.#known.size === 0 && this.#running.size === 0
  }

  /** Sentences for a person. */
  describe(): string[] {
    if (this.#loading !== undefined) return [`${this.#loading} was being loaded.`]
    if (this.isEmpty()) return ['All its tests had ended; something that they opened keeps it.']
    const running = testsOf(this.#running)
    const waiting = testsOf(this.#known).filter((test) => !this.#running.has(test))
    return [
      'These tests had not ended:',
      ...running.slice(0, NAMED_MAX).map((test) => `  ${test}`),
      `${waiting.length} others had not begun.`,
    ]
  }
}

const testsOf = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts.keys()].filter((test) => !test.startsWith(SUITE))

function count(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const after = (counts.get(name) ?? 0) + change
  if (after > 0) counts.set(name, after)
  else counts.delete(name)
}
