/** The workbook in which a Word document keeps the data of a chart (D-995). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ByteRange } from '#kit/files/blobs.ts'
import { docx, EICAR, pdf, type ZipEntry, zip } from '#test/support/files.ts'
import { inspectFile } from './inspect.ts'

const MAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml'
const entry = (name: string, data: string | Buffer): ZipEntry => ({ name, data: Buffer.from(data) })

function workbook(...more: ZipEntry[]): Buffer {
  const part = `<Override PartName="/xl/workbook.xml" ContentType="${MAIN}"/>`
  const types = entry('[Content_Types].xml', `<Types>${part}</Types>`)
  return zip([types, entry('xl/workbook.xml', '<workbook/>'), ...more])
}

const holding = (data: Buffer, name = 'word/embeddings/Microsoft_Excel_Worksheet1.xlsx') =>
  docx(entry(name, data))

const inspect = (bytes: Buffer, kind: 'docx' | 'pdf' = 'docx') =>
  inspectFile(kind, {
    size: bytes.length,
    async *read({ start, end }: ByteRange) {
      yield bytes.subarray(start, end)
    },
  })

test('a document with the workbook of a chart is accepted', async () => {
  const bytes = holding(workbook())
  assert.deepEqual(await inspect(bytes), { end: bytes.length })
})

const FURTHER = /^holds further files: save it without them.*send each as a file of its own$/
const refused: [what: string, bytes: Buffer, fault: RegExp][] = [
  ['a program as its workbook', holding(Buffer.from('MZ')), /^is not a sound archive$/],
  ['a document as its workbook', holding(docx()), /^is not a Word document$/],
  ['a workbook with macros', holding(workbook(entry('xl/vbaProject.bin', 'x'))), /^holds macros$/],
  [
    'a workbook of macros by its types',
    holding(workbook(), 'word/embeddings/a.xlsm'),
    /^holds macros$/,
  ],
  [
    'a workbook in its workbook',
    holding(workbook(entry('word/embeddings/a.xlsx', workbook()))),
    FURTHER,
  ],
  ['a virus in its workbook', holding(workbook(entry('a.xml', EICAR))), /^holds a virus$/],
  [
    'a workbook that bursts',
    holding(workbook(entry('a.xml', Buffer.alloc(15_000_000)))),
    /^unpacks to far more/,
  ],
  [
    'a workbook with an archive behind it',
    holding(Buffer.concat([workbook(), zip([entry('a', 'x')])])),
    /^is not a sound archive$/,
  ],
  ['a workbook elsewhere', holding(workbook(), 'word/a.xlsx'), FURTHER],
  ['a document in it', holding(docx(), 'word/embeddings/a.docx'), FURTHER],
  [
    'too many workbooks',
    docx(...Array.from({ length: 21 }, (_, at) => entry(`word/embeddings/${at}.xlsx`, workbook()))),
    FURTHER,
  ],
]
for (const [what, bytes, fault] of refused) {
  test(`a document with ${what} is refused`, async () => {
    const outcome = await inspect(bytes)
    assert.match('fault' in outcome ? outcome.fault : 'accepted', fault)
  })
}

test('a PDF with attachments is refused with what to do', async () => {
  const outcome = await inspect(pdf('2 0 obj\n<< /Type /EmbeddedFile >>\nendobj\n'), 'pdf')
  const fault =
    'holds further files: print it to a PDF without them, and send each as a file of its own'
  assert.deepEqual(outcome, { fault })
})
