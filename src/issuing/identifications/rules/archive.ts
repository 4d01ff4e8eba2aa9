/**
 * DOCX as an archive (ZIP): rejected where it could contain more than its directory lists. Entries
 * follow each other with nothing between, before or behind them (D-370).
 */

import type { LocalFileHeader, Entry as ZipRecord } from 'yauzl'
import type { Span } from './spans.ts'

export const ENTRIES_MAX = 1000
export const DIRECTORY_BYTES_MAX = 1024 * 1024
export const END_BYTES = 22
const RECORD_BYTES = 46
const NAME_BYTES_MAX = 500
/** Text packs 20 to 1, at times 50 to 1; content that packs better is meant to burst. */
const RATIO_MAX = 100
const UNPACKED_ALWAYS = 1024 * 1024
const UNPACKED_MAX = { document: 512 * 1024 * 1024, workbook: 16 * 1024 * 1024 }
const [STORED, DEFLATED] = [0, 8]
const [ENCRYPTED, DESCRIPTOR] = [0x1, 0x8]
/** With or without a signature, with sizes of four or eight bytes. */
const DESCRIPTOR_BYTES = [12, 16, 20, 24]

export type Entry = {
  name: string
  deflated: boolean
  crc: number
  /** Position of its packed bytes. */
  data: Span
  unpacked: number
}

export type Listed = { name: string; record: ZipRecord }

const NOT_DOCX = { fault: 'is not a Word document' }
export const NOT_SOUND = { fault: 'is not a sound archive' }
export const TOO_MANY = { fault: `holds more than ${ENTRIES_MAX} entries` }
const BURSTS = { fault: 'unpacks to far more than it should' }

/** The length of a record of the directory. */
export const lengthOf = ({ fileNameLength, extraFieldLength, fileCommentLength }: ZipRecord) =>
  RECORD_BYTES + fileNameLength + extraFieldLength + fileCommentLength

/**
 * Whether the last bytes of a file of this size state the directory that was read: another reader
 * may go by any of these fields, or by a second directory that ZIP64 names.
 */
export function isEndOf(directory: Span, count: number, end: Buffer, size: number): boolean {
  const isEnd = end.readUInt32LE(0) === 0x06054b50 && end.readUInt16LE(20) === 0
  const counts = [end.readUInt16LE(8), end.readUInt16LE(10)]
  return (
    isEnd &&
    counts.every((stated) => stated === count) &&
    end.readUInt32LE(12) === directory.length &&
    end.readUInt32LE(16) === directory.at &&
    directory.at + directory.length === size - END_BYTES
  )
}

/** The entries in the order of their position; undefined when one of them is not sound. */
export function listedIn(records: readonly ZipRecord[]): Listed[] | undefined {
  const listed = records.map((record) => ({ name: record.fileNameRaw.toString(), record }))
  if (!listed.every(isSound)) return undefined
  return listed.sort((one, other) => positionOf(one) - positionOf(other))
}

export const positionOf = ({ record }: Listed) => record.relativeOffsetOfLocalHeader

function isSound({ name, record }: Listed): boolean {
  const { fileNameRaw, versionMadeBy, externalFileAttributes } = record
  const isUnix = versionMadeBy >>> 8 === 3
  const isLink = isUnix && ((externalFileAttributes >>> 16) & 0xf000) === 0xa000
  const isKnown = [STORED, DEFLATED].includes(record.compressionMethod)
  const isEncrypted = (record.generalPurposeBitFlag & ENCRYPTED) !== 0
  const isNamed = fileNameRaw.length > 0 && fileNameRaw.length <= NAME_BYTES_MAX
  return isKnown && !isLink && !isEncrypted && isNamed && Buffer.from(name).equals(fileNameRaw)
}

const ESCAPING = /(^|[/\\])\.\.?([/\\]|$)|^[/\\]|^[a-z]:|[\\\p{Cc}]/iu
/** Each is held against one word of a path, so that no text of slashes is tried from each of them. */
const MACROS = { file: /^vba\w*\.(bin|xml)$|\.(bas|dotm|docm|xlsm|xlsb)$/, folder: 'activex' }
const NESTED = {
  file: /\.(zip|jar|docx|xlsx|pptx|7z|rar|gz|exe|dll|js|vbs|html?)$/,
  folder: 'embeddings',
}

/** The data of a chart, which Word keeps as a workbook: inspected as the document is (D-995). */
const WORKBOOK = /^word\/embeddings\/[^/]+\.xlsx$/
const WORKBOOKS_MAX = 20
export const WORKBOOK_BYTES_MAX = 8 * 1024 * 1024
export const isWorkbook = ({ name }: Pick<Entry, 'name'>) => WORKBOOK.test(name.toLowerCase())

const FURTHER_FILES = {
  fault:
    'holds further files: save it without them, or as a PDF, and send each as a file of its own',
}

function isOf({ file, folder }: typeof MACROS, { name }: Listed): boolean {
  const folders = name.toLowerCase().split('/')
  return file.test(folders.pop() ?? '') || folders.includes(folder)
}

export type Form = 'document' | 'workbook'

export function faultOfList(
  listed: readonly Listed[],
  size: number,
  form: Form,
): { fault: string } | undefined {
  const names = new Set(listed.map(({ name }) => name.toLowerCase()))
  if (names.size !== listed.length) return NOT_SOUND
  if (listed.some(({ name }) => ESCAPING.test(name))) {
    return { fault: 'holds an entry that leads out of it' }
  }
  if (!names.has('[content_types].xml')) return NOT_DOCX
  if (listed.some((each) => isOf(MACROS, each))) return { fault: 'holds macros' }
  const nested = listed.filter((each) => isOf(NESTED, each))
  const workbooks = nested.filter((each) => form === 'document' && isWorkbook(each))
  if (nested.length > workbooks.length || nested.length > WORKBOOKS_MAX) return FURTHER_FILES
  const unpacked = listed.reduce((sum, { record }) => sum + record.uncompressedSize, 0)
  const allowed = Math.min(UNPACKED_MAX[form], UNPACKED_ALWAYS + RATIO_MAX * size)
  return unpacked > allowed ? BURSTS : undefined
}

/**
 * The entry whose header in front of its bytes is `local`; undefined where that has another name,
 * or where the entry does not fill the place from its position to `behind`.
 */
export function entryOf(
  { name, record }: Listed,
  local: LocalFileHeader,
  behind: number,
): Entry | undefined {
  const data = { at: local.fileDataStart, length: record.compressedSize }
  const gap = behind - data.at - data.length
  const hasDescriptor = (record.generalPurposeBitFlag & DESCRIPTOR) !== 0
  const isFilled = gap === 0 || (hasDescriptor && DESCRIPTOR_BYTES.includes(gap))
  if (!isFilled || !local.fileName.equals(record.fileNameRaw)) return undefined
  const deflated = record.compressionMethod === DEFLATED
  return { name, deflated, crc: record.crc32, unpacked: record.uncompressedSize, data }
}

const forms = {
  document: { main: 'wordprocessingml.document.main+xml', part: 'word/document.xml' },
  workbook: { main: 'spreadsheetml.sheet.main+xml', part: 'xl/workbook.xml' },
} as const

/** The list of an archive's content types, which names its main part, of these entries. */
export function faultOfContentTypes(
  text: string,
  names: ReadonlySet<string>,
  form: Form,
): string | undefined {
  const { main, part: usual } = forms[form]
  if (/macroEnabled|macrosheet|vbaProject|activeX/i.test(text)) return 'holds macros'
  if (!text.includes(main)) return NOT_DOCX.fault
  // Word in a browser names it otherwise, as /word/document2.xml.
  const parts = text
    .split('<Override')
    .map((part) => part.split('>', 1)[0] ?? '')
    .filter((part) => part.includes(main))
    .map((part) => /PartName=["']\/?([^"']*)["']/.exec(part)?.[1]?.toLowerCase() ?? '')
  const hasMain = [usual, ...parts].some((name) => names.has(name))
  return hasMain ? undefined : NOT_DOCX.fault
}
