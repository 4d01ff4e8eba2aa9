/**
 * Bytes that are hardly HTTP: one answer at most, in the error format, and the server continues.
 */

import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { openEdge } from './support/edge.ts'
import { keeper } from './support/keeper.ts'
import { PATIENCE_MS } from './support/time/patience.ts'
import { openWorld } from './support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const edge = keep(await openEdge(world))
await edge.app.listen({ host: '127.0.0.1', port: 0 })
const address = edge.app.server.address()
const port = typeof address === 'object' ? address?.port : undefined

/** Sends bytes and resolves with all that came back when the server has closed the connection. */
function exchange(bytes: string | Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port ?? 0, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.setTimeout(PATIENCE_MS, () => {
      socket.destroy()
      reject(new Error(`no end after ${PATIENCE_MS} ms; so far: ${text}`))
    })
    socket.on('data', (data) => {
      text += data.toString('latin1')
    })
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })
}

const key = `apikey: ${world.tenant.api_key}\r\n`
const head = `Host: a\r\nConnection: close\r\n${key}`
const json = 'Content-Type: application/json\r\n'
const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

describe('bytes on the socket', () => {
  const note = '{"text":"a"}'
  const cases: [name: string, bytes: string, status: number][] = [
    ['a sound request', `GET /v1/notes HTTP/1.1\r\n${head}\r\n`, 200],
    ['an absolute address', `GET http://a/v1/notes HTTP/1.1\r\n${head}\r\n`, 200],
    ['chunks', `POST /v1/notes HTTP/1.1\r\n${head}${json}Transfer-Encoding: chunked\r\n\r\n` +
      `c\r\n${note}\r\n0\r\n\r\n`, 200],
    ['chunks past the limit', `POST /v1/notes HTTP/1.1\r\n${head}${json}` +
      `Transfer-Encoding: chunked\r\n\r\n110000\r\n${'x'.repeat(0x110000)}\r\n0\r\n\r\n`, 413],
    ['a length past the limit', `POST /v1/notes HTTP/1.1\r\n${head}${json}` +
      'Content-Length: 99999999\r\n\r\n', 413],
    ['both a length and chunks', `POST /v1/notes HTTP/1.1\r\n${head}${json}` +
      `Content-Length: 12\r\nTransfer-Encoding: chunked\r\n\r\n${note}`, 400],
    ['two lengths', `POST /v1/notes HTTP/1.1\r\n${head}${json}` +
      `Content-Length: 12\r\nContent-Length: 13\r\n\r\n${note}`, 400],
    ['a chunk of no size', `POST /v1/notes HTTP/1.1\r\n${head}${json}` +
      'Transfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
    ['a folded header', `GET /v1/notes HTTP/1.1\r\n${head}X: a\r\n b\r\n\r\n`, 400],
    ['plain text', 'hello there\r\n\r\n', 400],
    ['a bad version', 'GET /v1/notes HTTP/9.9\r\n\r\n', 400],
    ['a space in the path', `GET /v1/no tes HTTP/1.1\r\n${head}\r\n`, 400],
    ['a header of 20 kB', `GET /v1/notes HTTP/1.1\r\n${head}X: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a NUL in a header', `GET /v1/notes HTTP/1.1\r\n${head}X: a\0b\r\n\r\n`, 400],
    ['an escaped NUL in the path', `GET /v1/notes%00 HTTP/1.1\r\n${head}\r\n`, 404],
    ['an unknown method', `BREW /v1/notes HTTP/1.1\r\n${head}\r\n`, 400],
    ['TRACE', `TRACE /v1/notes HTTP/1.1\r\n${head}\r\n`, 405],
  ] // biome-ignore format: one case a line or two reads best.

  for (const [name, bytes, status] of cases) {
    test(`${name}: ${status}, once`, async () => {
      const text = await exchange(bytes)
      assert.deepEqual(statusesOf(text), [status], text.slice(0, 400))
      assert.match(text, /x-request-id: [0-9a-f-]{36}\r\n/)
      if (status === 200) return
      const body = JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))
      assert.match(text, /content-type: application\/problem\+json/)
      assert.equal(body.status, status)
      assert.ok(text.includes(`x-request-id: ${body.request_id}\r\n`))
    })
  }

  test('a request without Host is 400', async () => {
    const text = await exchange('GET /v1/notes HTTP/1.1\r\nConnection: close\r\n\r\n')
    assert.deepEqual(statusesOf(text), [400])
  })

  test('CONNECT is rejected without an answer to a second request', async () => {
    const text = await exchange(`CONNECT a:1 HTTP/1.1\r\n${head}\r\nGET /v1/notes HTTP/1.1\r\n\r\n`)
    assert.ok(statusesOf(text).every((status) => status >= 400))
  })

  test('two requests in one go have two answers in their order', async () => {
    const text = await exchange(
      `GET /v1/notes HTTP/1.1\r\nHost: a\r\n${key}\r\nGET /v1/nothing HTTP/1.1\r\n${head}\r\n`,
    )
    assert.deepEqual(statusesOf(text), [200, 404])
  })

  test('random bytes never end the server', async () => {
    for (let seed = 1; seed <= 50; seed++) {
      const bytes = Buffer.from(
        Array.from({ length: 64 }, (_, at) => (seed * 7919 + at * at * 104_729) % 256),
      )
      await exchange(Buffer.concat([bytes, Buffer.from('\r\n\r\n')]))
    }
    const text = await exchange(`GET /v1/notes HTTP/1.1\r\n${head}\r\n`)
    assert.deepEqual(statusesOf(text), [200])
  })
})
