/** A clearing file of any number of presentments, made as it is read: it is kept nowhere. */

import { clearingFile, presentment } from '#test/support/clearing/clearing_file.ts'

/** Values of the record that each copy has others of. */
const MARKS = { DE2: '4999999999999993', DE31: '79999999999999999999999', DE71: '98765432' }
const AMOUNT = 100n
const LENGTH_BYTES = 4
const CHUNK_BYTES = 65_536

const digits = (value: number | bigint, length: number) => String(value).padStart(length, '0')

/** The numbers of the cards in turn; each record has reference data of its own. */
export async function* streamOf(count: number, pans: readonly string[]): AsyncGenerator<Buffer> {
  const last = digits(count + 2, 8)
  const sum = digits(BigInt(count) * AMOUNT, 16)
  const trailer = { DE71: last, PDS0301: sum, PDS0306: last }
  const { DE2, ...marks } = MARKS
  const [header, record, end] = framesOf(
    await clearingFile([presentment(DE2, AMOUNT, marks)], { trailer }),
  )
  if (!header || !record || !end) throw new Error('a file has not three records')
  yield header
  const at = (mark: string) => record.indexOf(mark, 0, 'latin1')
  const [pan, reference, number] = [at(DE2), at(MARKS.DE31), at(MARKS.DE71)]
  const waiting: Buffer[] = []
  for (let index = 0; index < count; index += 1) {
    const copy = Buffer.from(record)
    copy.write(pans[index % pans.length] ?? '', pan, 'latin1')
    copy.write(`8${digits(index, 21)}0`, reference, 'latin1')
    copy.write(digits(index + 2, 8), number, 'latin1')
    waiting.push(copy)
    if (waiting.length * record.length >= CHUNK_BYTES) yield Buffer.concat(waiting.splice(0))
  }
  yield Buffer.concat([...waiting, end, Buffer.alloc(LENGTH_BYTES)])
}

/** Each record with its length before it. */
function framesOf(file: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; file.readUInt32BE(at) > 0; ) {
    const end = at + LENGTH_BYTES + file.readUInt32BE(at)
    frames.push(file.subarray(at, end))
    at = end
  }
  return frames
}
