/** Compliance review by status code and its races (D-26, D-100). */

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { people } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const they = people(world, await world.otherTenant({}))
const reviews = (query = '') =>
  world.request('GET', `/v1/operator/reviews${query}`, undefined, { key: world.operator_key })

describe('GET /v1/operator/reviews', () => {
  test('200 lists who waits in all tenants with their identifications, page by page', async () => {
    const one = people(world, await world.otherTenant({ require_kyc: true }))
    const business = await one.createBusiness()
    const document = await one.addIdentification(business.id, { type: 'TRADE_LICENSE' })
    const waiting = await one.create({ first_name: 'Ann', last_name: 'Lee' })
    const request = (await one.askKyc(waiting.id)).body
    await one.runDueJobs()
    const rejected = await one.createBusiness()
    await one.review(rejected.id, 'reject', { reason: 'no license' })
    const approved = await one.createBusiness()
    await one.review(approved.id, 'approve')
    const elsewhere = await they.createBusiness()

    const found: string[] = []
    let after: string | undefined
    do {
      const { status, body } = await reviews(`?limit=1${after ? `&after=${after}` : ''}`)
      assert.equal(status, 200)
      found.push(...body.data.map(({ user }: { user: { id: string } }) => user.id))
      after = body.has_more ? body.after : undefined
    } while (after)
    assert.deepEqual(found, [elsewhere.id, rejected.id, waiting.id, business.id])

    const { body } = await reviews(`?tenant_id=${one.tenant.id}`)
    assert.equal(body.data.length, 3)
    assert.equal(body.data[2].tenant_id, one.tenant.id)
    assert.deepEqual(
      body.data[2].identifications.map(({ id }: { id: string }) => id),
      [document.id],
    )
    assert.equal(body.data[1].kyc_requests[0].id, request.id)
  })

  test('200 only users of the status and of the type that are named', async () => {
    const one = people(world, await world.otherTenant({ require_kyc: true }))
    const business = await one.createBusiness()
    const rejected = await one.createBusiness()
    await one.review(rejected.id, 'reject', { reason: 'no license' })
    const waiting = await one.create({ first_name: 'Ann', last_name: 'Lee' })
    await one.askKyc(waiting.id)
    await one.runDueJobs()
    for (const [query, expected] of [
      ['status=PENDINGKYB', [business.id]],
      ['status=SUSPENDED', [rejected.id]],
      ['status=PENDINGKYC', [waiting.id]],
      ['user_type=INDIVIDUAL', [waiting.id]],
      ['user_type=BUSINESS&status=PENDINGKYC', []],
    ] as const) {
      const { status, body } = await reviews(`?tenant_id=${one.tenant.id}&${query}`)
      assert.equal(status, 200)
      assert.deepEqual(
        body.data.map(({ user }: { user: { id: string } }) => user.id),
        expected,
        query,
      )
    }
  })

  test('400 for a cursor that no page has given, and for an unknown status', async () => {
    assert.equal((await reviews('?after=x')).status, 400)
    assert.equal((await reviews('?status=LOST')).status, 400)
  })

  test('401 without a key, 403 for a client', async () => {
    const path = '/v1/operator/reviews'
    assert.equal((await world.request('GET', path, undefined, { key: null })).status, 401)
    assert.equal((await world.request('GET', path)).status, 403)
  })
})

describe('POST /v1/operator/users/{id}:approve and :reject', () => {
  test('200 puts reason or note in the event and the history, with the operator’s key', async () => {
    const { id } = await they.createBusiness()
    await they.review(id, 'reject', { reason: 'expired license', note: 'asked for a new one' })
    await they.review(id, 'approve', { reason: 'new license seen' })
    const reported = await they.events(id, 'USER_STATUS_CHANGE')
    assert.deepEqual(
      reported.map(({ note }) => note),
      ['asked for a new one', 'new license seen'],
    )
    const { body } = await they.ask('GET', `/v1/users/${id}/statuschanges`)
    assert.equal(body.data[0].changed_by.kind, 'operator')
    assert.equal(body.data[1].note, 'asked for a new one')
  })

  test('409 review_outdated for a user that has changed since it was reviewed', async () => {
    const { id, modified } = await they.createBusiness()
    const changed = await they.ask('PUT', `/v1/users/${id}`, { business_dba_name: 'Another' })
    assert.equal(changed.status, 200)
    const late = await they.review(id, 'approve', { modified })
    assert.deepEqual([late.status, late.body.code], [409, 'review_outdated'])
    const rejected = await they.review(id, 'reject', { reason: 'x', modified })
    assert.equal(rejected.body.code, 'review_outdated')
    const named = { modified: changed.body.modified }
    assert.equal((await they.review(id, 'approve', named)).body.status, 'ACTIVE')
  })

  test('200 without a body approves', async () => {
    const { id } = await they.createBusiness()
    assert.equal((await they.asOperator(`users/${id}:approve`)).status, 200)
  })

  test('400 for a rejection without a reason', async () => {
    const { id } = await they.createBusiness()
    assert.equal((await they.review(id, 'reject', {})).status, 400)
  })

  test('403 for a client, 404 for no user', async () => {
    const { id } = await they.createBusiness()
    assert.equal((await they.ask('POST', `/v1/operator/users/${id}:approve`, {})).status, 403)
    assert.equal((await they.review(randomUUID(), 'approve')).status, 404)
    const elsewhere = `users/${id}:approve?tenant_id=${world.tenant.id}`
    assert.equal((await they.asOperator(elsewhere, {})).status, 404)
  })

  test('409 for an ACTIVE or TERMINATED user, and clients cannot lift S5', async () => {
    const { id } = await they.createBusiness()
    await they.review(id, 'reject', { reason: 'x' })
    assert.equal(await they.change(id, 'ACTIVE', 'A0'), 409)
    await they.review(id, 'approve')
    assert.equal((await they.review(id, 'approve')).status, 409)
    await they.change(id, 'TERMINATED', 'T0')
    assert.equal((await they.review(id, 'reject', { reason: 'x' })).status, 409)
  })

  test('409 when two tenants use one id, until the tenant is named', async () => {
    const id = newId()
    const twins = [they, people(world, await world.otherTenant({}))]
    for (const twin of twins) {
      const company = { business_legal_name: 'Acme', business_dba_name: 'Acme' }
      await twin.create({ id, user_type: 'BUSINESS', ...company })
    }
    const { status, body } = await they.review(id, 'approve')
    assert.deepEqual([status, body.code], [409, 'tenant_ambiguous'])
    const named = await they.asOperator(`users/${id}:approve?tenant_id=${they.tenant.id}`, {})
    assert.equal(named.status, 200)
    assert.equal(await twins[1]?.state(id), 'PENDINGKYB/I0')
  })

  test('of two approvals, and of an approval and a rejection, at once one wins', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await they.createBusiness()
      const answers = await Promise.all([
        they.review(id, 'approve'),
        they.review(id, 'approve'),
        they.asOperator(`users/${id}:approve`),
      ])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409])
      assert.equal((await they.events(id, 'USER_STATUS_CHANGE')).length, 1)

      const other = await they.createBusiness()
      const [approval, rejection] = await Promise.all([
        they.review(other.id, 'approve'),
        they.review(other.id, 'reject', { reason: 'x' }),
      ])
      // A rejection may follow an approval; lifting a rejection is an approval of its own.
      assert.ok(approval.status === 200 && rejection.status === 200)
      const moves = await they.events(other.id, 'USER_STATUS_CHANGE')
      assert.equal(moves[1].old_status, moves[0].new_status)
    }
  })

  test('works on the time of the user’s tenant', async () => {
    const later = people(world, await world.otherTenant({}))
    const { id } = await later.createBusiness()
    await later.advance('P400D')
    await later.review(id, 'approve')
    const { modified } = await later.find(id)
    assert.ok(Date.parse(modified) > Date.now() + 399 * 86_400_000)
  })
})

describe('POST /v1/operator/identifications/{id}:verify and :reject', () => {
  test('200 marks the document with its reason', async () => {
    const { id } = await they.createBusiness()
    const document = await they.addIdentification(id, { type: 'TRADE_LICENSE' })
    const path = `identifications/${document.id}`
    const rejected = await they.asOperator(`${path}:reject`, { reason: 'not readable' })
    assert.deepEqual(
      [rejected.body.document_status, rejected.body.document_status_reason],
      ['REJECTED', 'not readable'],
    )
    const verified = await they.asOperator(`${path}:verify`)
    assert.equal(verified.body.document_status, 'VERIFIED')
    assert.equal(await they.state(id), 'PENDINGKYB/I0')
  })

  test('409 user_terminated for a document of a TERMINATED user', async () => {
    const { id } = await they.createBusiness()
    const document = await they.addIdentification(id)
    await they.change(id, 'TERMINATED', 'T0')
    for (const [verb, body] of [
      ['verify', {}],
      ['reject', { reason: 'not readable' }],
    ] as const) {
      const answer = await they.asOperator(`identifications/${document.id}:${verb}`, body)
      assert.deepEqual([answer.status, answer.body.code], [409, 'user_terminated'])
    }
    const path = `/v1/users/${id}/identifications/${document.id}`
    const { body } = await they.ask('GET', path)
    assert.deepEqual(
      [body.document_status, body.modified],
      [document.document_status, document.modified],
    )
  })

  test('409 review_outdated for a document that has changed since it was reviewed', async () => {
    const { id } = await they.createBusiness()
    const { id: document_id, modified } = await they.addIdentification(id)
    const path = `/v1/users/${id}/identifications/${document_id}`
    const changed = await they.ask('PUT', path, { identification_note: 'another copy' })
    assert.equal(changed.status, 200)
    const review = (verb: string, body: object) =>
      they.asOperator(`identifications/${document_id}:${verb}`, body)
    for (const body of [{ modified }, { modified: '2020-01-01T00:00:00Z' }]) {
      const late = await review('verify', body)
      assert.deepEqual([late.status, late.body.code], [409, 'review_outdated'])
    }
    const rejected = await review('reject', { reason: 'not readable', modified })
    assert.equal(rejected.body.code, 'review_outdated')
    const named = await review('verify', { modified: changed.body.modified })
    assert.equal(named.body.document_status, 'VERIFIED')
    assert.equal((await review('reject', { reason: 'x', modified: 'today' })).status, 400)
  })

  test('400 without a reason, 403 for a client, 404 for no document', async () => {
    const { id } = await they.createBusiness()
    const document = await they.addIdentification(id)
    const path = `identifications/${document.id}`
    assert.equal((await they.asOperator(`${path}:reject`, {})).status, 400)
    assert.equal((await they.ask('POST', `/v1/operator/${path}:verify`, {})).status, 403)
    assert.equal((await they.asOperator(`identifications/${randomUUID()}:verify`)).status, 404)
  })
})
