/**
 * PDF from front to back. Names that act (scripts, programs, further files) count where a reader
 * takes them for names: not in texts, in streams or in comments. Marks of a page count outside of
 * texts and streams, where a reader of PDF sees nothing and a browser might (D-219, D-1007).
 */

import { isRegular, isSpace, plainName } from './objects.ts'

const faults: Readonly<Record<string, string>> = {
  JavaScript: 'holds a script',
  Launch: 'starts a program',
  EmbeddedFile: 'holds further files',
  EmbeddedFiles: 'holds further files',
}
const PAGE = /^<(?:script|html|iframe|svg|!doctype html|\?php)[\s/>]/i
const PAGE_FAULT = 'holds a script or a page'

/** Bytes that are needed before and behind a place to know it. */
const BACK = 64
const AHEAD = 32
const WORD_MAX = 64
/** A file has few dictionaries of encryption, and a hundred objects in a stream of objects. */
const PLACES_MAX = 100_000

/** The position at which a dictionary begins, and the object that it is in. */
export type Place = { at: number; number: number; generation: number }
/** `data` is the position of its bytes. */
export type ObjectStream = Place & { data: number }

type Mode = 'structure' | 'text' | 'comment' | 'stream'
const CODES = { percent: 0x25, open: 0x28, close: 0x29, slash: 0x2f, less: 0x3c, more: 0x3e }
const [BACKSLASH, LETTER_O] = [0x5c, 0x6f]

export class PdfScan {
  /** Dictionaries that name an encryption. */
  readonly encrypted: Place[] = []
  /** Dictionaries that may be the encryption which those name. */
  readonly standard: Place[] = []
  readonly objectStreams: ObjectStream[] = []
  #bytes = Buffer.alloc(0)
  /** Position of the first of these bytes in the file. */
  #base = 0
  /** The next byte to read, among them. */
  #at = 0
  #mode: Mode = 'structure'
  #depth = 0
  #dictionary: Place | undefined
  #object = { number: 0, generation: 0 }
  #nesting = 0
  #isObjectStream = false

  /** Returns a fault as soon as it is known. */
  take(chunk: Buffer): string | undefined {
    const kept = Math.max(0, this.#at - BACK)
    this.#bytes = Buffer.concat([this.#bytes.subarray(kept), chunk])
    this.#base += kept
    this.#at -= kept
    return this.#read(this.#bytes.length - AHEAD - WORD_MAX)
  }

  end(): string | undefined {
    return this.#read(this.#bytes.length)
  }

  #read(until: number): string | undefined {
    while (this.#at < until) {
      const fault = this.#step()
      if (fault !== undefined) return fault
    }
    return undefined
  }

  #step(): string | undefined {
    if (this.#mode === 'stream') return this.#passStream()
    const byte = this.#bytes[this.#at] ?? 0
    if (byte === LETTER_O && this.#beginsObject()) return undefined
    if (this.#mode === 'text') this.#stepText(byte)
    else if (byte === CODES.less && this.#isPage()) return PAGE_FAULT
    else if (this.#mode === 'structure') return this.#stepStructure(byte)
    else {
      if (byte === 10 || byte === 13) this.#mode = 'structure'
      this.#at += 1
    }
    return undefined
  }

  #isPage(): boolean {
    return PAGE.test(this.#bytes.toString('latin1', this.#at, this.#at + AHEAD))
  }

  #stepText(byte: number): void {
    if (byte === BACKSLASH) this.#at += 1
    else if (byte === CODES.open) this.#depth += 1
    else if (byte === CODES.close) this.#depth -= 1
    if (this.#depth === 0) this.#mode = 'structure'
    this.#at += 1
  }

  #stepStructure(byte: number): string | undefined {
    if (byte === CODES.percent) this.#mode = 'comment'
    if (byte === CODES.open) {
      this.#mode = 'text'
      this.#depth = 1
    }
    if (byte === CODES.slash) return this.#takeName()
    if (isRegular(byte)) return this.#takeWord()
    const isTwice = this.#bytes[this.#at + 1] === byte
    if (byte === CODES.less && isTwice) this.#enter()
    if (byte === CODES.more && isTwice) this.#nesting = Math.max(0, this.#nesting - 1)
    this.#at += (byte === CODES.less || byte === CODES.more) && isTwice ? 2 : 1
    return undefined
  }

  #enter(): void {
    if (this.#nesting === 0) this.#dictionary = { at: this.#base + this.#at, ...this.#object }
    this.#nesting += 1
  }

  #takeName(): string | undefined {
    this.#at += 1
    const name = plainName(this.#regular())
    if (name === 'ObjStm') this.#isObjectStream = true
    if (name === 'Encrypt') this.#note(this.encrypted, this.#dictionary)
    if (name === 'Standard') this.#note(this.standard, this.#dictionary)
    return Object.hasOwn(faults, name) ? faults[name] : undefined
  }

  #takeWord(): undefined {
    const word = this.#regular()
    if (word === 'trailer') this.#nesting = 0
    if (word !== 'stream') return undefined
    if (this.#isObjectStream && this.#dictionary) {
      let data = this.#at
      if (this.#bytes[data] === 13) data += 1
      if (this.#bytes[data] === 10) data += 1
      this.#note(this.objectStreams, { ...this.#dictionary, data: this.#base + data })
    }
    this.#mode = 'stream'
    return undefined
  }

  #note<Kind>(list: Kind[], one: Kind | undefined): void {
    if (one && list.length < PLACES_MAX) list.push(one)
  }

  /** The letters up to a blank or a delimiter; no more than are needed to know a word. */
  #regular(): string {
    const from = this.#at
    while (isRegular(this.#bytes[this.#at])) this.#at += 1
    return this.#bytes.toString('latin1', from, Math.min(this.#at, from + WORD_MAX))
  }

  /** Up to the end of the stream, or to the next object: a stream may be without its end. */
  #passStream(): undefined {
    const end = this.#bytes.indexOf('endstream', this.#at)
    const until = end < 0 ? Math.max(this.#at + 1, this.#bytes.length - AHEAD - WORD_MAX) : end
    const [from, passed] = [this.#at, this.#bytes.subarray(this.#at, until)]
    for (let at = passed.indexOf('obj'); at >= 0; at = passed.indexOf('obj', at + 1)) {
      this.#at = from + at
      if (this.#beginsObject()) return undefined
    }
    this.#at = Math.min(until, this.#bytes.length)
    if (end >= 0) this.#mode = 'structure'
    return undefined
  }

  /**
   * An object begins wherever a reader that was sent there finds its number: also in what looks
   * like a text, a comment or a stream, so that none of them hides it.
   */
  #beginsObject(): boolean {
    const at = this.#at
    if (this.#bytes[at + 1] !== 0x62 || this.#bytes[at + 2] !== 0x6a) return false
    if (isRegular(this.#bytes[at + 3])) return false
    const before = this.#bytes.toString('latin1', Math.max(0, at - BACK), at)
    const found = /(\d{1,10})[\s\0]{1,60}(\d{1,5})(?:[\s\0]|%[^\r\n]{0,60}[\r\n]){0,60}$/.exec(
      before,
    )
    if (!found) return false
    this.#object = { number: Number(found[1]), generation: Number(found[2]) }
    this.#mode = 'structure'
    this.#depth = 0
    this.#nesting = 0
    this.#dictionary = undefined
    this.#isObjectStream = false
    this.#at = at + 3
    return true
  }
}

/** The names of the objects in a stream of objects. */
export function faultOfObjects(bytes: Buffer): string | undefined {
  const scan = new PdfScan()
  return scan.take(bytes) ?? scan.end()
}

const HEADER_WITHIN = 1024
const HEADER = /^%PDF-[12]\.\d/

/** Whether a PDF begins here, behind a byte-order mark and white space at most. */
export function beginsPdf(head: Buffer): boolean {
  let at = head.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf)) ? 3 : 0
  while (at < HEADER_WITHIN && isSpace(head[at])) at += 1
  return HEADER.test(head.toString('latin1', at, at + 8))
}
