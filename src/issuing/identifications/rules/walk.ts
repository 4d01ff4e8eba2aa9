/**
 * Formats that are read from front to back as a stream: a walk requests the bytes that it needs and
 * skips the rest, so that a file of any size costs a few bytes of memory.
 */

export type Step =
  /** The next bytes, of this length. */
  | { take: number }
  /** Steps over so many bytes. */
  | { pass: number }
  /** Steps over everything up to and with the next byte of this value. */
  | { until: number }

/**
 * Ends with what is wrong with the file, or undefined. A step that the end of the file cuts short
 * is answered with undefined.
 */
export type Walk = Generator<Step, string | undefined, Buffer | undefined>

export type Inspector = {
  /** Takes the next bytes; returns a fault as soon as it is known. */
  take: (chunk: Buffer) => string | undefined
  end: () => string | undefined
}

/** `length` is how many bytes the walk has taken once it has ended. */
export type WalkInspector = Inspector & { isDone: () => boolean; length: () => number }

export const CUT_SHORT = 'is cut short'
export const TRAILING = 'holds further data behind its end'

const NOTHING = Buffer.alloc(0)

export function inspectorOf(walk: Walk): WalkInspector {
  let state = walk.next()
  let held = NOTHING
  let passed = 0
  let length = 0
  const isDone = () => state.done === true
  const answer = (bytes: Buffer | undefined) => {
    passed = 0
    state = walk.next(bytes)
  }
  const advance = (chunk: Buffer): Buffer => {
    if (state.done) return NOTHING
    const step = state.value
    if ('take' in step) {
      if (chunk.length < step.take) return chunk
      answer(chunk.subarray(0, step.take))
      return chunk.subarray(step.take)
    }
    if ('until' in step) {
      const at = chunk.indexOf(step.until)
      if (at >= 0) answer(NOTHING)
      return at < 0 ? NOTHING : chunk.subarray(at + 1)
    }
    const rest = step.pass - passed
    passed += Math.min(rest, chunk.length)
    if (passed === step.pass) answer(NOTHING)
    return chunk.subarray(Math.min(rest, chunk.length))
  }
  return {
    isDone,
    length: () => length,
    take(chunk) {
      if (isDone()) return undefined
      length += chunk.length
      let rest = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      for (;;) {
        const before = state
        const left = advance(rest)
        const stuck = state === before
        rest = left
        if (state.done) {
          length -= rest.length
          return state.value
        }
        if (stuck || (rest.length === 0 && !isEmptyStep(state.value))) break
      }
      // At most the bytes of one step are retained, as a copy, so that the chunk can be freed.
      held = Buffer.from(rest)
      return undefined
    },
    end() {
      while (!state.done) answer(undefined)
      return state.value
    },
  }
}

const isEmptyStep = (step: Step) => 'pass' in step && step.pass === 0
