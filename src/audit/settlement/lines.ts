/** The lines of a settlement file from another side: bounded, and of printable ASCII only. */

import { StartError } from '#kit/start_error.ts'

/** The file cannot be trusted. The message is one sentence, and repeats nothing that is hostile. */
export class FileRefused extends StartError {
  override readonly name = 'FileRefused'
}

export const refuse = (line: number, fault: string): never => {
  throw new FileRefused(`line ${line} ${fault}`)
}

/** Bytes of a line; those of our own files have at most 200. */
const LINE_MAX = 1_000
const LF = 0x0a
const PRINTABLE = /^[\x20-\x7e]*\r$/

/** The lines without their ends. Throws FileRefused; holds one line and one chunk. */
export async function* linesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0)
  let number = 0
  for await (const chunk of bytes) {
    const all = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    let from = 0
    for (let end = all.indexOf(LF); end >= 0; end = all.indexOf(LF, from)) {
      number += 1
      yield textOf(all.subarray(from, end), number)
      from = end + 1
    }
    rest = all.subarray(from)
    if (rest.length > LINE_MAX) refuse(number + 1, `is longer than ${LINE_MAX} bytes`)
  }
  if (rest.length > 0) refuse(number + 1, 'does not end with CR LF: the file is not whole')
}

function textOf(line: Buffer, number: number): string {
  if (line.length > LINE_MAX) refuse(number, `is longer than ${LINE_MAX} bytes`)
  const text = line.toString('latin1')
  if (PRINTABLE.test(text)) return text.slice(0, -1)
  return refuse(
    number,
    text.endsWith('\r')
      ? 'has a byte that is no printable ASCII character'
      : 'does not end with CR LF',
  )
}
