/** A longer timer would end at once. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Resolves after so many milliseconds; rejects where the signal comes first, with its reason. */
export function waitFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const end = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(
      () => {
        signal?.removeEventListener('abort', end)
        resolve()
      },
      Math.min(ms, LONGEST_TIMER_MS),
    )
    signal?.addEventListener('abort', end, { once: true })
  })
}

/** Settles as what is awaited does; rejects with the reason of the signal where that comes first. */
export function unlessAborted<Value>(
  awaited: Value | Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const end = () => reject(signal?.reason)
    signal?.addEventListener('abort', end, { once: true })
    Promise.resolve(awaited)
      .finally(() => signal?.removeEventListener('abort', end))
      .then(resolve, reject)
  })
}
