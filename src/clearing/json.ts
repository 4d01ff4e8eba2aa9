/**
 * A record as one JSON object (D-1040): `MTI`, `DE2`, …, and behind the element that it begins in
 * each subelement, as `PDS0105`. The values are the text of the record.
 */

import { elements, SUBELEMENT_HOLDERS } from './elements.ts'
import { type ClearingRecord, holdersOf } from './record.ts'
import { readSubelements, writeSubelements } from './subelements.ts'
import { RecordFault } from './writer.ts'

export function objectOf({ mti, elements, subelements }: ClearingRecord): Record<string, string> {
  const object: Record<string, string> = { MTI: mti }
  const waiting = [...subelements]
  let inside = 0
  for (const [number, value] of elements) {
    object[`DE${number}`] = value
    if (!isHolder(number)) continue
    inside += value.length
    while (waiting[0] !== undefined && inside > 0) {
      const [tag, text] = waiting[0]
      object[`PDS${tag}`] = text
      inside -= text.length + 7
      waiting.shift()
    }
  }
  return object
}

const holders: ReadonlySet<number> = new Set(SUBELEMENT_HOLDERS)
const isHolder = (number: number): boolean => holders.has(number)

type Read = { ok: true; record: ClearingRecord } | { ok: false; reason: string }
const failed = (reason: string): Read => ({ ok: false, reason })

/**
 * The record of such an object. Subelements need no DE48, 62 or 123 to 125: they are made of them.
 * If these are there too, both say the same.
 */
export function recordOf(object: unknown): Read {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    return failed('a line is one JSON object, the members of a record')
  }
  const found = new Map<number, string>()
  const named = new Map<string, string>()
  let mti: string | undefined
  for (const [name, value] of Object.entries(object)) {
    if (typeof value !== 'string') return failed(`${name} is no text: values are the record's text`)
    const number = Number(/^DE([1-9]\d{0,2})$/.exec(name)?.[1] ?? 0)
    if (name === 'MTI') mti = value
    else if (elements[number] !== undefined) found.set(number, value)
    else if (/^PDS\d{4}$/.test(name)) named.set(name.slice(3), value)
    else return failed(`${shown(name)} is no member of a record: MTI, DE2 to DE127, PDS0105`)
  }
  return mti === undefined ? failed('MTI is missing') : whole(mti, found, named)
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 20))

function whole(mti: string, found: Map<number, string>, named: Map<string, string>): Read {
  if (holdersOf(found).length === 0) {
    const made = writeSubelements(named)
    if ('reason' in made) return failed(made.reason)
    for (const { number, text } of made) found.set(number, text)
  }
  const subelements = readSubelements(holdersOf(found))
  if (!(subelements instanceof Map)) return failed(`DE48 or another: ${subelements.reason}`)
  const all = named.size === 0 ? [] : [...subelements.keys(), ...named.keys()]
  const other = all.find((tag) => subelements.get(tag) !== named.get(tag))
  if (other !== undefined) {
    return failed(
      `PDS${other} is another one in DE48, 62 or 123 to 125: leave these out to have them made`,
    )
  }
  return { ok: true, record: { mti, elements: found, subelements } }
}

/** A line of every element in its longest form, each character an escape. */
const LINE_BYTES = 64 * 1024
const END = 0x0a

/** The records of lines of JSON. Holds one line; throws a RecordFault at the first wrong one. */
export async function* recordsOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<ClearingRecord> {
  let number = 0
  for await (const line of linesOf(chunks)) {
    number += 1
    if (line.length > LINE_BYTES) throw new RecordFault(number, 'the line is longer than 64 KiB')
    const text = line.toString('utf8').trim()
    if (text === '') throw new RecordFault(number, 'the line is empty')
    const read = recordOf(parsed(text))
    if (!read.ok) throw new RecordFault(number, read.reason)
    yield read.record
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Lines without their ends, one that is too long cut behind the limit. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    waiting = Buffer.concat([waiting, chunk])
    for (let end = waiting.indexOf(END); end >= 0; end = waiting.indexOf(END)) {
      yield waiting.subarray(0, end)
      waiting = waiting.subarray(end + 1)
    }
    if (waiting.length > LINE_BYTES) yield waiting
  }
  if (waiting.length > 0) yield waiting
}
