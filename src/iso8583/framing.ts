/**
 * Messages on a TCP stream (docs/iso8583.md 7): a length, not counting itself, then that many
 * bytes. A length of zero is a keep-alive.
 */

/**
 * binary2: two bytes, big-endian. ascii4: four decimal digits. binary2_00: two bytes, big-endian,
 * and
 * two zero bytes.
 */
export const headerNames = ['binary2', 'ascii4', 'binary2_00'] as const
export type Header = (typeof headerNames)[number]

/** In words, for the operator of a network that is not understood. */
export const headerInWords: Record<Header, string> = {
  binary2: '2 bytes of length',
  ascii4: '4 digits of length',
  binary2_00: '2 bytes of length and 2 zero bytes',
}

/** header: not a number. too_long: more than max_frame. The stream cannot be read any further. */
export type FramingError = 'header' | 'too_long'

export type Pushed = {
  /** In order; a frame inside the chunk is a view of it, so use it before reusing the chunk. */
  frames: Buffer[]
  keep_alives: number
  /** Once set the reader reads no more: the connection is to be dropped. */
  error: FramingError | null
}

export type FrameReader = {
  push(chunk: Buffer): Pushed
  /** Bytes of an unfinished frame, header included: not 0 at the end means that it was cut. */
  pending(): number
}

type HeaderForm = {
  bytes: number
  most: number
  /** -1 when it is not a length. */
  read(header: Buffer, at: number): number
  write(target: Buffer, length: number): void
}

const ZERO = 0x30
const NINE = 0x39

const headers: Record<Header, HeaderForm> = {
  binary2: {
    bytes: 2,
    most: 65_535,
    read: (header, at) => header.readUInt16BE(at),
    write: (target, length) => void target.writeUInt16BE(length, 0),
  },
  ascii4: {
    bytes: 4,
    most: 9_999,
    read: readDigits,
    write: (target, length) => void target.write(String(length).padStart(4, '0'), 'latin1'),
  },
  binary2_00: {
    bytes: 4,
    most: 65_535,
    read: (header, at) => (header.readUInt16BE(at + 2) === 0 ? header.readUInt16BE(at) : -1),
    write: (target, length) => void target.writeUInt32BE(length * 0x10000, 0),
  },
}

function readDigits(header: Buffer, at: number): number {
  let length = 0
  for (let index = at; index < at + 4; index += 1) {
    const byte = header[index] ?? 0
    if (byte < ZERO || byte > NINE) return -1
    length = length * 10 + byte - ZERO
  }
  return length
}

/** The message with its header. Throws RangeError for one that the header cannot count. */
export function frame(message: Buffer, header: Header): Buffer {
  const form = headers[header]
  if (message.length > form.most) throw new RangeError(`a frame holds ${form.most} bytes at most`)
  const framed = Buffer.allocUnsafe(form.bytes + message.length)
  form.write(framed, message.length)
  message.copy(framed, form.bytes)
  return framed
}

/**
 * One per connection. It holds at most one unfinished frame, of at most `max_frame` bytes, and
 * copies each byte once at most, however the stream is cut.
 */
export function createFrameReader(options: { header: Header; max_frame: number }): FrameReader {
  return new Reader(headers[options.header], options.max_frame)
}

class Reader implements FrameReader {
  readonly #form: HeaderForm
  readonly #most: number
  readonly #header: Buffer
  #headerBytes = 0
  /** The unfinished frame, and how much of it has come. */
  #body: Buffer | null = null
  #bodyBytes = 0
  #error: FramingError | null = null

  constructor(form: HeaderForm, most: number) {
    this.#form = form
    this.#most = most
    this.#header = Buffer.alloc(form.bytes)
  }

  pending(): number {
    return this.#headerBytes + this.#bodyBytes
  }

  push(chunk: Buffer): Pushed {
    const pushed: Pushed = { frames: [], keep_alives: 0, error: this.#error }
    let at = 0
    while (at < chunk.length && pushed.error === null) {
      at = this.#body === null ? this.#begin(chunk, at, pushed) : this.#fill(chunk, at, pushed)
    }
    return pushed
  }

  /** At a header: returns where to go on in the chunk. */
  #begin(chunk: Buffer, start: number, pushed: Pushed): number {
    const { bytes } = this.#form
    const missing = bytes - this.#headerBytes
    const at = start + chunk.copy(this.#header, this.#headerBytes, start, start + missing)
    this.#headerBytes += at - start
    if (this.#headerBytes < bytes) return at
    const length = this.#form.read(this.#header, 0)
    if (length < 0 || length > this.#most) {
      this.#error = length < 0 ? 'header' : 'too_long'
      pushed.error = this.#error
      return chunk.length
    }
    return this.#open(chunk, at, length, pushed)
  }

  /** After a header: reads a frame that the chunk contains whole, else makes room for it. */
  #open(chunk: Buffer, at: number, length: number, pushed: Pushed): number {
    if (length === 0) pushed.keep_alives += 1
    else if (at + length <= chunk.length) pushed.frames.push(chunk.subarray(at, at + length))
    else {
      this.#body = Buffer.allocUnsafe(length)
      return at
    }
    this.#headerBytes = 0
    return at + length
  }

  #fill(chunk: Buffer, start: number, pushed: Pushed): number {
    const body = this.#body
    if (body === null) return start
    const at = start + chunk.copy(body, this.#bodyBytes, start)
    this.#bodyBytes += at - start
    if (this.#bodyBytes === body.length) {
      pushed.frames.push(body)
      this.#body = null
      this.#bodyBytes = 0
      this.#headerBytes = 0
    }
    return at
  }
}
