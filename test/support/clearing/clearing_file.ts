/** Clearing files as a network sends them, with header, numbers, sums and trailer. */

import assert from 'node:assert/strict'
import { recordOf } from '#clearing/json.ts'
import type { WriteOptions } from '#clearing/writer.ts'
import { fileOf } from './files.ts'

export type Members = Readonly<Record<string, string>>

let files = 0

/** PDS 0105: a file of its own each time. */
export function nextFileId(): string {
  files += 1
  return `001261128${'00000012345'}${String(files).padStart(5, '0')}`
}

type Given = {
  id?: string
  options?: WriteOptions
  /** Replace members of the trailer. */
  trailer?: Members
}

/** The records between header and trailer; each gets its number (DE71). */
export async function clearingFile(
  records: readonly Members[],
  { id = nextFileId(), options, trailer = {} }: Given = {},
): Promise<Buffer> {
  const sum = records.reduce((all, { DE4 = '0' }) => all + BigInt(DE4), 0n)
  const header = { MTI: '1644', DE24: '697', PDS0105: id, PDS0122: 'P' }
  const end = {
    MTI: '1644',
    DE24: '695',
    PDS0105: id,
    PDS0301: String(sum).padStart(16, '0'),
    PDS0306: String(records.length + 2).padStart(8, '0'),
    ...trailer,
  }
  const all = [header, ...records, end].map((members, at) => {
    const read = recordOf({ DE71: String(at + 1).padStart(8, '0'), ...members })
    assert.ok(read.ok, read.ok ? '' : read.reason)
    return read.record
  })
  return fileOf(all, options)
}

let references = 0

/** Acquirer reference data of its own each time. */
export function nextArd(): string {
  references += 1
  return `7${String(references).padStart(21, '0')}0`
}

/** A first presentment (1240 200) of AED; `amount` in minor units. */
export const presentment = (pan: string, amount: bigint, members: Members = {}): Members => ({
  MTI: '1240',
  DE2: pan,
  DE3: '000000',
  DE4: String(amount).padStart(12, '0'),
  DE12: '261127103000',
  DE22: '900550S00330',
  DE24: '200',
  DE26: '5411',
  DE31: nextArd(),
  DE33: '12345678901',
  DE41: 'TERM0001',
  DE42: 'MERCHANT0000001',
  DE43: 'LULU HYPERMARKET\\AIRPORT ROAD\\ABU DHABI\\00000     ADHARE',
  DE49: '784',
  PDS0148: '7842',
  ...members,
})
