/**
 * Looks for values that must not be where they are looked for, in every form that a program might
 * give them: plain, hex, base64 at each alignment, URL-encoded, in groups, packed, nibbles swapped.
 */

import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isLuhn } from '#lib/luhn.ts'

export type Canary = { name: string; value: string }

/** Shorter ones are everywhere by chance. */
const SHORTEST = 6
const CHUNK = 16 * 1024 * 1024

const PAGE = 4096
const EMPTY = Buffer.alloc(PAGE)
const slotOf = (start: number) => (start ^ (start >>> 8)) & 0xffff

type Form = { name: string; bytes: Buffer }

const swapped = (hex: string) => hex.replace(/(.)(.)/g, '$2$1')
const grouped = (digits: string, by: string) => digits.match(/.{1,4}/g)?.join(by) ?? ''

/** The part of its base64 that does not depend on the bytes around it. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64')
    const from = [0, 2, 3][offset] ?? 0
    const kept = text.slice(from, Math.floor((offset + bytes.length) / 3) * 4)
    return [kept, kept.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

export function formsOf({ name, value }: Canary): Form[] {
  const bytes = Buffer.from(value)
  const hex = bytes.toString('hex')
  const percent = [...hex.matchAll(/../g)].map(([pair]) => `%${pair}`).join('')
  const texts = [
    ['plain', value],
    ['reversed', [...value].reverse().join('')],
    ['hex', hex],
    ['HEX', hex.toUpperCase()],
    ['hex, nibbles swapped', swapped(hex)],
    ['URL-encoded', encodeURIComponent(value)],
    ['URL-encoded whole', percent],
    ['URL-ENCODED whole', percent.toUpperCase()],
    ['JSON in JSON', JSON.stringify(value).slice(1, -1)],
    ...base64Forms(bytes).map((text) => ['base64', text]),
    ...base64Forms(Buffer.from(hex)).map((text) => ['base64 of hex', text]),
  ]
  const digits = /^\d{8,}$/.test(value)
  const packed = value.length % 2 === 0 ? value : `${value}f`
  if (digits) {
    texts.push(['spaced', grouped(value, ' ')], ['dashed', grouped(value, '-')])
    texts.push(['nibbles swapped', swapped(packed)], ['every digit spaced', [...value].join(' ')])
  }
  const forms = [
    ...texts.map(([form, text = '']) => ({ name: `${name} (${form})`, bytes: Buffer.from(text) })),
    { name: `${name} (UTF-16)`, bytes: Buffer.from(value, 'utf16le') },
    ...(digits ? packedForms(name, packed) : []),
  ].filter((form) => form.bytes.length >= SHORTEST)
  const first = new Map(forms.toReversed().map((form) => [form.bytes.toString('hex'), form]))
  return [...first.values()]
}

const packedForms = (name: string, packed: string): Form[] => [
  { name: `${name} (packed)`, bytes: Buffer.from(packed, 'hex') },
  { name: `${name} (packed, nibbles swapped)`, bytes: Buffer.from(swapped(packed), 'hex') },
]

export type Search = {
  /** The names of what is found in it. */
  inBytes: (bytes: Buffer) => string[]
  inText: (text: string) => string[]
  /** Every file of a folder and of those in it, with the path of what is found. */
  inFolder: (folder: string) => string[]
}

/** All forms of all canaries are sought in one pass: by their first three bytes, then whole. */
export function searchFor(canaries: readonly Canary[]): Search {
  const byStart = new Map<number, Form[]>()
  // Small enough to stay near the processor; a match by chance is compared in full.
  const starts = new Uint8Array(1 << 16)
  for (const form of canaries.flatMap(formsOf)) {
    const start = form.bytes.readUIntBE(0, 3)
    starts[slotOf(start)] = 1
    byStart.set(start, [...(byStart.get(start) ?? []), form])
  }
  const longest = Math.max(...[...byStart.values()].flat().map(({ bytes }) => bytes.length))

  function inBytes(bytes: Buffer): string[] {
    const found = new Set<string>()
    let start = 0
    for (let at = 0; at < bytes.length; at++) {
      // Much of a database is empty pages.
      if (at % PAGE === 0 && EMPTY.equals(bytes.subarray(at, at + PAGE))) {
        at += PAGE - 1
        start = 0
        continue
      }
      start = ((start << 8) | (bytes[at] ?? 0)) & 0xffffff
      if (starts[slotOf(start)] === 0 || at < 2) continue
      for (const form of byStart.get(start) ?? []) {
        const end = at - 2 + form.bytes.length
        if (form.bytes.equals(bytes.subarray(at - 2, end))) found.add(form.name)
      }
    }
    return [...found]
  }

  /** Files are read in pieces that overlap by the longest form, so that none is cut unseen. */
  const buffer = Buffer.alloc(CHUNK + longest)
  function inFile(path: string): string[] {
    const found = new Set<string>()
    const file = openSync(path, 'r')
    try {
      for (let kept = 0; ; ) {
        const read = readSync(file, buffer, kept, CHUNK, null)
        if (read === 0) return [...found]
        for (const name of inBytes(buffer.subarray(0, kept + read))) found.add(name)
        const end = kept + read
        kept = Math.min(longest, end)
        buffer.copy(buffer, 0, end - kept, end)
      }
    } finally {
      closeSync(file)
    }
  }

  const inFolder = (folder: string): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
      const path = join(folder, name)
      if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return []
      return inFile(path).map((found) => `${found} in ${name}`)
    })

  return { inBytes, inText: (text) => inBytes(Buffer.from(text)), inFolder }
}

/** Ids as the platform makes them (UUID v7): one in 250 happens to look as if it held a number. */
const OWN_IDS = /\b0[\da-f]{7}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}\b/g

/** Digits that could be a card number, spaces and dashes between them or none; ids are none. */
export function cardNumbersIn(text: string): string[] {
  return [...text.replace(OWN_IDS, 'id').matchAll(/(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/g)]
    .map(([run]) => run.replace(/[ -]/g, ''))
    .filter(isLuhn)
}

/**
 * Three or four digits are everywhere by chance. Such a secret counts only as a value: quoted, as a
 * cell of a table, or after its name. Returns each with the text before it.
 */
export function shortValuesIn(text: string, values: readonly string[]): string[] {
  return values.flatMap((value) => {
    const reported = new RegExp(
      `.{0,40}("${value}"|'${value}'|(cvv2?|cvc|pin)\\W{1,8}${value}\\b)`,
      'gi',
    )
    return [...text.matchAll(reported)].map(([around]) => around)
  })
}
