/** Verification of identity by status code, its races, and the applicant's page. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { form, png } from '#test/support/files.ts'
import { people, post } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const IDV = { require_document_verification: true, require_kyc: true }
const they = people(world, await world.otherTenant(IDV))
const page = (token: string, headers: Record<string, string> = {}) =>
  world.app.inject({ method: 'GET', url: `/identity/${token}`, headers })
const count = (answers: number[], wanted: number) => answers.filter((one) => one === wanted).length

describe('POST /v1/simulate/idv/{user_id}', () => {
  test('200 passes on to ACTIVE at once where KYC is not required, by way of PENDINGKYC', async () => {
    const others = people(world, await world.otherTenant({ require_document_verification: true }))
    const { id } = await others.create()
    const { body } = await others.report(id, { result: 'CLEAR', issuing_country: 'ARE' })
    assert.equal(others.stateOf(body), 'ACTIVE/A0')
    const moves = await others.events(id, 'USER_STATUS_CHANGE')
    assert.deepEqual(
      moves.map(({ new_status }) => new_status),
      ['PENDINGKYC', 'ACTIVE'],
    )
  })

  test('200 suspected at first is not verified: only a re-initiated check ends a user', async () => {
    const { id } = await they.create()
    const { body } = await they.report(id, { result: 'CONSIDER', outcome: 'suspected' })
    assert.equal(they.stateOf(body), 'PENDINGIDVERIFICATION/B1')
  })

  test('200 an outcome alone is a report, and a note is sent', async () => {
    const { id } = await they.create()
    await they.report(id, { outcome: 'abandoned', note: 'left the page' })
    const event = (await they.events(id, 'IDENTITY_VERIFICATION')).at(-1)
    assert.equal(event.status_reason_code, 'B6')
    assert.equal(event.note, 'left the page')
    assert.equal(event.sdk_token, undefined)
  })

  test('400 names the faults of an invalid report', async () => {
    const { id } = await they.create()
    for (const [report, path] of [
      [{}, 'result'],
      [{ result: 'MAYBE' }, 'result'],
      [{ result: 'CLEAR', outcome: 'caution' }, 'outcome'],
      [{ result: 'CONSIDER', outcome: 'unsure' }, 'outcome'],
      [{ result: 'CLEAR', issuing_country: 'XXQ' }, 'issuing_country'],
    ] as const) {
      const { status, body } = await they.report(id, report)
      assert.equal(status, 400)
      assert.equal(body.errors[0].path, path)
    }
    assert.equal(await they.state(id), 'PENDINGIDVERIFICATION/I0')
  })

  test('404 for another tenant’s user as for none', async () => {
    const others = people(world, await world.otherTenant(IDV))
    const { id } = await others.create()
    assert.equal((await they.report(id, { result: 'CLEAR' })).status, 404)
    assert.equal(await others.state(id), 'PENDINGIDVERIFICATION/I0')
  })

  test('409 when no report is awaited, naming the state', async () => {
    const { id } = await they.create()
    await they.report(id, { result: 'CONSIDER' })
    const again = await they.report(id, { result: 'CLEAR' })
    assert.deepEqual([again.status, again.body.code], [409, 'verification_not_awaited'])
    assert.equal(again.body.status_reason_code, 'B1')
    const business = await they.createBusiness()
    assert.equal((await they.report(business.id, { result: 'CLEAR' })).status, 409)
  })

  test('of reports that race exactly one counts', async () => {
    const { id } = await they.create()
    const reports = Array.from({ length: 8 }, (_, at) =>
      they.report(id, at % 2 ? { result: 'CLEAR' } : { result: 'CONSIDER' }),
    )
    const answers = (await Promise.all(reports)).map(({ status }) => status)
    assert.deepEqual([count(answers, 200), count(answers, 409)], [1, 7])
    assert.equal((await they.events(id, 'USER_STATUS_CHANGE')).length, 1)
  })
})

describe('PUT /v1/users/{id}:changeStatus', () => {
  test('of B2 sent at once exactly one wins, with one token', async () => {
    const { id } = await they.create()
    await they.report(id, { result: 'CONSIDER' })
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => they.change(id, 'PENDINGIDVERIFICATION', 'B2')),
    )
    assert.deepEqual([count(answers, 200), count(answers, 409)], [1, 7])
    const tokens = (await they.events(id, 'IDENTITY_VERIFICATION')).filter((e) => e.sdk_token)
    assert.equal(tokens.length, 2)
    assert.equal(tokens.at(-1).old_status_reason_code, 'B1')
    assert.equal(tokens[0].applicant_id, tokens[1].applicant_id)
  })

  test('409 for B0 without a document, and nothing is written', async () => {
    const { id } = await they.create()
    const body = { status: 'PENDINGIDVERIFICATION', status_reason_code: 'B0' }
    const answer = await they.ask('PUT', `/v1/users/${id}:changeStatus`, body)
    assert.deepEqual([answer.status, answer.body.code], [409, 'identity_documents_missing'])
    assert.equal(await they.state(id), 'PENDINGIDVERIFICATION/I0')
    assert.deepEqual(await they.events(id, 'USER_STATUS_CHANGE'), [])
  })

  test('200 for B0 with a file of an identification; a deleted one counts no more', async () => {
    const { id } = await they.create()
    const document = await they.addIdentification(id)
    const files = `/v1/users/${id}/identifications/${document.id}/files`
    const sent = form(
      { name: 'identification_document_type', value: 'PASSPORT_PAGE1' },
      { name: 'file', value: png(), file_name: 'page.png', content_type: 'image/png' },
    )
    const upload = async () => {
      const headers = { ...sent.headers, apikey: they.tenant.api_key }
      const reply = await world.app.inject({ method: 'PUT', url: files, ...sent, headers })
      assert.equal(reply.statusCode, 200, reply.body)
      return reply.json().id
    }
    await they.ask('DELETE', `${files}/${await upload()}`)
    assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B0'), 409)
    await upload()
    assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B0'), 200)
    assert.equal((await they.report(id, { result: 'CLEAR' })).status, 200)
  })

  test('a suspended or terminated user’s check is not waited for any more', async () => {
    const { id } = await they.create()
    await they.change(id, 'TERMINATED', 'T0')
    assert.equal((await they.report(id, { result: 'CLEAR' })).status, 409)
    assert.equal(await they.state(id), 'TERMINATED/T0')
  })
})

describe('without a provider', () => {
  test('501 in live for a user that needs one; the rest works', async () => {
    const MASTER_KEY = '8f14e45fceea167a5a36dedd4bea2543f1c0b27b9d0c4f7e6a5b3c2d1e0f9a87'
    await using live = await openWorld({ env: { MODE: 'live', MASTER_KEY } })
    const under = people(live, await live.otherTenant(IDV))
    const rejected = await under.ask('POST', '/v1/users', { first_name: 'Ann', last_name: 'Lee' })
    assert.deepEqual([rejected.status, rejected.body.code], [501, 'not_configured'])
    const free = people(live, await live.otherTenant())
    const { id } = await free.create()
    assert.equal(await free.state(id), 'ACTIVE/A0')
    assert.equal((await live.app.inject({ url: `/identity/${'x'.repeat(68)}` })).statusCode, 404)

    const row = { status: 'PENDINGIDVERIFICATION', status_reason_code: 'B1' } as const
    await live.db.updateTable('users').set(row).where('id', '=', id).execute()
    assert.equal(await free.change(id, 'PENDINGIDVERIFICATION', 'B2'), 501)
    assert.equal(await free.state(id), 'PENDINGIDVERIFICATION/B1')
  })
})

describe('the applicant’s page', () => {
  test('requests the document and the face with the phone’s camera, under a strict policy', async () => {
    const { id } = await they.create()
    const { statusCode, headers, body } = await page(await they.token(id))
    assert.equal(statusCode, 200)
    assert.match(body, /name="document_front" type="file"[^>]*capture="environment"/)
    assert.match(body, /name="face" type="file"[^>]*capture="user"/)
    assert.doesNotMatch(body, /<script/)
    assert.match(String(headers['content-security-policy']), /default-src 'none'.*frame-ancestors/)
    assert.equal(headers['cache-control'], 'no-store')
    assert.equal(headers['referrer-policy'], 'no-referrer')
  })

  test('is in Arabic by its address or by the browser', async () => {
    const { id } = await they.create()
    const token = await they.token(id)
    for (const reply of [
      await page(`${token}?lang=ar`),
      await page(token, { 'accept-language': 'fr, ar-AE;q=0.9, en;q=0.5' }),
    ]) {
      assert.match(reply.body, /<html lang="ar" dir="rtl">/)
    }
    assert.match((await page(`${token}?lang=xx`)).body, /<html lang="en" dir="ltr">/)
  })

  test('accepts one submission, and stores its types but not the pictures', async () => {
    const { id } = await they.create()
    assert.equal((await they.handIn(id)).statusCode, 200)
    assert.match((await they.handIn(id)).body, /we have your documents/)
    const event = (await they.events(id, 'IDENTITY_VERIFICATION')).at(-1)
    const media = await world.db
      .selectFrom('sandbox_media')
      .select(['kind', 'content_type'])
      .where('applicant_id', '=', event.applicant_id)
      .orderBy('kind')
      .execute()
    assert.deepEqual(media, [
      { kind: 'document_front', content_type: 'image/png' },
      { kind: 'face', content_type: 'video/mp4' },
    ])
  })

  test('422 names the fields at fault, and something else may be sent', async () => {
    const { id } = await they.create()
    const token = await they.token(id)
    const html = Buffer.from('<!doctype html><script>alert(1)</script>')
    const wrong = await post(world, token, { document_front: html, face: Buffer.alloc(0) })
    assert.equal(wrong.statusCode, 422)
    assert.match(wrong.body, /id="document_front_fault">This kind of file/)
    assert.match(wrong.body, /id="face_fault">Take or choose/)
    assert.equal((await they.handIn(id)).statusCode, 200)
  })

  test('requests no face where the tenant checks documents alone', async () => {
    const settings = { ...IDV, checks: ['DOCUMENT'] }
    const others = people(world, await world.otherTenant(settings))
    const { id } = await others.create()
    assert.doesNotMatch((await page(await others.token(id))).body, /name="face"/)
  })

  test('410 from the ninetieth minute on of the tenant’s clock, and a new token opens again', async () => {
    const others = people(world, await world.otherTenant(IDV))
    const { id } = await others.create()
    const token = await others.token(id)
    await others.advance('PT89M55S')
    assert.equal((await page(token)).statusCode, 200)
    await others.advance('PT5S')
    assert.equal((await page(token)).statusCode, 410)
    assert.equal((await others.handIn(id)).statusCode, 410)
    assert.equal(await others.change(id, 'PENDINGIDVERIFICATION', 'B2'), 200)
    assert.equal((await page(await others.token(id))).statusCode, 200)
    assert.equal((await page(token)).statusCode, 404)
  })

  test('404 alike for tokens that are malformed, foreign or unknown', async () => {
    const { id } = await they.create()
    const token = await they.token(id)
    const flipped = token.slice(0, -2) + (token.endsWith('AA') ? 'BA' : 'AA')
    for (const wrong of ['x', 'sdk_', flipped, token.slice(4), `${token}A`, '..%2f..']) {
      const { statusCode, body } = await page(wrong)
      assert.equal(statusCode, 404)
      assert.match(body, /This page does not exist/)
    }
  })

  test('415 or 400 for a body that is no form, never a failure', async () => {
    const { id } = await they.create()
    const url = `/identity/${await they.token(id)}`
    for (const [type, payload] of [
      ['application/json', '{}'],
      ['text/plain', 'x'],
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=b', '--b\r\nbroken'],
    ]) {
      const { statusCode } = await world.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': type ?? '' },
        payload: payload ?? '',
      })
      assert.ok(statusCode >= 400 && statusCode < 500, `${type}: ${statusCode}`)
    }
  })
})
