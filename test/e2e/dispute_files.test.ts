/** Files of a shop's evidence, from the upload to the issuer's side (D-1410, D-1411). */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { auditAll } from '#src/audit/audits.ts'
import { type FormPart, form, pdf, png } from '#test/support/files.ts'
import { until } from '#test/support/services/receiver.ts'
import { openScanner } from '#test/support/services/scanner.ts'
import { anotherMerchant, openShop } from './shop.ts'

const scanner = await openScanner()
after(() => scanner.close())
const { host, port } = scanner.address
const shop = await openShop({ env: { CLAMD_ADDRESS: `${host}:${port}` } })
after(() => shop[Symbol.asyncDispose]())
const customer = await shop.customer(100_000_000n)

async function paid(): Promise<string> {
  const { reference } = await shop.order(customer, { total: '100.00' })
  await shop.call('POST', `/orders/${reference}/capture`, { total: '100.00' })
  return reference
}

/** A dispute of the shop, by the operator or by the issuer of the same tenant. */
async function charged(reference: string): Promise<string> {
  const body = { merchant_id: shop.merchant.id, reference, amount: 10, reason: 'FRAUD' }
  const made = await shop.request('POST', '/v1/operator/chargebacks', body, {
    key: shop.operator_key,
  })
  assert.equal(made.status, 200, made.text)
  return made.body.dispute_id
}
const fresh = async () => charged(await paid())

const part = (file_name = 'a.pdf', value = pdf(), name = 'file'): FormPart => ({
  ...{ name, value, file_name },
})
function upload(id: string, ...parts: FormPart[]) {
  const { payload, headers } = form(...parts)
  return shop.call('POST', `/disputes/${id}/files/`, payload, headers)
}
const list = async (id: string) => (await shop.call('GET', `/disputes/${id}/files/`)).body.data
const answer = (id: string, body: object = {}) =>
  shop.call('POST', `/disputes/${id}/evidence/`, body)
const moved = (id: string, step: string) =>
  shop.request(
    'POST',
    `/v1/operator/chargebacks/${id}:record`,
    { step },
    { key: shop.operator_key },
  )

describe('a file of a shop’s evidence', () => {
  test('is stored, listed, read back byte for byte, and deleted', async () => {
    const id = await fresh()
    const { status, body, text } = await upload(id, part())
    assert.equal(status, 200, text)
    assert.partialDeepStrictEqual(body, {
      ...{ dispute_id: id, file_name: 'a.pdf', content_type: 'application/pdf' },
      ...{ size: pdf().length, scan_status: 'CLEAN' },
    })
    assert.match(body.sha256, /^[0-9a-f]{64}$/)
    assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    assert.deepEqual(await list(id), [body])
    const path = `/disputes/${id}/files/${body.id}/`
    assert.deepEqual((await shop.call('GET', path)).body, body)
    const read = await shop.call('GET', `${path}download/`)
    assert.deepEqual([read.status, read.headers['content-type']], [200, 'application/pdf'])
    assert.equal(read.headers['content-disposition'], 'attachment; filename="a.pdf"')
    assert.equal(read.headers['x-content-type-options'], 'nosniff')
    assert.equal(read.text, pdf().toString())
    const range = await shop.call('GET', `${path}download/`, undefined, { range: 'bytes=0-4' })
    assert.deepEqual([range.status, range.text], [206, '%PDF-'])
    const gone = await shop.call('DELETE', path)
    assert.deepEqual([gone.status, gone.body], [200, { id: body.id, deleted: true }])
    for (const [method, at] of [
      ['GET', path],
      ['GET', `${path}download/`],
      ['DELETE', path],
    ] as const) {
      assert.equal((await shop.call(method, at)).status, 404, `${method} ${at}`)
    }
    assert.deepEqual(await list(id), [])
    assert.deepEqual(await auditAll(shop.db, true), [])
  })

  test('five a call and ten a dispute, all of them or none', async () => {
    const id = await fresh()
    const five = [1, 2, 3, 4, 5].map((at) => part(`${at}.pdf`, pdf(), 'files'))
    assert.equal((await upload(id, ...five)).body.data.length, 5)
    assert.equal((await upload(id, ...five, part('6.pdf', pdf(), 'files'))).status, 400)
    const beside = part('b.txt', Buffer.from('text'), 'files')
    assert.equal((await upload(id, part('a.pdf', pdf(), 'files'), beside)).status, 400)
    assert.equal((await list(id)).length, 5)
    assert.equal((await upload(id, ...five)).status, 200)
    const eleventh = await upload(id, part())
    assert.deepEqual(
      [eleventh.status, eleventh.body],
      [409, { detail: 'A dispute may have 10 files; this one has 10.' }],
    )
    const page = await shop.call('GET', `/disputes/${id}/files/?limit=4`)
    assert.equal(page.body.data.length, 4)
    const { data } = (
      await shop.call('GET', `/disputes/${id}/files/?limit=9&after=${page.body.after}`)
    ).body
    assert.equal(data.length, 6)
  })

  test('ten of twenty uploads at one time', async () => {
    const id = await fresh()
    const all = await Promise.all(Array.from({ length: 20 }, () => upload(id, part())))
    assert.equal(all.filter(({ status }) => status === 200).length, 10)
    assert.ok(all.every(({ status }) => status === 200 || status === 409))
    assert.deepEqual(await auditAll(shop.db, true), [])
  })

  test('400 what is no document, has a virus, or another form', async () => {
    const id = await fresh()
    const refused: FormPart[][] = [
      [part('a.exe')],
      [part('a.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))],
      [part('a.pdf', Buffer.from('<html></html>'))],
      [part('a.pdf', Buffer.alloc(0))],
      [part('a.png')],
      [part('a.pdf', pdf('VIRUS'))],
      [part('a.pdf', pdf(), 'document')],
      [part(), part('b.pdf')],
      [],
    ]
    for (const parts of refused) {
      const { status, text } = await upload(id, ...parts)
      assert.equal(status, 400, text)
    }
    assert.equal((await shop.call('POST', `/disputes/${id}/files/`, {})).status, 415)
    assert.deepEqual(await list(id), [])
  })

  test('a hostile name is served as a name', async () => {
    const id = await fresh()
    for (const name of ['../../etc/a.pdf', '‮fdp.a.pdf', '<img src=x>.pdf', 'a"b.pdf', 'ملف.pdf']) {
      const { status, body, text } = await upload(id, part(name))
      if (status === 400) continue
      assert.equal(status, 200, text)
      assert.doesNotMatch(body.file_name, /[/\\]/)
      const read = await shop.call('GET', `/disputes/${id}/files/${body.id}/download/`)
      assert.match(String(read.headers['content-disposition']), /^attachment; filename="[ -~]*"/)
      assert.equal(read.text, pdf().toString())
    }
  })

  test('one effect per idempotency key, which counts for the content', async () => {
    const id = await fresh()
    const send = (value: Buffer) => {
      const { payload, headers } = form(part('a.pdf', value))
      const keyed = { ...headers, 'x-bezant-idempotency-key': 'evidence-1' }
      return shop.call('POST', `/disputes/${id}/files/`, payload, keyed)
    }
    const [first, again, other] = [await send(pdf()), await send(pdf()), await send(pdf('x'))]
    assert.equal(first.text, again.text)
    assert.equal(other.status, 409)
    assert.equal((await list(id)).length, 1)
  })

  test('404 of another shop and of another dispute; 401 without a token', async () => {
    const [id, beside] = [await fresh(), await fresh()]
    const { body } = await upload(id, part())
    const path = (of: string) => `/disputes/${of}/files/${body.id}/`
    const as = await anotherMerchant(shop)
    const { payload, headers } = form(part())
    for (const [method, at, sent, more] of [
      ['GET', path(beside), undefined, {}],
      ['DELETE', path(beside), undefined, {}],
      ['GET', path(id), undefined, as],
      ['GET', `${path(id)}download/`, undefined, as],
      ['DELETE', path(id), undefined, as],
      ['GET', `/disputes/${id}/files/`, undefined, as],
      ['POST', `/disputes/${id}/files/`, payload, { ...headers, ...as }],
      ['GET', `/disputes/${id}/files/${randomUUID()}/`, undefined, {}],
      ['POST', `/disputes/${randomUUID()}/files/`, payload, headers],
    ] as const) {
      const { status, text } = await shop.call(method, at, sent, more)
      assert.equal(status, 404, `${method} ${at} ${text}`)
    }
    const nobody = { authorization: 'Bearer none' }
    assert.equal((await shop.call('GET', path(id), undefined, nobody)).status, 401)
    assert.equal((await list(id)).length, 1)
  })

  test('is evidence without a text, and stays as it was sent', async () => {
    const id = await fresh()
    assert.equal((await answer(id)).status, 400)
    const { body: file } = await upload(id, part())
    const sent = await answer(id)
    assert.deepEqual([sent.status, sent.body.status, sent.body.evidence], [200, 'UNDER_REVIEW', {}])
    const path = `/disputes/${id}/files/${file.id}/`
    const refusal = [409, { detail: 'The dispute is UNDER_REVIEW.' }]
    for (const one of [await upload(id, part()), await shop.call('DELETE', path)]) {
      assert.deepEqual([one.status, one.body], refusal)
    }
    assert.equal((await moved(id, 'LOSE')).status, 200)
    assert.equal((await upload(id, part())).status, 409)
    assert.deepEqual(await list(id), [file])
    assert.equal((await shop.call('GET', `${path}download/`)).status, 200)
  })

  test('of which none is scanned yet cannot be sent; a virus that is found later is gone', async () => {
    const id = await fresh()
    scanner.away = true
    await upload(id, part())
    const { body: bad } = await upload(id, part('b.png', png({ filler: Buffer.from('VIRUS') })))
    scanner.away = false
    assert.equal(bad.scan_status, 'HELD')
    const path = `/disputes/${id}/files/${bad.id}/download/`
    assert.equal((await shop.call('GET', path)).status, 409)
    const early = await answer(id, { receipt: 'Receipt 7' })
    assert.equal(early.status, 409, early.text)
    const due = new Date(Date.now() - 1000)
    await shop.db
      .updateTable('chargeback_files')
      .set({ scan_due: due })
      .where('scan_due', 'is not', null)
      .execute()
    shop.sweeper.start()
    await until('both are scanned', async () => {
      const seen = (await list(id)).map((one: { scan_status: string }) => one.scan_status)
      return seen.join() === 'INFECTED,CLEAN'
    })
    assert.equal((await shop.call('GET', path)).status, 409)
    assert.equal((await answer(id)).body.status, 'UNDER_REVIEW')
    assert.deepEqual(await auditAll(shop.db, true), [])
  })
})

describe('the issuer of the same tenant', () => {
  test('gets texts and files of the shop with the second presentment, and keeps them', async () => {
    const reference = await paid()
    const { body: seen } = await shop.request('GET', `/v1/transactions?card_id=${customer.card_id}`)
    const opened = await shop.request('POST', '/v1/disputes', {
      ...{ transaction_id: seen.data[0].id, reason: 'NOT_RECEIVED', explanation: 'It never came.' },
    })
    const dispute = `/v1/disputes/${opened.body.id}`
    await shop.request('POST', `${dispute}:submit`, {})
    const record = `/v1/operator/disputes/${opened.body.id}:record`
    await shop.request('POST', record, { step: 'SENT' }, { key: shop.operator_key })
    const { body: own } = await shop.call('GET', `/disputes/?reference=${reference}`)
    const id = own.data[0].dispute_id
    const { body: file } = await upload(id, part('delivery.pdf', pdf('signed')))
    assert.deepEqual((await shop.request('GET', `${dispute}/files`)).body.data, [])
    const receipt = 'r'.repeat(2000)
    assert.equal((await answer(id, { proof_of_delivery: 'Signed', receipt })).status, 200)

    const { body: after } = await shop.request('GET', dispute)
    assert.equal(after.status, 'REPRESENTED')
    const { note } = after.moves.at(-1)
    assert.match(note, /^proof_of_delivery: Signed; receipt: r{400,500}…$/)
    const { data } = (await shop.request('GET', `${dispute}/files`)).body
    assert.equal(data.length, 1)
    assert.partialDeepStrictEqual(data[0], {
      ...{ file_name: 'delivery.pdf', source: 'MERCHANT', size: file.size, scan_status: 'CLEAN' },
    })
    const at = `${dispute}/files/${data[0].id}`
    const read = await shop.request('GET', `${at}:download`)
    assert.equal(read.text, pdf('signed').toString())
    const kept = await shop.request('DELETE', at)
    assert.deepEqual([kept.status, kept.body.code], [409, 'dispute_move_refused'])
    assert.equal((await shop.call('GET', `/disputes/${id}/files/${file.id}/download/`)).status, 200)
    assert.deepEqual(await auditAll(shop.db, true), [])
  })
})
