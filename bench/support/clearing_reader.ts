/** Reads and checks a clearing file as an import does, in a process of its own for its memory. */

import { readClearing } from '#clearing/reader.ts'
import { FileCheck } from '#issuing/clearings/rules/file_check.ts'
import { streamOf } from './clearing_stream.ts'

export type Reading = { records: number; pans: string[] }
/** Resident memory behind a tenth of the records and at its highest, bytes. */
export type ReadFigures = { seconds: number; early: number; highest: number }

process.once('message', ({ records, pans }: Reading) => {
  void run(records, pans).then((figures) => process.send?.(figures, () => process.exit(0)))
})

async function run(records: number, pans: string[]): Promise<ReadFigures> {
  const check = new FileCheck()
  const begun = performance.now()
  let early = 0
  for await (const reading of readClearing(streamOf(records, pans), {})) {
    if (!('record' in reading)) throw new Error(reading.reason)
    check.add(reading.number, reading.at, reading.record)
    if (reading.number === Math.ceil(records / 10)) early = process.memoryUsage.rss()
  }
  const [fault] = check.end().faults
  if (fault !== undefined) throw new Error(fault)
  const seconds = (performance.now() - begun) / 1_000
  return { seconds, early, highest: process.resourceUsage().maxRSS * 1_024 }
}
