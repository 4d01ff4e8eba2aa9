/** Clearing files of tests: made of records, and read whole. */

import { type Reading, readClearing } from '#clearing/reader.ts'
import type { ClearingRecord } from '#clearing/record.ts'
import { type WriteOptions, writeClearing } from '#clearing/writer.ts'

export async function joined(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all)
}

export async function readAll(bytes: Buffer): Promise<Reading[]> {
  const all: Reading[] = []
  for await (const reading of readClearing([bytes], { size: bytes.length })) all.push(reading)
  return all
}

/** The records of a file without faults. */
export async function recordsIn(bytes: Buffer): Promise<ClearingRecord[]> {
  return (await readAll(bytes)).map((reading) => {
    if ('record' in reading) return reading.record
    throw new Error(`record ${reading.number}, byte ${reading.at}: ${reading.reason}`)
  })
}

export const fileOf = (
  records: readonly ClearingRecord[],
  options: WriteOptions = { set: 'latin1', blocked: false },
): Promise<Buffer> => joined(writeClearing(records, options))
