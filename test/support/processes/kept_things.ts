/** A process of tests has these for all its files, or must not leave them to the next one. */

/** Running processes. When the tests of a file have ended, those that it left are killed. */
export const running = new Set<{ kill: (signal: 'SIGKILL') => unknown }>()

export function killRunning(): void {
  for (const one of running) one.kill('SIGKILL')
}

/** Closed after the tests of the last file. */
export const forAllFiles = new AsyncDisposableStack()
