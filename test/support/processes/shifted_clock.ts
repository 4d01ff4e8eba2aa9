/**
 * A process whose own clock is wrong: the time of day is shifted, but not timers and elapsed time.
 * A test calls `shiftClock`; a process of its own loads this before the program (--import) and is
 * shifted by CLOCK_SHIFT_MS, and from SIGUSR2 on not at all.
 */

let shift_ms = 0
const RealDate = Date

globalThis.Date = new Proxy(RealDate, {
  construct: (target, given: [], self) =>
    Reflect.construct(target, given.length === 0 ? [shown()] : given, self),
  apply: () => new RealDate(shown()).toString(),
  get: (target, name, self) => (name === 'now' ? shown : Reflect.get(target, name, self)),
})

function shown(): number {
  return RealDate.now() + shift_ms
}

/** From now on the clock of this process is ahead by so many milliseconds. */
export function shiftClock(milliseconds: number): void {
  shift_ms = milliseconds
}

const given = process.env['CLOCK_SHIFT_MS']
if (given !== undefined) {
  shiftClock(Number(given))
  process.on('SIGUSR2', () => shiftClock(0))
}
