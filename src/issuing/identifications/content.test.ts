/** The permitted content of a file (D-219): a sample of each kind of content, through the route. */

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { after, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import {
  bmp,
  compound,
  doc,
  docx,
  docxEntries,
  EICAR,
  form,
  jpeg,
  pdf,
  png,
  wordStream,
  type ZipEntry,
  zip,
} from '#test/support/files.ts'
import { growthOfHeap } from '#test/support/inspection/heap.ts'
import { until } from '#test/support/services/receiver.ts'
import { box, film, samsung } from '#test/support/uploads/trailers.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { request } = world

const user = (await request('POST', '/v1/users', { first_name: 'Omar' })).body
const documents = `/v1/users/${user.id}/identifications`

async function newFiles(): Promise<string> {
  const { body } = await request('POST', documents, { type: 'ADDITIONAL' })
  return `${documents}/${body.id}/files`
}
const shared = await newFiles()

const types: Record<string, string> = {
  pdf: 'application/pdf',
  jpg: 'image/jpeg',
  png: 'image/png',
  bmp: 'image/bmp',
  doc: 'application/msword',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
}

function send(path: string, name: string, bytes: Buffer, content_type?: string) {
  const extension = name.split('.').at(-1) ?? ''
  const type = content_type ?? types[extension.toLowerCase()] ?? 'application/octet-stream'
  const { headers, payload } = form({
    name: 'file',
    value: bytes,
    file_name: name,
    content_type: type,
  })
  return request('PUT', path, payload, { headers })
}

const join = (...parts: (Buffer | string)[]) =>
  Buffer.concat(parts.map((part) => Buffer.from(part)))
const entry = (name: string, data: string | Buffer = 'x', more: Partial<ZipEntry> = {}) => ({
  name,
  data: Buffer.from(data),
  ...more,
})
const SCRIPT = '<script>alert(1)</script>'
const HTML = `<!DOCTYPE html><html><body>${SCRIPT}</body></html>`
const SVG = `<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">${SCRIPT}</svg>`
const EXE = join('MZ', Buffer.alloc(6000, 0x90))
const ELF = join(Buffer.from('7f454c46020101', 'hex'), Buffer.alloc(6000))
const archive = zip([entry('a.txt')])
const ACTION = '<< /S /JavaScript /JS (app.alert(1)) >>'
const packed = (objects: string) => {
  const bytes = deflateSync(`1 0 ${objects}`)
  const head = `9 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter /FlateDecode /Length ${bytes.length} >>`
  return join(`${head}\nstream\n`, bytes, '\nendstream\nendobj\n')
}
const inStream = (text: string) =>
  `2 0 obj\n<< /Length ${text.length} >>\nstream\n${text}\nendstream\nendobj\n`
const renamed = docxEntries().map(({ name, data }) => ({
  name: name.replace('word/document.xml', 'word/document2.xml'),
  data: Buffer.from(data.toString().replace('/word/document.xml', '/word/document2.xml')),
}))
const old = wordStream()
old.writeUInt16LE(0xa5dc)
const bmpWithoutSize = bmp()
bmpWithoutSize.writeUInt32LE(0, 2)
const bomb = docx(entry('word/media/bomb.xml', Buffer.alloc(64 * 1024 * 1024)))
const liar = docx(entry('word/a.xml', Buffer.alloc(20_000_000), { unpacked: 1000 }))
const many = zip([
  ...docxEntries(),
  ...Array.from({ length: 1100 }, (_, at) => entry(`word/${at}.xml`, '')),
])
const crowded = zip([
  ...docxEntries(),
  ...Array.from({ length: 65_000 }, (_, at) => entry(`word/${at}.xml`, '', { stored: true })),
])
const macro = 'application/vnd.ms-word.document.macroEnabled.main+xml'

const rejected: [what: string, name: string, bytes: Buffer, content_type?: string][] = [
  ['an extension that is not accepted', 'a.gif', Buffer.from('GIF89a')],
  ['no extension', 'passport', pdf()],
  ['a program behind a document’s extension', 'a.pdf.exe', EXE],
  ['a program’s extension before the last', 'a.exe.pdf', pdf()],
  ['a script’s extension before the last', 'a.php.jpg', jpeg()],
  ['an extension alone', '.pdf', pdf()],
  ['a name whose direction turns', 'a\u202efdp.pdf', pdf()],
  ['a name with a null byte', 'a\0.pdf', pdf()],
  ['a name with a control character', 'a\x07.pdf', pdf()],
  ['a name that is too long', `${'a'.repeat(300)}.pdf`, pdf()],
  ['a declared type that is another', 'a.pdf', pdf(), 'image/png'],
  ['a declared type that is not accepted', 'a.pdf', pdf(), 'text/html'],
  ['a PNG as PDF', 'a.pdf', png()],
  ['a PDF as PNG', 'a.png', pdf()],
  ['a PDF as DOC', 'a.doc', pdf()],
  ['a JPEG as BMP', 'a.bmp', jpeg()],
  ['a program as PDF', 'a.pdf', EXE],
  ['a program as JPEG', 'a.jpg', EXE],
  ['a program as DOC', 'a.doc', EXE],
  ['an ELF program as PNG', 'a.png', ELF],
  ['HTML as PDF', 'a.pdf', Buffer.from(HTML)],
  ['HTML as JPEG', 'a.jpg', Buffer.from(HTML)],
  ['HTML as DOC', 'a.doc', Buffer.from(HTML)],
  ['SVG as PNG', 'a.png', Buffer.from(SVG)],
  ['a shell script as PDF', 'a.pdf', Buffer.from('#!/bin/sh\nrm -rf /\n')],
  ['a PDF that begins behind a word', 'a.pdf', join('x', pdf())],
  ['a PDF with a page before its objects', 'a.pdf', pdf(HTML)],
  ['a PDF with a page behind its end', 'a.pdf', join(pdf(), HTML)],
  ['a PDF with an archive behind its end', 'a.pdf', join(pdf(), archive)],
  ['an archive whose comment ends like a PDF', 'a.pdf', join(pdf(archive))],
  ['a PDF without an end', 'a.pdf', pdf().subarray(0, 60)],
  ['an encrypted PDF', 'a.pdf', pdf('', '/Encrypt 5 0 R')],
  [
    'a PDF with a script in an object behind an open text',
    'a.pdf',
    pdf(`2 0 obj\n(open\nendobj\n3 0 obj\n${ACTION}\nendobj\n`),
  ],
  [
    'a PDF with a script in an object in a stream',
    'a.pdf',
    pdf(`2 0 obj\n<< >>\nstream\n3 0 obj\n${ACTION}\nendobj\n`),
  ],
  ['a PDF with a script in an object in a comment', 'a.pdf', pdf(`% 3 0 obj\n${ACTION}\nendobj\n`)],
  ['a PDF with a script in packed objects', 'a.pdf', pdf(packed(ACTION))],
  ['a PDF with a page behind its end and an end mark', 'a.pdf', join(pdf(), HTML, '%%EOF')],
  ['a PDF with a page in a comment', 'a.pdf', pdf(`%${HTML}\n`)],
  ['an encrypted PDF that spells it otherwise', 'a.pdf', pdf('', '/Encr#79pt 5 0 R')],
  ['a PDF with a script', 'a.pdf', pdf('<< /S /JavaScript /JS (app.alert(1)) >>')],
  ['a PDF that starts a program', 'a.pdf', pdf('<< /S /Launch /F (cmd.exe) >>')],
  ['a PDF with files in it', 'a.pdf', pdf('<< /Type /EmbeddedFile >>')],
  ['a PNG with a script behind its end', 'a.png', join(png(), SCRIPT)],
  ['a PNG with a byte behind its end', 'a.png', join(png(), '\x01')],
  ['a PNG with an archive behind its padding', 'a.png', join(png(), '\0', archive)],
  ['a PNG with a page in its comment', 'a.png', png({ filler: Buffer.from(HTML) })],
  ['a PNG without an end', 'a.png', png().subarray(0, -12)],
  ['a PNG of 60,000 by 60,000 pixels', 'a.png', png({ width: 60_000, height: 60_000 })],
  ['a PNG of no pixels', 'a.png', png({ width: 0 })],
  ['a JPEG with an archive behind its end', 'a.jpg', join(jpeg(), archive)],
  ['a JPEG with a program behind its end', 'a.jpg', join(jpeg(), EXE)],
  [
    'a JPEG with a program behind the head of a film',
    'a.jpg',
    join(jpeg(), box('ftyp', 'mp42'), EXE),
  ],
  ['a JPEG with the virus test file in its film', 'a.jpg', join(jpeg(), film(EICAR.toString()))],
  ['a JPEG with a page in its comment', 'a.jpg', jpeg({ comment: HTML })],
  ['a JPEG without an end', 'a.jpg', jpeg().subarray(0, -2)],
  ['a JPEG of 65,500 pixels on a side', 'a.jpg', jpeg({ width: 65_500, height: 65_500 })],
  ['a GIF that is an archive, as JPEG', 'a.jpg', join('GIF89a', archive)],
  ['a BMP of 60,000 by 60,000 pixels', 'a.bmp', bmp({ width: 60_000, height: 60_000 })],
  ['a BMP with a script behind its end', 'a.bmp', join(bmp(), SCRIPT)],
  ['a BMP that is cut short', 'a.bmp', bmp().subarray(0, -4)],
  ['an XLS as DOC', 'a.doc', compound([{ name: 'Workbook', data: wordStream() }])],
  ['an XLS with a Word stream', 'a.doc', doc({ name: 'Workbook' })],
  ['an MSI as DOC', 'a.doc', compound([{ name: '\u4840\u3b3f\u43f2' }])],
  ['a compound file of nothing', 'a.doc', compound([])],
  ['a DOC with macros', 'a.doc', doc({ name: 'Macros', type: 1 })],
  [
    'an encrypted DOC',
    'a.doc',
    compound([{ name: 'WordDocument', data: wordStream({ flags: 0x0100 }) }]),
  ],
  ['a DOC with an archive behind its end', 'a.doc', join(doc(), archive)],
  ['an encrypted DOCX', 'a.docx', compound([{ name: 'EncryptedPackage' }])],
  ['a DOC that is cut short', 'a.doc', doc().subarray(0, 1500)],
  ['an archive as DOCX', 'a.docx', archive],
  ['a DOCM as DOCX', 'a.docx', zip(docxEntries(macro))],
  ['a DOCX with macros', 'a.docx', docx(entry('word/vbaProject.bin'))],
  ['a DOCX of 65 kB that unpacks to 64 MiB', 'a.docx', bomb],
  ['a DOCX that unpacks to more than its stated size', 'a.docx', liar],
  ['a DOCX in a DOCX', 'a.docx', docx(entry('word/embeddings/a.docx', docx()))],
  ['a DOCX with an archive in it', 'a.docx', docx(entry('word/a.zip', archive))],
  ['a DOCX of too many entries', 'a.docx', many],
  ['a DOCX of 65,000 entries', 'a.docx', crowded],
  [
    'a DOCX with a link',
    'a.docx',
    docx(entry('word/l', '/etc/passwd', { attributes: 0xa1ff0000 })),
  ],
  ['a DOCX that leads out of itself', 'a.docx', docx(entry('word/../../a'))],
  ['a DOCX with an absolute name', 'a.docx', docx(entry('/etc/passwd'))],
  ['a DOCX with a name of Windows', 'a.docx', docx(entry('word\\a'))],
  ['a DOCX with one name twice', 'a.docx', docx(entry('word/document.xml'))],
  ['a DOCX with an encrypted entry', 'a.docx', docx(entry('word/a.xml', 'x', { flags: 1 }))],
  ['a DOCX with a page behind its end', 'a.docx', join(docx(), HTML)],
  ['a DOCX with an archive behind its end', 'a.docx', join(docx(), '\n', archive)],
  ['a DOCX that is cut short', 'a.docx', docx().subarray(0, -30)],
  ['the virus test file in a PDF', 'a.pdf', pdf(EICAR)],
  ['the virus test file behind a PNG', 'a.png', png({ filler: EICAR })],
  ['the virus test file in a JPEG', 'a.jpg', jpeg({ comment: EICAR.toString() })],
  ['the virus test file in a BMP', 'a.bmp', join(bmp(), EICAR)],
  ['the virus test file in a DOC', 'a.doc', join(doc(), EICAR)],
  ['the virus test file packed in a DOCX', 'a.docx', docx(entry('word/a.xml', EICAR))],
  ['the virus test file alone', 'a.pdf', EICAR],
]

const MEMORY_GROWTH_MAX = 64 * 1024 * 1024
const grown = growthOfHeap()
let longest = 0

for (const [what, name, bytes, content_type] of rejected) {
  test(`rejected: ${what}`, async () => {
    const begun = performance.now()
    const answer = await send(shared, name, bytes, content_type)
    const milliseconds = performance.now() - begun
    assert.equal(answer.status, 400, answer.text)
    longest = Math.max(longest, milliseconds)
  })
}

test('a rejected file leaves nothing, neither stored nor in memory', async (t) => {
  t.diagnostic(`the longest took ${longest.toFixed(0)} ms`)
  const bytes = grown()
  assert.ok(bytes < MEMORY_GROWTH_MAX, `${bytes} bytes more than before`)
  assert.deepEqual((await request('GET', shared)).body.data, [])
  assert.deepEqual(await world.db.selectFrom('loose_blobs').select('blob_key').execute(), [])
  const left = globSync('files/**/*', { cwd: world.config.data_dir, withFileTypes: true })
  assert.deepEqual(
    left.filter((found) => found.isFile()).map((found) => found.name),
    [],
  )
})

const accepted: [what: string, name: string, bytes: Buffer, content_type?: string][] = [
  ['a JPEG with a second picture behind the first', 'a.jpg', join(jpeg(), jpeg())],
  ['a picture without a declared type', 'a.bmp', bmp(), 'application/octet-stream'],
  ['a type by its old name', 'a.jpeg', jpeg(), 'image/pjpeg; q=1'],
  ['a PDF whose end is followed by line ends', 'a.pdf', join(pdf(), '\r\n\r\n')],
  ['dots and letters of any script in a name', 'عقد.v1.2.pdf', pdf()],
  ['a PDF with a script tag in its text', 'a.pdf', pdf(inStream('BT (<script src="x"> is a tag) Tj ET'))],
  ['a PDF with a script in its title', 'a.pdf', pdf('2 0 obj\n<< /Title (On /JavaScript \\( and <html >) >>\nendobj\n')],
  ['a PDF whose packed objects do nothing', 'a.pdf', pdf(packed('<< /Title (/JavaScript) >>'))],
  ['a PDF with a line before it', 'a.pdf', join('\r\n', pdf())],
  ['a PDF with a byte-order mark', 'a.pdf', join(Buffer.of(0xef, 0xbb, 0xbf), pdf())],
  ['a DOC whose names are in upper case', 'a.doc', compound([{ name: 'WORDDOCUMENT', data: wordStream() }])],
  ['a DOC of Word 95', 'a.doc', compound([{ name: 'WordDocument', data: old }])],
  ['a BMP that states no size', 'a.bmp', bmpWithoutSize],
  ['a DOC whose theme is an archive', 'a.doc', doc({ name: 'Theme', data: archive })],
  ['a DOCX whose main part has another name', 'a.docx', zip(renamed)],
  ['a DOC whose text contains marks of pages', 'a.doc', doc({ name: 'Data', data: Buffer.from(HTML) })],
  ['a DOCX with a picture that is not packed', 'a.docx', docx(entry('word/media/a.png', png(), { stored: true }))],
  ['a DOCX that packs well', 'a.docx', docx(entry('word/a.xml', Buffer.alloc(900_000, 'ab')))],
] // biome-ignore format: a row is a case.

for (const [what, name, bytes, content_type] of accepted) {
  test(`accepted: ${what}`, async () => {
    const answer = await send(await newFiles(), name, bytes, content_type)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.file_name, name)
  })
}

const line = Buffer.from('\r\n')
const cut: [what: string, name: string, whole: Buffer, behind: Buffer][] = [
  ['a byte behind a PNG', 'a.png', png(), Buffer.of(0)],
  ['a byte behind a JPEG', 'a.jpg', jpeg(), Buffer.of(0xff)],
  ['a line end behind a BMP', 'a.bmp', bmp(), line],
  ['a megabyte of zeros behind a JPEG', 'a.jpg', jpeg(), Buffer.alloc(1_000_000)],
  ['the trailer of a Samsung phone', 'a.jpg', jpeg(), samsung(film('a film').toString('latin1'))],
  ['the trailer of a screenshot', 'a.png', png(), samsung('UTC')],
  ['the film of a motion photo', 'a.jpg', jpeg(), film('a film')],
  ['a film behind a second picture', 'a.jpg', join(jpeg(), jpeg()), join('\0\0', film('a film'))],
  ['a trailer with an archive in it', 'a.jpg', jpeg(), samsung(archive.toString('latin1'))],
  ['a line end behind a DOCX', 'a.docx', docx(), line],
  ['zeros behind a DOCX', 'a.docx', docx(), Buffer.alloc(512)],
  ['zeros behind a PDF', 'a.pdf', pdf(), Buffer.alloc(512)],
  ['blanks and lines behind a PDF', 'a.pdf', pdf(), Buffer.from(' \n'.repeat(5000))],
] // biome-ignore format: a row is a case.

for (const [what, name, whole, behind] of cut) {
  test(`cut when it is stored: ${what}`, async () => {
    const path = await newFiles()
    const answer = await send(path, name, join(whole, behind))
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.size, whole.length)
    const { rawPayload } = await world.app.inject({
      url: `${path}/${answer.body.id}:download`,
      headers: { apikey: world.tenant.api_key },
    })
    assert.ok(rawPayload.equals(whole))
    await until('the bytes as they came are gone', async () => {
      const loose = await world.db.selectFrom('loose_blobs').select('blob_key').execute()
      return loose.length === 0
    })
  })
}

test('the size that a client states is that of what it sends', async () => {
  const path = await newFiles()
  const value = join(png(), '\0')
  const { headers, payload } = form(
    { name: 'size', value: String(value.length) },
    { name: 'file', value, file_name: 'a.png' },
  )
  const answer = await request('PUT', path, payload, { headers })
  assert.deepEqual([answer.status, answer.body.size], [200, png().length])
})

test('a name with folders is accepted without them', async () => {
  const answer = await send(await newFiles(), '../../etc/passport.pdf', pdf())
  assert.deepEqual([answer.status, answer.body.file_name], [200, 'passport.pdf'])
})
