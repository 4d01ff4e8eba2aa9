/**
 * The dialects of ISO 8583:1987 as data (docs/iso8583.md, "Dialects"; D-49). A network that
 * writes its messages otherwise becomes one more entry here.
 */

export type DialectName = 'ascii' | 'bcd' | 'ascii_binary_bitmap' | 'ebcdic'

export type Dialect = {
  /** The code page of everything that is written in characters. */
  page: 'ascii' | 'cp037'
  /** The MTI, and the digits of n and x+n fields. Packed is BCD, odd counts zero-led. */
  digits: 'characters' | 'packed'
  /** LL and LLL. Packed, they take one and two bytes. */
  lengths: 'characters' | 'packed'
  /** Track 2. Packed, its separator is the nibble D. */
  track: 'characters' | 'packed'
  bitmap: 'hex' | 'raw'
  /** The b fields and DE55, whose length counts hex characters or, raw, bytes. */
  binary: 'hex' | 'raw'
}

export const dialects: Record<DialectName, Dialect> = {
  ascii: {
    page: 'ascii',
    digits: 'characters',
    lengths: 'characters',
    track: 'characters',
    bitmap: 'hex',
    binary: 'hex',
  },
  bcd: {
    page: 'ascii',
    digits: 'packed',
    lengths: 'packed',
    track: 'packed',
    bitmap: 'raw',
    binary: 'raw',
  },
  ascii_binary_bitmap: {
    page: 'ascii',
    digits: 'characters',
    lengths: 'characters',
    track: 'characters',
    bitmap: 'raw',
    binary: 'raw',
  },
  ebcdic: {
    page: 'cp037',
    digits: 'characters',
    lengths: 'characters',
    track: 'characters',
    bitmap: 'raw',
    binary: 'raw',
  },
}
