/** Reports of a process of tests, to name a test that did not end. */

import { relative } from 'node:path'

/** A report about a test or a suite; `known` is one that is going to run. */
export type Reported = {
  kind: 'known' | 'begun' | 'ended'
  name: string
  file: string | undefined
}
/** A file is loaded, its tests run, and then the next one is loaded. */
export type Progress = { kind: 'loading' | 'loaded'; file: string } | Reported

/** How many milliseconds each file of a process took: one is loaded when the last has ended. */
export class FileTimes {
  readonly sums = new Map<string, number>()
  #file = ''
  #begun = 0

  take(progress: Progress, now = performance.now()): void {
    if (progress.kind === 'loading') [this.#file, this.#begun] = [progress.file, now]
    if (this.#file !== '') this.sums.set(this.#file, now - this.#begun)
  }
}

/** How many unended tests are named. */
const NAMED_MAX = 20

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

  #takeTest({ kind, name, file }: Reported): void {
    // The runner says only of what has ended whether it is a suite.
    const test = `${relative(process.cwd(), file ?? '')}: ${name}`
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
    const running = [...this.#running.keys()]
    const waiting = [...this.#known.keys()].filter((test) => !this.#running.has(test))
    return [
      'These tests had not ended:',
      ...running.slice(0, NAMED_MAX).map((test) => `  ${test}`),
      `${waiting.length} others had not begun.`,
    ]
  }
}

function count(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const after = (counts.get(name) ?? 0) + change
  if (after > 0) counts.set(name, after)
  else counts.delete(name)
}
