/**
 * PDF from front to back. Names that act (scripts, programs, further files) count where a reader
 * takes them for names: not in texts, in streams or in comments. If readers may disagree about the
 * bounds of a text, they count there too (D-993). Marks of a page count outside of texts and
 * streams, where a reader of PDF sees nothing and a browser might (D-219, D-1007).
 */

import { isRegular, isSpace, plainName } from './objects.ts'

const FURTHER_FILES =
  'holds further files: print it to a PDF without them, and send each as a file of its own'
const faults: Readonly<Record<string, string>> = {
  JavaScript: 'holds a script',
  Launch: 'starts a program',
  EmbeddedFile: FURTHER_FILES,
  EmbeddedFiles: FURTHER_FILES,
}
const PAGE = /^<(?:script|html|iframe|svg|!doctype html|\?php)[\s/>]/i
const PAGE_FAULT = 'holds a script or a page'
const PAGE_LETTERS = Buffer.from('sShHiI!?')
/** The letters with which the names of faults begin, and any letter by its number. */
const FAULT_LETTERS = Buffer.from('JLE#')

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

type Mode = 'structure' | 'text' | 'hex' | 'comment' | 'stream'
const CODES = { percent: 0x25, open: 0x28, close: 0x29, slash: 0x2f, less: 0x3c, more: 0x3e }
const [BACKSLASH, LETTER_O, LETTER_T, LIST, LIST_END] = [0x5c, 0x6f, 0x74, 0x5b, 0x5d]
const HEX = new Set(Buffer.from('0123456789abcdefABCDEF'))
const END_OF_STREAM = 'endstream'

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
  #lists = 0
  #isObjectStream = false
  /** Whether a dictionary has just ended, behind which a stream may begin. */
  #isBehind = false
  /** The position before which no end of a stream begins, and that of the next one, in the file. */
  #searched = 0
  #nextEnd = -1
  /** The fault of a name in what seems a text, a comment or a stream. */
  #hidden: string | undefined
  /** Whether another reader may find other texts, comments or streams. */
  #isDoubtful = false
  #isOverfull = false

  /** Returns a fault as soon as it is known. */
  take(chunk: Buffer): string | undefined {
    const kept = Math.max(0, this.#at - BACK)
    this.#bytes = Buffer.concat([this.#bytes.subarray(kept), chunk])
    this.#base += kept
    this.#at -= kept
    return this.#read(this.#bytes.length - AHEAD - WORD_MAX)
  }

  end(): string | undefined {
    const fault = this.#read(this.#bytes.length)
    if (!['structure', 'comment'].includes(this.#mode)) this.#isDoubtful = true
    return fault ?? (this.#isDoubtful ? this.#hidden : undefined)
  }

  /** The doubt about a whole, from a part of a stream of objects: each part is one object. */
  doubt(): { hidden: string | undefined; isDoubtful: boolean } {
    const isWhole = this.#mode === 'structure' && this.#nesting === 0 && this.#lists === 0
    return { hidden: this.#hidden, isDoubtful: this.#isDoubtful || !isWhole }
  }

  #read(until: number): string | undefined {
    while (this.#at < until) {
      const fault = this.#step()
      if (fault !== undefined) return fault
    }
    return this.#isOverfull ? 'holds too many packed objects' : undefined
  }

  #step(): string | undefined {
    if (this.#mode === 'stream') return this.#passStream()
    const byte = this.#bytes[this.#at] ?? 0
    if (byte === LETTER_O && this.#beginsObject()) return undefined
    if (this.#mode === 'structure') {
      return byte === CODES.less && this.#isPage() ? PAGE_FAULT : this.#stepStructure(byte)
    }
    if (byte === LETTER_T && this.#isTrailer()) this.#isDoubtful = true
    if (byte === CODES.slash) this.#noteHidden()
    if (this.#mode === 'text') this.#stepText(byte)
    else if (byte === CODES.less && this.#isPage()) return PAGE_FAULT
    else if (this.#mode === 'hex') this.#stepHex(byte)
    else {
      if (byte === 10 || byte === 13) this.#mode = 'structure'
      this.#at += 1
    }
    return undefined
  }

  #isPage(): boolean {
    if (!PAGE_LETTERS.includes(this.#bytes[this.#at + 1] ?? 0)) return false
    return PAGE.test(this.#bytes.toString('latin1', this.#at, this.#at + AHEAD))
  }

  #noteHidden(): void {
    const next = this.#bytes[this.#at + 1] ?? 0
    if (!FAULT_LETTERS.includes(next)) return
    const text = this.#bytes.toString('latin1', this.#at + 1, this.#at + AHEAD + WORD_MAX)
    const name = plainName(/^[^\s\0()<>[\]{}/%]*/.exec(text)?.[0] ?? '')
    if (Object.hasOwn(faults, name)) this.#hidden ??= faults[name]
  }

  #isTrailer(): boolean {
    const text = this.#bytes.toString('latin1', this.#at, this.#at + AHEAD)
    return /^trailer[\s\0]*<</.test(text)
  }

  #stepText(byte: number): void {
    if (byte === BACKSLASH) this.#at += 1
    else if (byte === CODES.open) this.#depth += 1
    else if (byte === CODES.close) this.#depth -= 1
    if (this.#depth === 0) this.#mode = 'structure'
    this.#at += 1
  }

  #stepHex(byte: number): void {
    if (byte === CODES.more) this.#mode = 'structure'
    else if (!HEX.has(byte) && !isSpace(byte)) this.#isDoubtful = true
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
    if (byte === LIST) this.#lists += 1
    if (byte === LIST_END) this.#lists = Math.max(0, this.#lists - 1)
    const isTwice = this.#bytes[this.#at + 1] === byte
    if (byte === CODES.less && isTwice) this.#enter()
    if (byte === CODES.less && !isTwice) this.#mode = 'hex'
    if (byte === CODES.more && isTwice) this.#nesting = Math.max(0, this.#nesting - 1)
    if (!isSpace(byte) && byte !== CODES.percent) this.#isBehind = byte === CODES.more && isTwice
    this.#at += (byte === CODES.less || byte === CODES.more) && isTwice ? 2 : 1
    return undefined
  }

  #enter(): void {
    if (this.#nesting === 0) this.#dictionary = { at: this.#base + this.#at, ...this.#object }
    this.#nesting += 1
  }

  #takeName(): string | undefined {
    this.#at += 1
    this.#isBehind = false
    if (!isRegular(this.#bytes[this.#at])) return undefined
    const name = plainName(this.#regular())
    if (name === 'ObjStm') this.#isObjectStream = true
    if (name === 'Encrypt') this.#note(this.encrypted, this.#dictionary)
    if (name === 'Standard') this.#note(this.standard, this.#dictionary)
    return Object.hasOwn(faults, name) ? faults[name] : undefined
  }

  #takeWord(): undefined {
    const word = this.#regular()
    const isBehind = this.#isBehind
    this.#isBehind = false
    if (word === 'trailer') this.#beginAnew()
    if (word !== 'stream') return undefined
    // A word within a list or a dictionary is none that begins a stream.
    if (!isBehind || this.#nesting > 0 || this.#lists > 0) this.#isDoubtful = true
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
    if (!one) return
    if (list.length < PLACES_MAX) list.push(one)
    else this.#isOverfull = true
  }

  /** The letters up to a blank or a delimiter; no more than are needed to know a word. */
  #regular(): string {
    const from = this.#at
    while (isRegular(this.#bytes[this.#at])) this.#at += 1
    return this.#bytes.toString('latin1', from, Math.min(this.#at, from + WORD_MAX))
  }

  /** Up to the end of the stream, or to the next object: a stream may be without its end. */
  #passStream(): undefined {
    const end = this.#findEndOfStream()
    const until = end < 0 ? Math.max(this.#at + 1, this.#bytes.length - AHEAD - WORD_MAX) : end
    for (let at = this.#at; at < until; at++) {
      const byte = this.#bytes[at]
      if (byte !== LETTER_O && byte !== LETTER_T && byte !== CODES.slash) continue
      this.#at = at
      if (byte === CODES.slash) this.#noteHidden()
      else if (byte === LETTER_T) this.#isDoubtful ||= this.#isTrailer()
      else if (this.#beginsObject()) return undefined
    }
    this.#at = Math.min(until, this.#bytes.length)
    if (end >= 0) this.#mode = 'structure'
    return undefined
  }

  /** Each byte is searched once, however many streams begin before the end of one. */
  #findEndOfStream(): number {
    if (this.#nextEnd >= this.#base + this.#at) return this.#nextEnd - this.#base
    const from = Math.max(this.#at, this.#searched - this.#base)
    const found = this.#bytes.indexOf(END_OF_STREAM, from)
    if (found >= 0) this.#nextEnd = this.#base + found
    else this.#searched = this.#base + Math.max(from, this.#bytes.length - END_OF_STREAM.length)
    return found
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
    if (!found) {
      // Its number may be farther away than is looked for.
      if (/(^|[\s\0\d])$/.test(before)) this.#isDoubtful = true
      return false
    }
    const isClean = this.#mode === 'structure' && this.#nesting === 0 && this.#lists === 0
    if (!isClean) this.#isDoubtful = true
    this.#object = { number: Number(found[1]), generation: Number(found[2]) }
    this.#mode = 'structure'
    this.#depth = 0
    this.#beginAnew()
    this.#at = at + 3
    return true
  }

  #beginAnew(): void {
    this.#nesting = 0
    this.#lists = 0
    this.#dictionary = undefined
    this.#isObjectStream = false
    this.#isBehind = false
  }
}

/**
 * The names of the objects in a stream of objects; its head of `first` bytes has their positions.
 * A reader begins at any of them, so that each is read alone; none may reach into the next.
 */
export function faultOfObjects(bytes: Buffer, first: number): string | undefined {
  const head = bytes.toString('latin1', 0, first).match(/\d+/g) ?? []
  const offsets = head.filter((_number, at) => at % 2 === 1).map((text) => first + Number(text))
  const starts = [...new Set([first, ...offsets])]
    .filter((at) => at >= first && at < bytes.length)
    .sort((one, other) => one - other)
  let hidden: string | undefined
  let isDoubtful = offsets.some((at) => at < first)
  for (const [place, start] of starts.entries()) {
    const scan = new PdfScan()
    const fault = scan.take(bytes.subarray(start, starts[place + 1])) ?? scan.end()
    if (fault !== undefined) return fault
    const doubt = scan.doubt()
    hidden ??= doubt.hidden
    isDoubtful ||= doubt.isDoubtful
  }
  return isDoubtful ? hidden : undefined
}

const HEADER_WITHIN = 1024
const HEADER = /^%PDF-[12]\.\d/

/** Whether a PDF begins here, behind a byte-order mark and white space at most. */
export function beginsPdf(head: Buffer): boolean {
  let at = head.subarray(0, 3).equals(Buffer.of(0xef, 0xbb, 0xbf)) ? 3 : 0
  while (at < HEADER_WITHIN && isSpace(head[at])) at += 1
  return HEADER.test(head.toString('latin1', at, at + 8))
}
