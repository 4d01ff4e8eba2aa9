/** Uploads by HTTP/2 (D-551): the promises of uploads.test.ts for sockets, kept for streams. */

import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { form, pdf } from '#test/support/files.ts'
import { certificatePath } from '#test/support/services/certificates.ts'
import { connectHttp2, type Http2Client, statusOf } from '#test/support/services/http2.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'

const TLS = { TLS_CERT: certificatePath('server.pem'), TLS_KEY: certificatePath('server.key') }
const MIB = 1024 * 1024

let world: World
let port: number
let client: Http2Client
before(async () => {
  world = await openWorld({ env: TLS })
  const base = new URL(await world.app.listen({ host: '127.0.0.1', port: 0 }))
  port = Number(base.port)
})
after(() => world[Symbol.asyncDispose]())

async function filesOf(type = 'ADDITIONAL'): Promise<string> {
  const user = await world.request('POST', '/v1/users', { first_name: 'Omar' })
  const documents = `/v1/users/${user.body.id}/identifications`
  return `${documents}/${(await world.request('POST', documents, { type })).body.id}/files`
}

const looseBlobs = async (): Promise<number> =>
  (await world.db.selectFrom('loose_blobs').select('blob_key').execute()).length

const begin = (path: string, headers: object) =>
  client.begin({ ':method': 'PUT', ':path': path, apikey: world.tenant.api_key, ...headers })

const document = (value: Buffer) => form({ name: 'file', value, file_name: 'a.pdf' })

describe('an upload by HTTP/2', () => {
  // The server closes a connection without requests: it is opened when it is needed.
  beforeEach(async () => {
    client = await connectHttp2(port)
  })
  afterEach(() => client.session.destroy())

  test('of 10 MiB is stored and downloaded again', async () => {
    const path = await filesOf()
    const value = pdf(Buffer.alloc(10 * MIB, 'x'))
    const { headers, payload } = document(value)
    const { stream, answer } = begin(path, headers)
    stream.end(payload)
    const { status, text } = await answer
    assert.equal(status, 200, text)
    const [file] = (await world.request('GET', path)).body.data
    const got = await client.ask({
      ':path': `${path}/${file.id}:download`,
      apikey: world.tenant.api_key,
    })
    assert.equal(got.status, 200, got.text)
    assert.equal(got.headers['content-length'], String(value.length))
    assert.equal(Buffer.from(got.text).length, value.length)
  })

  test('that breaks off half-way leaves nothing behind', async () => {
    const path = await filesOf()
    const { headers, payload } = document(pdf(Buffer.alloc(400_000, 'x')))
    const { stream } = begin(path, headers)
    stream.write(payload.subarray(0, payload.length / 2))
    await until('bytes come', async () => (await looseBlobs()) === 1)
    stream.destroy()
    await until('they are gone', async () => (await looseBlobs()) === 0)
    assert.deepEqual((await world.request('GET', path)).body.data, [])
  })

  test('that is rejected is answered before the rest has arrived', async () => {
    const path = await filesOf()
    const { headers, payload } = document(Buffer.alloc(300_000, 'MZ'))
    const { stream, answer } = begin(path, headers)
    const responded = statusOf(stream)
    stream.write(payload.subarray(0, 100_000))
    assert.equal(await responded, 400)
    stream.end(payload.subarray(100_000))
    assert.equal((await answer).status, 400)
  })

  test('of a stated length that is too large is 413 before a byte of it', async () => {
    const path = await filesOf('BANK_STATEMENT')
    const length = { 'content-length': String(40 * MIB) }
    const { stream } = begin(path, { ...document(Buffer.from('x')).headers, ...length })
    assert.equal(await statusOf(stream), 413)
    stream.destroy()
  })

  test('past 5 MiB of a statement is 413 without a stated length', async () => {
    const path = await filesOf('BANK_STATEMENT')
    const { headers, payload } = document(pdf(Buffer.alloc(5 * MIB)))
    const { 'content-length': _length, ...open } = headers as Record<string, string>
    const { stream, answer } = begin(path, open)
    stream.end(payload)
    assert.equal((await answer).status, 413)
    await until('they are gone', async () => (await looseBlobs()) === 0)
  })
})
