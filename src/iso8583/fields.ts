/**
 * The field table of ISO 8583:1987 as this platform uses it (docs/iso8583.md 5.2). The bytes of a
 * dialect are defined in dialects.ts; no property of a field is in code.
 */

/** n digits, an letters and digits, ans printable, z track 2, b bytes, x+n C or D then digits. */
export type FieldType = 'n' | 'an' | 'ans' | 'z' | 'b' | 'x+n'
/** Its length: always `max`, or in two or three digits before it. */
export type LengthPrefix = 'fixed' | 'LL' | 'LLL'
/**
 * The part that a log may show: the value, first six and last four digits, known elements, its
 * size.
 */
export type Shown = 'clear' | 'pan' | 'elements' | 'hidden'

export type Field = {
  de: number
  name: string
  type: FieldType
  /** Characters; for b bytes; for x+n the sign counts too. */
  max: number
  length_prefix: LengthPrefix
  shown: Shown
}

/** `n` fixed, `n..` LL, `n...` LLL: the standard's own way to write a format. */
type Format = `${FieldType}${'' | '..' | '...'}`

const prefixes: Record<string, LengthPrefix> = { '': 'fixed', '..': 'LL', '...': 'LLL' }
const types: Record<string, FieldType> = { n: 'n', an: 'an', ans: 'ans', z: 'z', b: 'b' }

function field(de: number, name: string, format: Format, max: number, shown: Shown): Field {
  const dots = format.indexOf('.')
  const type = dots < 0 ? format : format.slice(0, dots)
  const length_prefix = prefixes[format.slice(type.length)] ?? 'fixed'
  return { de, name, type: types[type] ?? 'x+n', max, length_prefix, shown }
}

const several = (from: number, to: number, name: string) =>
  Array.from({ length: to - from + 1 }, (_, i) => field(from + i, name, 'ans...', 999, 'hidden'))

/**
 * DE 2 to 128 in order. Bit 65 would announce a third bitmap, which 1987 has no fields for, so it
 * is not a field. Free and private fields are hidden, since their content is unknown.
 */
export const fieldTable: readonly Field[] = [
  field(2, 'Primary account number', 'n..', 19, 'pan'),
  field(3, 'Processing code', 'n', 6, 'clear'),
  field(4, 'Amount, transaction', 'n', 12, 'clear'),
  field(5, 'Amount, settlement', 'n', 12, 'clear'),
  field(6, 'Amount, cardholder billing', 'n', 12, 'clear'),
  field(7, 'Transmission date and time', 'n', 10, 'clear'),
  field(8, 'Amount, cardholder billing fee', 'n', 8, 'clear'),
  field(9, 'Conversion rate, settlement', 'n', 8, 'clear'),
  field(10, 'Conversion rate, cardholder billing', 'n', 8, 'clear'),
  field(11, 'System trace audit number', 'n', 6, 'clear'),
  field(12, 'Time, local transaction', 'n', 6, 'clear'),
  field(13, 'Date, local transaction', 'n', 4, 'clear'),
  field(14, 'Date, expiration', 'n', 4, 'hidden'),
  field(15, 'Date, settlement', 'n', 4, 'clear'),
  field(16, 'Date, conversion', 'n', 4, 'clear'),
  field(17, 'Date, capture', 'n', 4, 'clear'),
  field(18, 'Merchant category code', 'n', 4, 'clear'),
  field(19, 'Acquiring institution country code', 'n', 3, 'clear'),
  field(20, 'Primary account number extended country code', 'n', 3, 'clear'),
  field(21, 'Forwarding institution country code', 'n', 3, 'clear'),
  field(22, 'Point of service entry mode', 'n', 3, 'clear'),
  field(23, 'Card sequence number', 'n', 3, 'clear'),
  field(24, 'Network international identifier', 'n', 3, 'clear'),
  field(25, 'Point of service condition code', 'n', 2, 'clear'),
  field(26, 'Point of service PIN capture code', 'n', 2, 'clear'),
  field(27, 'Authorization identification response length', 'n', 1, 'clear'),
  field(28, 'Amount, transaction fee', 'x+n', 9, 'clear'),
  field(29, 'Amount, settlement fee', 'x+n', 9, 'clear'),
  field(30, 'Amount, transaction processing fee', 'x+n', 9, 'clear'),
  field(31, 'Amount, settlement processing fee', 'x+n', 9, 'clear'),
  field(32, 'Acquiring institution identification code', 'n..', 11, 'clear'),
  field(33, 'Forwarding institution identification code', 'n..', 11, 'clear'),
  field(34, 'Primary account number, extended', 'ans..', 28, 'hidden'),
  field(35, 'Track 2 data', 'z..', 37, 'hidden'),
  field(36, 'Track 3 data', 'ans...', 104, 'hidden'),
  field(37, 'Retrieval reference number', 'an', 12, 'clear'),
  field(38, 'Authorization identification response', 'an', 6, 'clear'),
  field(39, 'Response code', 'an', 2, 'clear'),
  field(40, 'Service restriction code', 'an', 3, 'clear'),
  field(41, 'Card acceptor terminal identification', 'ans', 8, 'clear'),
  field(42, 'Card acceptor identification code', 'ans', 15, 'clear'),
  field(43, 'Card acceptor name and location', 'ans', 40, 'clear'),
  field(44, 'Additional response data', 'ans..', 25, 'clear'),
  field(45, 'Track 1 data', 'ans..', 76, 'hidden'),
  field(46, 'Additional data, ISO', 'ans...', 999, 'hidden'),
  field(47, 'Additional data, national', 'ans...', 999, 'hidden'),
  field(48, 'Additional data, private', 'ans...', 999, 'elements'),
  field(49, 'Currency code, transaction', 'an', 3, 'clear'),
  field(50, 'Currency code, settlement', 'an', 3, 'clear'),
  field(51, 'Currency code, cardholder billing', 'an', 3, 'clear'),
  field(52, 'Personal identification number data', 'b', 8, 'hidden'),
  field(53, 'Security related control information', 'n', 16, 'clear'),
  field(54, 'Additional amounts', 'ans...', 120, 'hidden'),
  field(55, 'Integrated circuit card data', 'b...', 255, 'hidden'),
  ...several(56, 56, 'Reserved for ISO use'),
  ...several(57, 59, 'Reserved for national use'),
  field(60, 'Reserved for private use', 'ans...', 999, 'clear'),
  field(61, 'Point of service data', 'ans...', 999, 'clear'),
  ...several(62, 63, 'Reserved for private use'),
  field(64, 'Message authentication code', 'b', 8, 'hidden'),
  field(66, 'Settlement code', 'n', 1, 'clear'),
  field(67, 'Extended payment code', 'n', 2, 'clear'),
  field(68, 'Receiving institution country code', 'n', 3, 'clear'),
  field(69, 'Settlement institution country code', 'n', 3, 'clear'),
  field(70, 'Network management information code', 'n', 3, 'clear'),
  field(71, 'Message number', 'n', 4, 'clear'),
  field(72, 'Message number, last', 'n', 4, 'clear'),
  field(73, 'Date, action', 'n', 6, 'clear'),
  field(74, 'Credits, number', 'n', 10, 'clear'),
  field(75, 'Credits, reversal number', 'n', 10, 'clear'),
  field(76, 'Debits, number', 'n', 10, 'clear'),
  field(77, 'Debits, reversal number', 'n', 10, 'clear'),
  field(78, 'Transfer, number', 'n', 10, 'clear'),
  field(79, 'Transfer, reversal number', 'n', 10, 'clear'),
  field(80, 'Inquiries, number', 'n', 10, 'clear'),
  field(81, 'Authorizations, number', 'n', 10, 'clear'),
  field(82, 'Credits, processing fee amount', 'n', 12, 'clear'),
  field(83, 'Credits, transaction fee amount', 'n', 12, 'clear'),
  field(84, 'Debits, processing fee amount', 'n', 12, 'clear'),
  field(85, 'Debits, transaction fee amount', 'n', 12, 'clear'),
  field(86, 'Credits, amount', 'n', 16, 'clear'),
  field(87, 'Credits, reversal amount', 'n', 16, 'clear'),
  field(88, 'Debits, amount', 'n', 16, 'clear'),
  field(89, 'Debits, reversal amount', 'n', 16, 'clear'),
  field(90, 'Original data elements', 'n', 42, 'clear'),
  field(91, 'File update code', 'an', 1, 'clear'),
  field(92, 'File security code', 'an', 2, 'hidden'),
  field(93, 'Response indicator', 'an', 5, 'clear'),
  field(94, 'Service indicator', 'an', 7, 'clear'),
  field(95, 'Replacement amounts', 'an', 42, 'clear'),
  field(96, 'Message security code', 'b', 8, 'hidden'),
  field(97, 'Amount, net settlement', 'x+n', 17, 'clear'),
  field(98, 'Payee', 'ans', 25, 'hidden'),
  field(99, 'Settlement institution identification code', 'n..', 11, 'clear'),
  field(100, 'Receiving institution identification code', 'n..', 11, 'clear'),
  field(101, 'File name', 'ans..', 17, 'hidden'),
  field(102, 'Account identification 1', 'ans..', 28, 'hidden'),
  field(103, 'Account identification 2', 'ans..', 28, 'hidden'),
  field(104, 'Transaction description', 'ans...', 100, 'hidden'),
  ...several(105, 111, 'Reserved for ISO use'),
  ...several(112, 119, 'Reserved for national use'),
  ...several(120, 122, 'Reserved for private use'),
  field(123, 'PIN block of ISO format 4, as 32 hex characters', 'ans...', 999, 'hidden'),
  ...several(124, 127, 'Reserved for private use'),
  field(128, 'Message authentication code', 'b', 8, 'hidden'),
]
