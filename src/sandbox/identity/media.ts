/** Files that an applicant uploads, recognized by their first bytes. */

export const kinds = ['document_front', 'document_back', 'face'] as const
export type Kind = (typeof kinds)[number]

const MEBIBYTE = 1024 * 1024
/** The longest short video of a good phone, with room to spare. */
export const FILE_BYTES_MAX = 60 * MEBIBYTE
/** A type shows within so many bytes. */
export const HEAD_BYTES = 16

const at = (text: string, place: number, head: Buffer) =>
  head.subarray(place, place + text.length).equals(Buffer.from(text, 'latin1'))

const types: readonly [type: string, is: (head: Buffer) => boolean][] = [
  ['image/jpeg', (head) => at('\xff\xd8\xff', 0, head)],
  ['image/png', (head) => at('\x89PNG\r\n\x1a\n', 0, head)],
  ['image/webp', (head) => at('RIFF', 0, head) && at('WEBP', 8, head)],
  ['image/heic', (head) => ['heic', 'heix', 'mif1', 'msf1'].some((brand) => isMedia(brand, head))],
  ['application/pdf', (head) => at('%PDF-', 0, head)],
  ['video/mp4', (head) => at('ftyp', 4, head)],
  ['video/webm', (head) => at('\x1a\x45\xdf\xa3', 0, head)],
]
const isMedia = (brand: string, head: Buffer) => at(`ftyp${brand}`, 4, head)

const accepted: Readonly<Record<Kind, RegExp>> = {
  document_front: /^image\/|^application\/pdf$/,
  document_back: /^image\/|^application\/pdf$/,
  face: /^image\/|^video\//,
}

/** The content type of a file, or undefined when this kind does not accept it. */
export function typeOf(kind: Kind, head: Buffer): string | undefined {
  const [type] = types.find(([, is]) => is(head)) ?? []
  return type !== undefined && accepted[kind].test(type) ? type : undefined
}
