import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { auditFiles } from '#issuing/identifications/identifications.ts'
import { form, pdf } from '#test/support/files.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { call } = issuer

async function disputed(): Promise<string> {
  const card = await issuer.card(10)
  const paid = await issuer.pay(card.card_id, 10)
  await call('POST', `/v1/simulate/authorizations/${paid.id}:clear`, {})
  const input = { transaction_id: paid.id, reason: 'FRAUD', explanation: 'Not by me' }
  return (await call('POST', '/v1/disputes', input)).body.id
}
async function upload(id: string, name = 'file', files = ['a.pdf'], value = pdf()) {
  const { payload, headers } = form(...files.map((file_name) => ({ name, value, file_name })))
  return call('POST', `/v1/disputes/${id}/files`, payload, { headers })
}

describe('a file of a dispute', () => {
  test('is stored, listed, read back byte for byte, and deleted', async () => {
    const id = await disputed()
    const { status, body, text } = await upload(id)
    assert.equal(status, 200, text)
    assert.partialDeepStrictEqual(body, {
      ...{ dispute_id: id, file_name: 'a.pdf', content_type: 'application/pdf' },
      size: pdf().length,
    })
    assert.deepEqual((await call('GET', `/v1/disputes/${id}/files`)).body.data, [body])
    const metadata = await call('GET', `/v1/disputes/${id}/files/${body.id}`)
    assert.deepEqual([metadata.status, metadata.body], [200, body])
    for (const [verb, disposition] of [
      ['browse', 'inline'],
      ['download', 'attachment'],
    ]) {
      const read = await call('GET', `/v1/disputes/${id}/files/${body.id}:${verb}`)
      assert.equal(read.status, 200)
      assert.match(String(read.headers['content-disposition']), new RegExp(`^${disposition}`))
      assert.equal(Number(read.headers['content-length']), body.size)
    }
    for (const verb of ['browse', 'download']) {
      const read = (range: string) =>
        call('GET', `/v1/disputes/${id}/files/${body.id}:${verb}`, undefined, {
          headers: { range },
        })
      const part = await read('bytes=0-4')
      assert.deepEqual([part.status, part.text], [206, '%PDF-'])
      assert.equal((await read(`bytes=${body.size}-`)).status, 416)
    }
    const deleted = await call('DELETE', `/v1/disputes/${id}/files/${body.id}`)
    assert.deepEqual([deleted.status, deleted.body], [200, { id: body.id, deleted: true }])
    assert.deepEqual((await call('GET', `/v1/disputes/${id}/files`)).body.data, [])
    for (const verb of ['', ':browse']) {
      const gone = await call('GET', `/v1/disputes/${id}/files/${body.id}${verb}`)
      assert.equal(gone.status, 404)
    }
    assert.deepEqual(await auditFiles(world.db), [])
  })

  test('is uploaded by PUT as by POST', async () => {
    const id = await disputed()
    const { payload, headers } = form({ name: 'file', value: pdf(), file_name: 'a.pdf' })
    const put = await call('PUT', `/v1/disputes/${id}/files`, payload, { headers })
    assert.partialDeepStrictEqual(put, { status: 200, body: { file_name: 'a.pdf' } })
    assert.deepEqual((await call('GET', `/v1/disputes/${id}/files`)).body.data, [put.body])
  })

  test('ten are the most, all of a call or none, and none of what is not a document', async () => {
    const id = await disputed()
    const five = ['a.pdf', 'b.pdf', 'c.pdf', 'd.pdf', 'e.pdf']
    assert.equal((await upload(id, 'files', five)).body.data.length, 5)
    assert.equal((await upload(id, 'files', five)).status, 200)
    assert.equal((await upload(id)).body.code, 'file_limit_reached')
    const other = await disputed()
    const wrong = await upload(other, 'file', ['a.pdf'], Buffer.from('no document'))
    assert.equal(wrong.status, 400)
    assert.deepEqual((await call('GET', `/v1/disputes/${other}/files`)).body.data, [])
    assert.deepEqual(await auditFiles(world.db), [])
  })

  test('is not added to a dispute that has ended, of another tenant, or that does not exist', async () => {
    const id = await disputed()
    const { body } = await upload(id)
    await call('POST', `/v1/disputes/${id}:withdraw`, {})
    assert.equal((await upload(id)).body.code, 'dispute_move_refused')
    const kept = await call('DELETE', `/v1/disputes/${id}/files/${body.id}`)
    assert.equal(kept.body.code, 'dispute_move_refused')
    assert.equal((await upload(randomUUID())).status, 404)
    const { api_key: key } = await world.otherTenant()
    const read = await call('GET', `/v1/disputes/${id}/files/${body.id}:browse`, undefined, { key })
    assert.equal(read.status, 404)
  })
})
