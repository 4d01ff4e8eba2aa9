/** The header of a key block: who may use the key for what (ANSI X9.143, TR-31). */

export type KeyBlockVersion = 'A' | 'B' | 'C' | 'D'

/** An optional block: two characters of name and its text. */
export type OptionalBlock = { id: string; data: string }

export type KeyBlockHeader = {
  version: KeyBlockVersion
  /** P0 PIN encryption, V2 PVV, C0 CVV, K0 key encryption, E0 EMV master key … */
  key_usage: string
  /** T TDES, A AES, D DES, H HMAC, R RSA, E elliptic curve, S DSA. */
  algorithm: string
  /** E encrypt, D decrypt, B both, V verify, G generate, C both, N no restriction, S, T, X, Y. */
  mode_of_use: string
  /** Two characters; 00 means unversioned. */
  key_version: string
  /** E under a key block, S at discretion, N not. */
  exportability: string
  optional_blocks: OptionalBlock[]
}

export type ParsedHeader = { header: KeyBlockHeader; length: number }

/** The longest block that is read; the length field itself could say 9999. */
export const KEY_BLOCK_MAX = 9999

const USE = /([0-9A-Z]{2})([ADEHRST])([BCDEGNSTVXY])([0-9A-Za-z]{2})([ENS])/.source
/** Version, length, use, number of optional blocks, key context (0 to 2) and a zero. */
const FIXED = new RegExp(`^([ABCD])([0-9]{4})${USE}([0-9]{2})([0-2]0)`)

/** The header at the start of the block and how many characters it takes; undefined when broken. */
export function parseHeader(block: string): ParsedHeader | undefined {
  const match = FIXED.exec(block)
  if (match === null || block.length > KEY_BLOCK_MAX) return undefined
  const [, version = '', length, key_usage = '', algorithm = '', mode_of_use = ''] = match
  const [key_version = '', exportability = '', count] = match.slice(6)
  if (Number(length) !== block.length || !isVersion(version)) return undefined

  const optional = parseOptionalBlocks(block, Number(count))
  if (optional === undefined || (optional.end - 16) % blockBytesOf(version) !== 0) return undefined
  const use = { version, key_usage, algorithm, mode_of_use, key_version, exportability }
  return { header: { ...use, optional_blocks: optional.blocks }, length: optional.end }
}

/** Bytes of a cipher block under the version: TDES 8, AES 16. */
export function blockBytesOf(version: KeyBlockVersion): number {
  return version === 'D' ? 16 : 8
}

function isVersion(text: string): text is KeyBlockVersion {
  return /^[ABCD]$/.test(text)
}

function parseOptionalBlocks(
  block: string,
  count: number,
): { blocks: OptionalBlock[]; end: number } | undefined {
  const blocks: OptionalBlock[] = []
  let at = 16
  for (let number = 0; number < count; number += 1) {
    const start = optionalStart(block.slice(at, at + 12))
    if (start === undefined || at + start.length > block.length) return undefined
    const data = block.slice(at + start.dataAt, at + start.length)
    if (!/^[\x20-\x7e]*$/.test(data) || blocks.some(({ id }) => id === start.id)) return undefined
    blocks.push({ id: start.id, data })
    at += start.length
  }
  return { blocks, end: at }
}

/** Name and length; a length of 00 is followed by the length's own length and then the length. */
function optionalStart(text: string): { id: string; dataAt: number; length: number } | undefined {
  const short = /^([0-9A-Z]{2})([0-9A-F]{2})/.exec(text)
  if (short === null) return undefined
  const [, id = '', size = ''] = short
  if (size !== '00') return measured(id, 4, size)
  const long = /^....(02|04|06)/.exec(text)
  if (long === null) return undefined
  const digits = text.slice(6, 6 + Number(long[1]))
  return /^[0-9A-F]+$/.test(digits) && digits.length === Number(long[1])
    ? measured(id, 6 + digits.length, digits)
    : undefined
}

function measured(id: string, dataAt: number, size: string) {
  const length = Number.parseInt(size, 16)
  return length >= dataAt ? { id, dataAt, length } : undefined
}
