/** What ends a command with exit code 1: sentences for the person who gave it, one a line. */
export class Fault extends Error {
  readonly lines: readonly string[]

  constructor(lines: string | readonly string[]) {
    const all = typeof lines === 'string' ? [lines] : lines
    super(all.join('\n'))
    this.lines = all
  }
}
