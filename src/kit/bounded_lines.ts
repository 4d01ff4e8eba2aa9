/**
 * Lines of the log that others can cause at any rate. At most a few lines of one name are written
 * within a time, so that no sender fills the disk, or hides other lines among them (D-967).
 */

import { ApiError } from '#lib/result.ts'
import type { Log } from './log.ts'

const LINES = 10
const PERIOD_MS = 10_000
/** Names come from code: codes and classes of errors. */
const NAMES_MAX = 1_000

type Failed = { request_id?: string; route?: string | undefined }
type Level = 'warn' | 'error'
type Period = { began: number; lines: number; left_out: number }

export class BoundedLines {
  readonly #log: Log
  readonly #read: () => number
  readonly #periods = new Map<string, Period>()

  /** `read` answers milliseconds of a monotonic clock. */
  constructor(log: Log, read = () => performance.now()) {
    this.#log = log
    this.#read = read
  }

  /**
   * Writes a line, or counts it: `left_out` of the next line of the same name, in a later period,
   * is how many were counted.
   */
  write(level: Level, name: string, members: object, message: string): void {
    const { period, left_out } = this.#periodOf(name)
    if (period.lines >= LINES) {
      period.left_out += 1
      return
    }
    period.lines += 1
    this.#log[level]({ ...members, ...(left_out > 0 && { left_out }) }, message)
  }

  /** Writes the line of an error that is answered with 500 or more. */
  writeFailure(error: unknown, members: Failed, message: string): void {
    const kind = error instanceof Error ? error.name : 'none'
    const name = `${message} ${kind}`
    // Thrown on purpose, as when too many wait: no fault of the program, whose place matters.
    if (error instanceof ApiError) {
      this.write('warn', name, { ...members, reason: error.message }, message)
    } else this.write('error', name, { err: error, ...members }, message)
  }

  #periodOf(name: string): { period: Period; left_out: number } {
    const known = this.#periods.get(name)
    const now = this.#read()
    if (known && now - known.began < PERIOD_MS) return { period: known, left_out: 0 }
    const period = { began: now, lines: 0, left_out: 0 }
    this.#periods.delete(name)
    this.#periods.set(name, period)
    const [oldest = ''] = this.#periods.keys()
    if (this.#periods.size > NAMES_MAX) this.#periods.delete(oldest)
    return { period, left_out: known?.left_out ?? 0 }
  }
}
