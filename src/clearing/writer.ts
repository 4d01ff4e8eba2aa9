/** Writes a clearing file record by record; it keeps none. */

import { blocked } from './blocks.ts'
import type { CharacterSet } from './characters.ts'
import { type ClearingRecord, encodeRecord } from './record.ts'

export type WriteOptions = { set: CharacterSet; blocked: boolean }

/** A record that has no form in a file. */
export class RecordFault extends Error {
  readonly number: number
  constructor(number: number, reason: string) {
    super(`record ${number}: ${reason}`)
    this.number = number
  }
}

type Records = AsyncIterable<ClearingRecord> | Iterable<ClearingRecord>

/** The bytes of the file; a record that cannot be written throws a RecordFault. */
export function writeClearing(records: Records, options: WriteOptions): AsyncIterable<Buffer> {
  const chunks = framed(records, options.set)
  return options.blocked ? blocked(chunks) : chunks
}

const LENGTH_BYTES = 4

async function* framed(records: Records, set: CharacterSet): AsyncGenerator<Buffer> {
  let number = 0
  for await (const record of records) {
    number += 1
    const encoded = encodeRecord(record, set)
    if (!encoded.ok) throw new RecordFault(number, encoded.reason)
    const length = Buffer.alloc(LENGTH_BYTES)
    length.writeUInt32BE(encoded.bytes.length)
    yield Buffer.concat([length, encoded.bytes])
  }
  yield Buffer.alloc(LENGTH_BYTES)
}
