/** Uploads over real sockets, through the scanner, into a bucket, and cut off. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { type FormPart, form, pdf, png } from '#test/support/files.ts'
import { filesIn } from '#test/support/services/blobs.ts'
import { openBucket } from '#test/support/services/bucket.ts'
import { until } from '#test/support/services/receiver.ts'
import { openScanner } from '#test/support/services/scanner.ts'
import { openWorld, type World } from '#test/support/world.ts'

const file = (value: Buffer, file_name = 'a.pdf'): FormPart => ({ name: 'file', value, file_name })

async function filesOf(world: World, type = 'ADDITIONAL'): Promise<string> {
  const user = await world.request('POST', '/v1/users', { first_name: 'Omar' })
  const documents = `/v1/users/${user.body.id}/identifications`
  return `${documents}/${(await world.request('POST', documents, { type })).body.id}/files`
}

async function loose(world: World): Promise<number> {
  return (await world.db.selectFrom('loose_blobs').select('blob_key').execute()).length
}

const upload = (world: World, path: string, ...parts: FormPart[]) => {
  const { headers, payload } = form(...parts)
  return world.request('PUT', path, payload, { headers })
}

describe('over a socket', () => {
  let world: World
  let base: URL
  before(async () => {
    world = await openWorld()
    base = new URL(await world.app.listen({ host: '127.0.0.1', port: 0 }))
  })
  after(() => world[Symbol.asyncDispose]())

  /** Begins an upload whose body is written by the test. */
  function begin(path: string, headers: Record<string, string>): ClientRequest {
    const given = { apikey: world.tenant.api_key, ...headers }
    const sent = httpRequest(new URL(path, base), { method: 'PUT', headers: given })
    sent.on('error', () => {})
    return sent
  }

  test('an upload that breaks off half-way leaves nothing behind', async () => {
    const path = await filesOf(world)
    const { headers, payload } = form(file(pdf(Buffer.alloc(400_000, 'x'))))
    const sent = begin(path, { ...headers, 'content-length': String(payload.length) })
    sent.write(payload.subarray(0, payload.length / 2))
    await until('bytes come', async () => (await loose(world)) === 1)
    sent.destroy()
    await until('they are gone', async () => (await loose(world)) === 0)
    assert.deepEqual(filesIn(`${world.config.data_dir}/files`), [])
    assert.deepEqual((await world.request('GET', path)).body.data, [])
  })

  test('a rejected upload is answered before the rest has arrived', async () => {
    const path = await filesOf(world)
    const { headers, payload } = form(file(Buffer.alloc(300_000, 'MZ')))
    const sent = begin(path, headers)
    sent.write(payload.subarray(0, 100_000))
    const [answer] = await once(sent, 'response')
    assert.equal(answer.statusCode, 400)
    sent.end(payload.subarray(100_000))
    answer.resume()
    await once(answer, 'end')
  })

  test('413 a stated length that is too large, before a byte of it', async () => {
    const path = await filesOf(world, 'BANK_STATEMENT')
    const sent = begin(path, { ...form().headers, 'content-length': String(40 * 1024 * 1024) })
    sent.flushHeaders()
    const [answer] = await once(sent, 'response')
    assert.equal(answer.statusCode, 413)
    sent.destroy()
  })

  test('400 a body that is longer than its stated length', async () => {
    const path = await filesOf(world)
    const { headers, payload } = form(file(pdf(Buffer.alloc(300_000))))
    const sent = begin(path, { ...headers, 'content-length': '100000' })
    sent.end(payload)
    const [answer] = await once(sent, 'response')
    assert.equal(answer.statusCode, 400)
    answer.resume()
    await until('they are gone', async () => (await loose(world)) === 0)
    assert.deepEqual(filesIn(`${world.config.data_dir}/files`), [])
  })

  test('413 a statement over 5 MiB without a length', async () => {
    const path = await filesOf(world, 'BANK_STATEMENT')
    const { headers, payload } = form(file(pdf(Buffer.alloc(5 * 1024 * 1024))))
    const sent = begin(path, headers)
    sent.end(payload)
    const [answer] = await once(sent, 'response')
    assert.equal(answer.statusCode, 413)
    answer.resume()
    await until('they are gone', async () => (await loose(world)) === 0)
  })

  test('a body without a key is not read', async () => {
    const path = await filesOf(world)
    const sent = begin(path, { ...form().headers, apikey: 'none' })
    sent.flushHeaders()
    const [answer] = await once(sent, 'response')
    assert.equal(answer.statusCode, 401)
    sent.destroy()
  })
})

describe('bytes that no file owns', () => {
  let world: World
  before(async () => {
    world = await openWorld()
    world.sweeper.start()
  })
  after(() => world[Symbol.asyncDispose]())

  test('are deleted once no request can own them', async () => {
    const path = await filesOf(world)
    await upload(world, path, file(pdf()))
    const [lost] = filesIn(`${world.config.data_dir}/files`)
    assert.ok(lost)
    // As a crash between the last byte and the commit leaves it.
    const row = await world.db.selectFrom('identification_files').selectAll().executeTakeFirst()
    assert.ok(row)
    await world.db.deleteFrom('identification_files').execute()
    const { tenant_id, blob_key } = row
    const due = new Date(Date.now() - 1000)
    await world.db.insertInto('loose_blobs').values({ tenant_id, blob_key, due }).execute()
    await until('they are gone', async () => (await loose(world)) === 0)
    assert.deepEqual(filesIn(`${world.config.data_dir}/files`), [])
  })

  test('a store that cannot be written answers 503 and stores nothing', async () => {
    const { writeFileSync, rmSync } = await import('node:fs')
    const path = await filesOf(world)
    const place = `${world.config.data_dir}/files`
    rmSync(place, { recursive: true })
    writeFileSync(place, 'in the way')
    const answer = await upload(world, path, file(pdf()))
    assert.deepEqual([answer.status, answer.body.code], [503, 'unavailable'])
    assert.ok(answer.headers['retry-after'])
    rmSync(place)
    await until(
      'files are accepted again',
      async () => (await upload(world, path, file(pdf()))).status === 200,
    )
  })
})

describe('with a virus scanner', () => {
  let world: World
  let scanner: Awaited<ReturnType<typeof openScanner>>
  before(async () => {
    scanner = await openScanner()
    const { host, port } = scanner.address
    world = await openWorld({ env: { CLAMD_ADDRESS: `${host}:${port}` } })
    world.sweeper.start()
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await scanner.close()
  })

  test('a file that it finds nothing in is CLEAN and served', async () => {
    const path = await filesOf(world)
    const { body } = await upload(world, path, file(pdf()))
    assert.equal(body.scan_status, 'CLEAN')
    assert.equal((await world.request('GET', `${path}/${body.id}:browse`)).status, 200)
  })

  test('400 a file in which it finds something', async () => {
    const answer = await upload(world, await filesOf(world), file(pdf('VIRUS')))
    assert.deepEqual([answer.status, answer.body.errors[0].path], [400, 'file'])
  })

  test('a file over its limit is HELD, never served', async () => {
    const path = await filesOf(world)
    const { body } = await upload(world, path, file(pdf(Buffer.alloc(2 * 1024 * 1024))))
    assert.equal(body.scan_status, 'HELD')
    for (const verb of ['browse', 'download']) {
      const answer = await world.request('GET', `${path}/${body.id}:${verb}`)
      assert.deepEqual([answer.status, answer.body.code], [409, 'file_held'])
    }
  })

  test('while it is away files are HELD; once it is back they are CLEAN or gone', async () => {
    const path = await filesOf(world)
    scanner.away = true
    const good = (await upload(world, path, file(pdf()))).body
    const bad = (await upload(world, path, file(png({ filler: Buffer.from('VIRUS') }), 'a.png')))
      .body
    assert.deepEqual([good.scan_status, bad.scan_status], ['HELD', 'HELD'])
    scanner.away = false
    const due = new Date(Date.now() - 1000)
    await world.db
      .updateTable('identification_files')
      .set({ scan_due: due })
      .where('scan_due', 'is not', null)
      .execute()
    await until('both are scanned', async () => {
      const { body } = await world.request('GET', path)
      const reported = body.data.map((row: { scan_status: string }) => row.scan_status)
      return reported.join() === 'INFECTED,CLEAN'
    })
    const found = await world.request('GET', `${path}/${bad.id}:download`)
    assert.deepEqual([found.status, found.body.code], [409, 'file_infected'])
    assert.equal((await world.request('GET', `${path}/${good.id}:download`)).status, 200)
    await until('they are gone', async () => (await loose(world)) === 0)
  })
})

describe('with a bucket', () => {
  let world: World
  let bucket: Awaited<ReturnType<typeof openBucket>>
  before(async () => {
    bucket = await openBucket()
    world = await openWorld({
      env: {
        BLOB_STORE_URL: bucket.url,
        BLOB_STORE_ACCESS_KEY: bucket.access_key,
        BLOB_STORE_SECRET_KEY: bucket.secret_key,
      },
    })
  })
  after(async () => {
    await world[Symbol.asyncDispose]()
    await bucket.close()
  })

  test('files go there sealed, come back, and go', async () => {
    const path = await filesOf(world)
    const bytes = pdf(Buffer.alloc(9 * 1024 * 1024, 'canary '))
    const { status, body } = await upload(world, path, file(bytes))
    assert.equal(status, 200)
    const { rawPayload } = await world.app.inject({
      url: `${path}/${body.id}:download`,
      headers: { apikey: world.tenant.api_key },
    })
    assert.ok(rawPayload.equals(bytes))
    assert.equal((await world.request('DELETE', `${path}/${body.id}`)).status, 200)
    assert.equal(await loose(world), 0)
  })

  test('a rejected file leaves nothing there', async () => {
    const path = await filesOf(world)
    await upload(world, path, file(Buffer.concat([pdf(), Buffer.alloc(9 * 1024 * 1024, 'x')])))
    assert.deepEqual(
      filesIn(bucket.folder).filter(({ name }) => !/upload/.test(name)),
      [],
    )
    assert.equal(await loose(world), 0)
  })
})
