/** Character sets of a clearing file: a character for each byte, and a byte for each character. */

export type CharacterSet = 'latin1' | 'cp500' | 'cp037'

export type Characters = {
  /** The latin 1 code of a byte of the file. */
  toText: Uint8Array
  /** The byte of the file of a latin 1 code. */
  toWire: Uint8Array
}

/** Code page 500: the latin 1 codes of the bytes 00 to FF. */
const cp500 = Buffer.from(
  '000102039C09867F978D8E0B0C0D0E0F101112139D8508871819928F1C1D1E1F' +
    '80818283840A171B88898A8B8C050607909116939495960498999A9B14159E1A' +
    '20A0E2E4E0E1E3E5E7F15B2E3C282B2126E9EAEBE8EDEEEFECDF5D242A293B5E' +
    '2D2FC2C4C0C1C3C5C7D1A62C255F3E3FF8C9CACBC8CDCECFCC603A2340273D22' +
    'D8616263646566676869ABBBF0FDFEB1B06A6B6C6D6E6F707172AABAE6B8C6A4' +
    'B57E737475767778797AA1BFD0DDDEAEA2A3A5B7A9A7B6BCBDBEAC7CAFA8B4D7' +
    '7B414243444546474849ADF4F6F2F3F57D4A4B4C4D4E4F505152B9FBFCF9FAFF' +
    '5CF7535455565758595AB2D4D6D2D3D530313233343536373839B3DBDCD9DA9F',
  'hex',
)

/** Code page 037 differs from 500 in seven signs. */
const cp037 = Buffer.from(cp500)
for (const [byte, sign] of Object.entries({
  74: '¢',
  79: '|',
  90: '!',
  95: '¬',
  176: '^',
  186: '[',
  187: ']',
})) {
  cp037.write(sign, Number(byte), 'latin1')
}

function charactersOf(toText: Uint8Array): Characters {
  const toWire = new Uint8Array(256)
  toText.forEach((code, byte) => {
    toWire[code] = byte
  })
  return { toText, toWire }
}

export const characters: Readonly<Record<CharacterSet, Characters>> = {
  latin1: charactersOf(Uint8Array.from({ length: 256 }, (_, code) => code)),
  cp500: charactersOf(cp500),
  cp037: charactersOf(cp037),
}

const MTI_BYTES = 4

/** Shown by the digits of the first MTI; undefined where they are digits in neither. */
export function characterSetOf(record: Buffer): 'latin1' | 'cp500' | undefined {
  const mti = record.subarray(0, MTI_BYTES)
  if (mti.length < MTI_BYTES) return undefined
  if (mti.every((byte) => byte >= 0x30 && byte <= 0x39)) return 'latin1'
  return mti.every((byte) => byte >= 0xf0 && byte <= 0xf9) ? 'cp500' : undefined
}

/** The text of bytes, a character for each. */
export function textOf(bytes: Buffer, set: CharacterSet): string {
  if (set === 'latin1') return bytes.toString('latin1')
  const { toText } = characters[set]
  const text = Buffer.allocUnsafe(bytes.length)
  for (let at = 0; at < bytes.length; at += 1) text[at] = toText[bytes[at] ?? 0] ?? 0
  return text.toString('latin1')
}
