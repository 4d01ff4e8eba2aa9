import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { after, describe, test } from 'node:test'
import { bmp, doc, docx, type FormPart, form, jpeg, pdf, png } from '#test/support/files.ts'
import { openWorld } from '#test/support/world.ts'
import { hasStoredDocuments } from './identifications.ts'
import { documentTypes, type IdentificationType } from './rules/documents.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const { request } = world
const other = await world.otherTenant()

async function make(path: string, body: object): Promise<{ id: string }> {
  const answer = await request('POST', path, body)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const user = await make('/v1/users', { first_name: 'Omar' })

/** The path of the files of a new identification. */
async function filesOf(type: IdentificationType = 'ADDITIONAL', user_id = user.id) {
  const { id } = await make(`/v1/users/${user_id}/identifications`, { type })
  return `/v1/users/${user_id}/identifications/${id}/files`
}

const upload = (
  path: string,
  parts: FormPart[],
  given: { method?: string; key?: string; headers?: Record<string, string> } = {},
) => {
  const { headers, payload } = form(...parts)
  const { method = 'PUT', headers: more, ...options } = given
  return request(method, path, payload, { ...options, headers: { ...headers, ...more } })
}
const file = (value: Buffer, file_name = 'scan.pdf', content_type = 'application/pdf') => ({
  name: 'file',
  value,
  file_name,
  content_type,
})
const files = (value: Buffer, file_name = 'scan.pdf') => ({ name: 'files', value, file_name })
const text = (name: string, value: string) => ({ name, value })
const paths = (answer: { body: { errors: { path: string }[] } }) =>
  answer.body.errors.map(({ path }) => path)
const stored = () =>
  globSync('files/**/*', { cwd: world.config.data_dir, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)

const OPEN_XML = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const samples: [name: string, content_type: string, bytes: Buffer][] = [
  ['a.pdf', 'application/pdf', pdf()],
  ['a.jpg', 'image/jpeg', jpeg()],
  ['a.JPEG', 'image/jpeg', Buffer.concat([jpeg(), jpeg()])],
  ['a.png', 'image/png', png()],
  ['a.bmp', 'image/bmp', bmp()],
  ['a.doc', 'application/msword', doc()],
  ['a.docx', OPEN_XML, docx()],
]

describe('an upload', () => {
  test('200 each kind is returned as the same bytes, to view and to download', async () => {
    for (const [name, content_type, bytes] of samples) {
      const path = await filesOf()
      const made = await upload(path, [file(bytes, name, content_type)])
      assert.equal(made.status, 200, made.text)
      assert.deepEqual(
        [made.body.file_name, made.body.content_type, made.body.size, made.body.document_version],
        [name, content_type, bytes.length, 1],
      )
      assert.equal(made.body.identification_document_type, 'NOT APPLICABLE')
      for (const [verb, kind] of [
        ['browse', 'inline'],
        ['Download', 'attachment'],
      ]) {
        const { status, headers, raw } = await fetchFile(`${path}/${made.body.id}:${verb}`)
        assert.equal(status, 200)
        assert.equal(sha256(raw), sha256(bytes))
        assert.equal(headers['content-type'], content_type)
        assert.equal(headers['content-disposition'], `${kind}; filename="${name}"`)
      }
    }
  })

  test('200 parts named files answer a list; the same document type counts its versions', async () => {
    const path = await filesOf('PASSPORT')
    const page = (value: string) => text('identification_document_type', value)
    const first = await upload(path, [
      page('PASSPORT_PAGE1'),
      files(pdf()),
      page('PASSPORT_PAGE2'),
      text('file_name', 'two.png'),
      files(png(), 'x.png'),
    ])
    assert.equal(first.status, 200, first.text)
    const reported = first.body.data.map((row: { [name: string]: unknown }) => [
      row['identification_type'],
      row['identification_document_type'],
      row['document_version'],
      row['file_name'],
    ])
    assert.deepEqual(reported, [
      ['PASSPORT', 'PASSPORT_PAGE1', 1, 'scan.pdf'],
      ['PASSPORT', 'PASSPORT_PAGE2', 1, 'two.png'],
    ])
    const again = await upload(path, [file(pdf()), page('PASSPORT_PAGE1')], { method: 'POST' })
    assert.equal(again.body.document_version, 2)
    await request('DELETE', `${path}/${again.body.id}`)
    const third = await upload(path, [page('PASSPORT_PAGE1'), file(pdf())])
    assert.equal(third.body.document_version, 3)
  })

  test('200 metadata as one JSON part: an object, or an array of one for each file', async () => {
    const path = await filesOf('NATIONAL_ID')
    const id = randomUUID()
    const types = ['NATIONAL_ID_FRONT', 'NATIONAL_ID_BACK']
    const array = JSON.stringify(
      types.map((word, at) => ({
        identification_document_type: word,
        ...(at === 0 && { id, size: pdf().length, content_type: 'application/pdf' }),
      })),
    )
    const many = await upload(path, [text('metadata', array), files(pdf()), files(pdf())])
    assert.equal(many.status, 200, many.text)
    assert.equal(many.body.data[0].id, id)
    const json = JSON.stringify({ identification_document_type: types[0] })
    const part = { ...text('metadata', json), content_type: 'application/json' }
    const one = await upload(path, [file(pdf()), part])
    assert.equal(one.body.document_version, 2)
    const duplicate = await upload(path, [text('id', id), ...[file(pdf()), part]])
    assert.deepEqual([duplicate.status, duplicate.body.code], [409, 'id_taken'])
  })

  test('200 metadata as a JSON part, with or without a file name (D-129)', async () => {
    const path = await filesOf('NATIONAL_ID')
    const json = JSON.stringify({ identification_document_type: 'NATIONAL_ID_BACK' })
    const plain = text('metadata', json)
    const typed = { ...plain, content_type: 'application/json' }
    const named = { ...typed, file_name: 'metadata.json' }
    const parts = [plain, typed, named, { ...plain, file_name: 'blob' }]
    for (const [at, part] of parts.entries()) {
      for (const order of [
        [part, file(pdf())],
        [file(pdf()), part],
      ]) {
        const { status, body, text: answer } = await upload(path, order)
        assert.equal(status, 200, `${at}: ${answer}`)
        assert.equal(body.identification_document_type, 'NATIONAL_ID_BACK')
        assert.equal(body.file_name, 'scan.pdf')
        await request('DELETE', `${path}/${body.id}`)
      }
    }
    const five = Array.from({ length: 5 }, () => files(pdf()))
    assert.equal((await upload(path, [named, ...five])).status, 200)
    const other = await filesOf('NATIONAL_ID')
    const { status, body } = await upload(other, [named, ...five, files(pdf())])
    assert.deepEqual([status, body.code], [400, 'body_invalid'])
  })

  test('400 for a metadata part with a file name that is too long, no UTF-8 or no JSON', async () => {
    const path = await filesOf('NATIONAL_ID')
    for (const value of [Buffer.alloc(20_000, ' '), Buffer.from([0x22, 0xff, 0x22]), '{"a":']) {
      const part = {
        name: 'metadata',
        value,
        file_name: 'm.json',
        content_type: 'application/json',
      }
      const { status, body } = await upload(path, [part, file(pdf())])
      assert.deepEqual([status, body.code], [400, 'body_invalid'])
    }
    assert.deepEqual((await request('GET', path)).body.data, [])
  })

  test('400 each pairing that the table does not know, 200 each that it does', async () => {
    const words = [...new Set(Object.values(documentTypes).flat())]
    for (const [type, known] of Object.entries(documentTypes)) {
      const path = await filesOf(type as IdentificationType)
      for (const word of words) {
        const allowed: readonly string[] = known
        const reported = text('identification_document_type', word)
        const { status } = await upload(path, [reported, file(pdf())])
        assert.equal(status, allowed.includes(word) ? 200 : 400, `${type} with ${word}`)
      }
    }
  })

  test('400 names what is wrong with the metadata, and stores nothing', async () => {
    const path = await filesOf('PASSPORT')
    const before = stored()
    const right = text('identification_document_type', 'PASSPORT_PAGE1')
    const cases: [parts: FormPart[], fault: string][] = [
      [[file(pdf())], 'identification_document_type'],
      [[files(pdf())], 'files.0.identification_document_type'],
      [[right, text('identification_type', 'VISA'), file(pdf())], 'identification_type'],
      [[right, text('size', '7'), file(pdf())], 'size'],
      [[right, text('id', '7'), file(pdf())], 'id'],
      [[right, text('document_version', '7'), file(pdf())], 'document_version'],
      [[right, text('metadata', '{"created":1}'), file(pdf())], 'metadata.created'],
      [[right, text('metadata', '[]'), file(pdf())], 'metadata'],
      [[right, text('metadata', '3'), file(pdf())], 'metadata'],
      [[right, text('content_type', 'image/png'), file(pdf())], 'file.content_type'],
      [[right, text('file_name', 'a.png'), file(pdf())], 'file.content_type'],
      [[right, file(pdf(), 'a.gif', 'image/gif')], 'file.file_name'],
      [[right, right, file(pdf())], 'identification_document_type'],
      [[right, { ...file(pdf()), name: 'photo' }], 'photo'],
      [[right, file(pdf()), file(pdf())], 'file'],
      [[right, file(pdf()), files(pdf())], 'files'],
      [[right], 'files'],
      [[], 'files'],
      [[right, file(Buffer.alloc(0))], 'file'],
      [[right, files(pdf()), files(pdf()), text('id', randomUUID())], 'id'],
    ]
    for (const [parts, fault] of cases) {
      const answer = await upload(path, parts)
      assert.equal(answer.status, 400, `${fault}: ${answer.text}`)
      assert.ok(paths(answer).includes(fault), `${fault}: ${answer.text}`)
    }
    assert.deepEqual(stored(), before)
    assert.deepEqual((await request('GET', path)).body.data, [])
    assert.deepEqual(await loose(), [])
  })

  test('400 six files, and ten thousand parts; nothing of them stays', async () => {
    const path = await filesOf()
    const before = stored()
    const six = Array.from({ length: 6 }, () => files(pdf()))
    const many = Array.from({ length: 10_000 }, (_, at) => text(`f${at}`, 'x'))
    for (const parts of [six, many]) assert.equal((await upload(path, parts)).status, 400)
    assert.equal((await upload(path, six.slice(1))).body.data.length, 5)
    assert.equal(stored().length, before.length + 5)
  })

  test('413 a bank statement over 5 MiB, 200 one of 5 MiB exactly', async () => {
    const path = await filesOf('BANK_STATEMENT')
    const bytes = (size: number) =>
      pdf(Buffer.alloc(size - pdf(Buffer.alloc(size - 300)).length + size - 300, ' '))
    const exact = bytes(5 * 1024 * 1024)
    assert.equal(exact.length, 5 * 1024 * 1024)
    const over = await upload(path, [file(bytes(5 * 1024 * 1024 + 1))])
    assert.deepEqual([over.status, over.body.code], [413, 'too_large'])
    assert.equal((await upload(path, [file(exact)])).status, 200)
  })

  test('415 a body of another type; 400 one that is not whole', async () => {
    const path = await filesOf()
    for (const type of ['application/json', 'text/plain', undefined]) {
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await request('PUT', path, type && '{}', { headers })
      assert.deepEqual([answer.status, answer.body.code], [415, 'content_type_unsupported'])
    }
    const { headers, payload } = form(file(pdf()))
    const cut = await request('PUT', path, payload.subarray(0, payload.length / 2), { headers })
    assert.deepEqual([cut.status, cut.body.code], [400, 'body_invalid'])
    const bare = { 'content-type': 'multipart/form-data' }
    assert.equal((await request('PUT', path, payload, { headers: bare })).status, 400)
    assert.deepEqual(await loose(), [])
  })

  test('409 the eleventh file, exactly under twenty uploads at once', async () => {
    const path = await filesOf()
    const before = stored().length
    const answers = await Promise.all(Array.from({ length: 20 }, () => upload(path, [file(pdf())])))
    const made = answers.filter(({ status }) => status === 200)
    assert.equal(made.length, 10)
    assert.deepEqual(
      made.map(({ body }) => body.document_version).sort((one, two) => one - two),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    )
    for (const { status, body } of answers) {
      if (status !== 200)
        assert.deepEqual([status, body.code], [409, 'file_limit_reached'], JSON.stringify(body))
    }
    assert.equal(stored().length, before + 10)
    await request('DELETE', `${path}/${made[0]?.body.id}`)
    assert.equal((await upload(path, [files(pdf()), files(pdf())])).status, 409)
    assert.equal((await upload(path, [file(pdf())])).status, 200)
  })

  test('404 where identification, user and tenant do not belong together', async () => {
    const path = await filesOf()
    const neighbour = await make('/v1/users', { first_name: 'N' })
    const foreign = path.replace(user.id, neighbour.id)
    assert.equal((await upload(foreign, [file(pdf())])).status, 404)
    assert.equal((await upload(path, [file(pdf())], { key: other.api_key })).status, 404)
    const absent = `/v1/users/${user.id}/identifications/${randomUUID()}/files`
    assert.equal((await upload(absent, [file(pdf())])).status, 404)
  })

  test('a suspended user may upload further documents, a TERMINATED one may not', async () => {
    const { id } = await make('/v1/users', { first_name: 'S' })
    const path = await filesOf('ADDITIONAL', id)
    const move = (status: string, status_reason_code: string) =>
      request('PUT', `/v1/users/${id}:changeStatus`, { status, status_reason_code })
    await move('SUSPENDED', 'S0')
    const made = await upload(path, [file(pdf())])
    assert.equal(made.status, 200)
    await move('TERMINATED', 'T0')
    const late = await upload(path, [file(pdf())])
    assert.deepEqual([late.status, late.body.code], [409, 'user_terminated'])
    const locked = await request('DELETE', `${path}/${made.body.id}`)
    assert.deepEqual([locked.status, locked.body.code], [409, 'user_terminated'])
  })

  test('one effect per idempotency key, which counts for the content of the file', async () => {
    const path = await filesOf()
    const key = { method: 'POST', headers: { 'x-bezant-idempotency-key': 'upload-1' } }
    const send = (bytes: Buffer) => upload(path, [file(bytes)], key)
    const [first, again, another] = [await send(pdf()), await send(pdf()), await send(pdf('x'))]
    assert.equal(first.text, again.text)
    assert.equal(again.headers['idempotent-replayed'], 'true')
    assert.deepEqual([another.status, another.body.code], [409, 'idempotency_key_reused'])
    assert.equal((await request('GET', path)).body.data.length, 1)
    assert.deepEqual(await loose(), [])
  })

  test('an upload makes a type stay, and documents stored', async () => {
    const { id } = await make('/v1/users', { first_name: 'T' })
    const ctx = await world.ctx()
    const path = await filesOf('VISA', id)
    assert.equal(await hasStoredDocuments(ctx, id), false)
    await upload(path, [file(pdf())])
    assert.equal(await hasStoredDocuments(ctx, id), true)
    const changed = await request('PUT', path.replace(/\/files$/, ''), { type: 'PASSPORT' })
    assert.deepEqual([changed.status, changed.body.code], [409, 'identification_has_files'])
  })
})

describe('a stored file', () => {
  test('is served so that a browser does not interpret it as another type', async () => {
    const path = await filesOf()
    const name = 'Über "x"; y.pdf'
    const { body } = await upload(path, [text('file_name', name), file(pdf())])
    const { headers } = await fetchFile(`${path}/${body.id}:browse`)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*sandbox/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(
      headers['content-disposition'],
      `inline; filename="_ber _x__ y.pdf"; filename*=UTF-8''%C3%9Cber%20%22x%22%3B%20y.pdf`,
    )
  })

  test('206 ranges, also across the chunks in which it is sealed; 416 behind its end', async () => {
    const path = await filesOf()
    const bytes = pdf(Buffer.alloc(200_000, 'range '))
    const { body } = await upload(path, [file(bytes)])
    const url = `${path}/${body.id}:download`
    const cases: [range: string, start: number, end: number][] = [
      ['bytes=0-0', 0, 1],
      ['bytes=65530-65545', 65_530, 65_546],
      ['bytes=65536-131071', 65_536, 131_072],
      ['bytes=190000-', 190_000, bytes.length],
      ['bytes=-100', bytes.length - 100, bytes.length],
      [`bytes=5-${bytes.length + 5}`, 5, bytes.length],
    ]
    for (const [range, start, end] of cases) {
      const { status, headers, raw } = await fetchFile(url, { range })
      assert.equal(status, 206, range)
      assert.equal(headers['content-range'], `bytes ${start}-${end - 1}/${bytes.length}`)
      assert.equal(sha256(raw), sha256(bytes.subarray(start, end)), range)
    }
    for (const range of ['bytes=5-1', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=-']) {
      assert.equal((await fetchFile(url, { range })).status, 200, range)
    }
    assert.equal((await fetchFile(url, { range: 'bytes=0-1', 'if-range': '"old"' })).status, 200)
    for (const at of [url, `${path}/${body.id}:browse`]) {
      const some = await request('GET', at, undefined, { headers: { range: 'bytes=0-7' } })
      assert.deepEqual([some.status, some.text], [206, '%PDF-1.7'])
    }
    for (const at of [url, `${path}/${body.id}:browse`]) {
      const headers = { range: `bytes=${bytes.length}-` }
      const beyond = await request('GET', at, undefined, { headers })
      assert.deepEqual([beyond.status, beyond.body.code], [416, 'range_not_satisfiable'])
      assert.equal(beyond.headers['content-range'], `bytes */${bytes.length}`)
    }
  })

  test('deleted, it is gone with its bytes', async () => {
    const path = await filesOf()
    const { body } = await upload(path, [file(pdf('gone'))])
    const url = `${path}/${body.id}`
    const before = stored().length
    const deleted = await request('DELETE', url)
    assert.deepEqual(deleted.body, { id: body.id, deleted: true })
    for (const gone of [url, `${url}:browse`, `${url}:download`]) {
      assert.equal((await request('GET', gone)).status, 404)
    }
    assert.equal((await request('DELETE', url)).status, 404)
    assert.equal(stored().length, before - 1)
  })

  test('404 under another identification, user or tenant', async () => {
    const [path, beside] = [await filesOf(), await filesOf()]
    const { body } = await upload(path, [file(pdf())])
    for (const verb of ['', ':browse', ':download']) {
      assert.equal((await request('GET', `${beside}/${body.id}${verb}`)).status, 404)
      const foreign = { key: other.api_key }
      const answer = await request('GET', `${path}/${body.id}${verb}`, undefined, foreign)
      assert.equal(answer.status, 404)
    }
    assert.equal((await request('DELETE', `${beside}/${body.id}`)).status, 404)
    assert.equal((await request('GET', beside, undefined, { key: other.api_key })).status, 404)
  })

  test('200 the list of files is newest first, in pages', async () => {
    const path = await filesOf()
    const made: string[] = []
    for (let at = 0; at < 3; at++) made.unshift((await upload(path, [file(pdf())])).body.id)
    const first = (await request('GET', `${path}?limit=2`)).body
    const second = (await request('GET', `${path}?limit=2&after=${first.after}`)).body
    const ids = [...first.data, ...second.data].map((row: { id: string }) => row.id)
    assert.deepEqual(ids, made)
  })

  test('is stored encrypted: neither its bytes nor its name are in the store', async () => {
    const path = await filesOf()
    await upload(path, [file(pdf('canary-in-a-file'), 'canary-name.pdf')])
    const { readFileSync } = await import('node:fs')
    const all = globSync('files/**/*', { cwd: world.config.data_dir, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(`${entry.parentPath}/${entry.name}`).toString('latin1'))
    assert.ok(all.length > 0 && all.every((bytes) => !bytes.includes('canary')))
    assert.ok(stored().every((name) => !name.includes('canary')))
  })
})

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

async function fetchFile(url: string, headers: Record<string, string> = {}) {
  const { statusCode, rawPayload, ...rest } = await world.app.inject({
    url,
    headers: { apikey: world.tenant.api_key, ...headers },
  })
  return { status: statusCode, raw: rawPayload, headers: rest.headers }
}

async function loose(): Promise<string[]> {
  const rows = await world.db.selectFrom('loose_blobs').select('blob_key').execute()
  return rows.map(({ blob_key }) => blob_key)
}
