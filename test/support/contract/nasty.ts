/** Values that break servers, as JSON texts. */

const text = (value: string) => JSON.stringify(value)

/** Each in the place of every string and number. The first group can be right nowhere. */
export const neverRight: Readonly<Record<string, string>> = {
  'U+0000': '"\\u0000"',
  'U+0000 within': '"a\\u0000b"',
  'a lone surrogate': '"\\ud800"',
  'two surrogates in the wrong order': '"\\udc00\\ud800"',
  '1e400': '1e400',
  '9007199254740993': '9007199254740993',
  '30 decimals': '0.123456789012345678901234567891',
  'an array of arrays': '[[[[]]]]',
}

export const oftenWrong: Readonly<Record<string, string>> = {
  'nothing at all': '""',
  blanks: '"   "',
  'right to left': text('\u202Eمرحبا\u202C'),
  'a family of joined signs': text('👩‍👩‍👧‍👦'),
  'composed and decomposed': text('\u00e9e\u0301'),
  'a zero-width space': text('\u200b'),
  'line ends': text('a\r\nb'),
  'a quote and a comment': text("'; drop table users; --"),
  'a template': text('{{7*7}}<%= 7*7 %>'),
  'minus zero': '-0',
  'a tenth and two': '0.3000000001',
  negative: '-1',
  'a comma for a point': '"10,00"',
  'an unknown currency': '"ZZZ"',
  'a currency without decimals': '"JPY"',
  'a currency of three decimals': '"KWD"',
  'a fraction of a fils': '0.001',
  'the year 0': '"0000-01-01"',
  'the year 9999': '"9999-12-31T23:59:59.999Z"',
  '30 February': '"2025-02-30"',
  'a long number as text': text('9'.repeat(40)),
  true: 'true',
  null: 'null',
  'an object': '{}',
}

/** Values for one place of each operation: they are large. */
export const large: Readonly<Record<string, string>> = {
  'a string of a megabyte': text('x'.repeat(1_000_000)),
  'an array of 19,000': JSON.stringify(Array(19_000).fill(1)),
}

/** Whole bodies that are no requests, with their charset where it is another. */
export const neverBodies: Readonly<Record<string, string | Buffer>> = {
  'nested 100,000 deep': '['.repeat(100_000) + ']'.repeat(100_000),
  'objects nested 50,000 deep': `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
  'a body of many keys': `{${Array.from({ length: 90_000 }, (_, at) => `"k${at}":1`).join()}}`,
  'a byte order mark': '\ufeff{}',
  'bytes that are not UTF-8': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  'UTF-16': Buffer.from('{"a":1}', 'utf16le'),
  'a trailing comma': '{"a":1,}',
  'half a body': '{"a":',
  'two bodies': '{}{}',
  'a comment': '{/* */}',
  NaN: '{"a":NaN}',
  __proto__: '{"__proto__":{"admin":true}}',
  'a number': '1',
  'a string': '"x"',
  'a boolean': 'true',
}
