/** The signals that ask a program to end: Ctrl-C, a manager of services, a terminal that closes. */

import { constants } from 'node:os'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
export type EndSignal = (typeof SIGNALS)[number]

/** npm and the terminal may both forward one Ctrl-C; a signal later than this is a second one. */
const SAME_SIGNAL_MS = 1_000

/** The exit code that a shell answers for a command that a signal has ended. */
const exitCodeOf = (signal: EndSignal): number => 128 + constants.signals[signal]

/**
 * Calls `end` at the first of these signals. A second one ends the process at once, but not if it
 * is SIGHUP: a terminal that closes is no wish for haste. Returns what stops listening.
 */
export function onEndSignal(end: (signal: EndSignal) => void): () => void {
  let since: number | undefined
  const onSignal = (signal: EndSignal) => {
    const now = performance.now()
    if (since === undefined) {
      since = now
      end(signal)
    } else if (signal !== 'SIGHUP' && now - since > SAME_SIGNAL_MS) {
      process.exit(exitCodeOf(signal))
    }
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }
}

/**
 * Calls `close` for resources that outlive the process at the first of these signals, and ends the
 * process with the exit code of a shell for it, also if `close` fails. Returns a function that
 * stops listening.
 */
export function closeAtEndSignal(close: () => Promise<unknown>): () => void {
  return onEndSignal((signal) => {
    const end = () => process.exit(exitCodeOf(signal))
    close().then(end, end)
  })
}

/** Whether a part of this process decides already what such a signal does. */
export const listensToEndSignals = (): boolean =>
  SIGNALS.some((signal) => process.listenerCount(signal) > 0)
