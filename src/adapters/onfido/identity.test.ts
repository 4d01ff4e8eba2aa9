/** The contract with Onfido's API, against a stub of it on loopback. */

import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { bmp, type FormPart, form, jpeg, pdf, png } from '#test/support/files.ts'
import { keeper } from '#test/support/keeper.ts'
import { people } from '#test/support/people.ts'
import { API_TOKEN, CHECK, openOnfido, signed } from '#test/support/services/onfido.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const onfido = keep(await openOnfido())
const world = keep(await openWorld({ env: onfido.env }))
world.sweeper.start()
beforeEach(() => onfido.reset())

const tenantUnderIdv = async () =>
  people(
    world,
    await world.otherTenant({
      require_document_verification: true,
      privacy_notices_read_consent_given: true,
    }),
  )

const sentToken = (they: ReturnType<typeof people>, id: string) =>
  until('a token', async () => {
    const reported = await they.events(id, 'IDENTITY_VERIFICATION')
    return reported.find(({ sdk_token }) => sdk_token !== undefined)
  })

const inState = (they: ReturnType<typeof people>, id: string, state: string) =>
  until(state, async () => (await they.state(id)) === state)

const sendEvent = (event: object, secret?: string) =>
  world.app.inject({
    method: 'POST',
    url: '/identity/onfido/webhook',
    ...signed(event, secret),
  })

const done = { resource_type: 'check', action: 'check.completed', object: { id: CHECK } }

test('an applicant, a token, a check and its report: the user passes', async () => {
  const they = await tenantUnderIdv()
  const { id } = await they.create({ first_name: 'Ann', last_name: 'Lee', email: 'ann@lee.ae' })
  const reported = await sentToken(they, id)
  assert.equal(reported.sdk_token, 'onfido.sdk.token')
  assert.equal(reported.applicant_id, 'applicant-1')
  const [applicant, token] = onfido.calls
  assert.equal(applicant?.what, 'POST /applicants')
  assert.equal(applicant?.authorization, `Token token=${API_TOKEN}`)
  assert.deepEqual(applicant?.body, {
    first_name: 'Ann',
    last_name: 'Lee',
    email: 'ann@lee.ae',
    consents: [{ name: 'privacy_notices_read', granted: true }],
  })
  assert.deepEqual(token?.body, { applicant_id: 'applicant-1', referrer: '*://*/*' })

  assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B0'), 200)
  await until('a check', async () => onfido.checks[0])
  const started = onfido.calls.find(({ what }) => what === 'POST /checks')
  assert.deepEqual(started?.body.report_names, ['document', 'facial_similarity_video'])
  assert.equal(started?.body.privacy_notices_read_consent_given, true)

  await until('the webhook finds the check', async () => {
    assert.equal((await sendEvent(done)).statusCode, 200)
    return (await they.state(id)) === 'ACTIVE/A0' || undefined
  })
})

/** Uploads a file to an identification of the user and returns its id. */
async function store(
  they: ReturnType<typeof people>,
  id: string,
  document: string,
  shown: FormPart,
) {
  const { id: identification } = await they.addIdentification(id, { type: document })
  const path = `/v1/users/${id}/identifications/${identification}/files`
  const type = `${document}${document === 'PASSPORT' ? '_PAGE1' : document === 'VISA' ? '' : '_BACK'}`
  const field = document === 'ADDITIONAL' ? 'NOT APPLICABLE' : type
  const { headers, payload } = form({ name: 'identification_document_type', value: field }, shown)
  const key = they.tenant.api_key
  const answer = await world.request('PUT', path, payload, { key, headers })
  assert.equal(answer.status, 200, answer.text)
  return String(answer.body.id)
}
const shown = (value: Buffer, file_name: string) => ({ name: 'file', value, file_name })

test('B0 uploads the stored identity documents, each once and nothing else', async () => {
  const they = await tenantUnderIdv()
  const { id } = await they.create()
  await sentToken(they, id)
  await store(they, id, 'PASSPORT', shown(pdf('an older scan'), 'old.pdf'))
  const passport = await store(they, id, 'PASSPORT', shown(pdf('a scan'), 'mine.pdf'))
  const national = await store(they, id, 'NATIONAL_ID', shown(png(), 'mine.png'))
  const visa = await store(they, id, 'VISA', shown(jpeg(), 'mine.jpg'))
  await store(they, id, 'ADDITIONAL', shown(pdf(), 'letter.pdf'))
  onfido.answers['GET /documents'] = () => [
    200,
    { documents: [{ id: 'd', file_name: `${visa}.jpg` }] },
  ]

  assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B0'), 200)
  await until('a check', async () => onfido.checks[0])
  const uploaded = onfido.calls
    .filter(({ what }) => what === 'POST /documents')
    .map(({ body }) => body)
  assert.deepEqual(
    uploaded.map(({ file, ...fields }) => [fields, file.name, file.bytes]),
    [
      [
        { type: 'national_identity_card', side: 'back', applicant_id: 'applicant-1' },
        `${national}.png`,
        png(),
      ],
      [{ type: 'passport', applicant_id: 'applicant-1' }, `${passport}.pdf`, pdf('a scan')],
    ],
  )
  const order = onfido.calls.map(({ what }) => what)
  assert.ok(order.indexOf('POST /documents') < order.indexOf('POST /checks'))
})

test('a document that Onfido rejects, or does not accept, is skipped', async () => {
  onfido.answers['POST /documents'] = () => [422, { error: { type: 'validation_error' } }]
  const they = await tenantUnderIdv()
  const { id } = await they.create()
  await sentToken(they, id)
  await store(they, id, 'PASSPORT', shown(pdf(), 'mine.pdf'))
  await store(they, id, 'VISA', shown(bmp(), 'mine.bmp'))
  assert.equal(await they.change(id, 'PENDINGIDVERIFICATION', 'B0'), 200)
  await until('a check', async () => onfido.checks[0])
  assert.equal(onfido.calls.filter(({ what }) => what === 'POST /documents').length, 1)
})

test('a corrected name is sent before the next check', async () => {
  const they = await tenantUnderIdv()
  const { id } = await they.create({ first_name: 'Ann', last_name: 'Le' })
  await sentToken(they, id)
  const corrected = await they.ask('PUT', `/v1/users/${id}`, { last_name: 'Lee' })
  assert.equal(corrected.status, 200)
  await they.change(id, 'PENDINGIDVERIFICATION', 'B0')
  await until('a check', async () => onfido.checks[0])
  const reported = onfido.calls.find(({ what }) => what === 'PUT /applicants/applicant-1')
  assert.equal(reported?.body.last_name, 'Lee')
  assert.equal(onfido.calls.filter(({ what }) => what === 'POST /applicants').length, 1)
})

test('nothing to be checked: another document is requested', async () => {
  onfido.answers['POST /checks'] = () => [422, { error: { type: 'validation_error' } }]
  const they = await tenantUnderIdv()
  const { id } = await they.create()
  await sentToken(they, id)
  await they.change(id, 'PENDINGIDVERIFICATION', 'B0')
  await inState(they, id, 'PENDINGIDVERIFICATION/B5')
})

test('a start that is repeated finds the check it made before', async () => {
  let starts = 0
  onfido.answers['POST /checks'] = ({ body }) => {
    starts += 1
    onfido.checks = [{ id: CHECK, status: 'in_progress', tags: body.tags }]
    // It was made, but the answer is lost.
    return [500, {}]
  }
  const they = await tenantUnderIdv()
  const { id } = await they.create()
  await sentToken(they, id)
  await they.change(id, 'PENDINGIDVERIFICATION', 'B0')
  await until('the first start', async () => starts === 1)
  await until('the check is found', async () => {
    await they.advance('PT10S')
    const rows = await world.db
      .selectFrom('identity_checks')
      .select(['status', 'check_id'])
      .where('user_id', '=', id)
      .execute()
    return rows.find(({ status }) => status === 'RUNNING')
  })
  assert.equal(starts, 1)
  await inState(they, id, 'PENDINGIDVERIFICATION/B0')
})

test('a check that takes long is not given up for one call without an answer', async () => {
  onfido.answers['GET /checks/{id}'] = () => [200, { ...onfido.checks[0], status: 'in_progress' }]
  const they = await tenantUnderIdv()
  const { id } = await they.create()
  await sentToken(they, id)
  await they.change(id, 'PENDINGIDVERIFICATION', 'B0')
  const asked = () => onfido.calls.filter(({ what }) => what === 'GET /checks/{id}').length
  const ofUser = world.db.updateTable('identity_checks').where('user_id', '=', id)
  await until('the check runs', async () => onfido.checks[0])
  await until('39 answers without a report', async () => {
    const running = ofUser.set({ attempts: 39 }).where('status', '=', 'RUNNING').returning('id')
    return (await running.execute())[0]
  })
  await they.advance('PT15M')
  await until('another such answer', async () => asked() === 1)

  onfido.answers['GET /checks/{id}'] = () => [500, {}]
  await they.advance('PT15M')
  await until('a call without an answer', async () => asked() === 2)
  await until('a second one', async () => {
    await they.advance('PT5M')
    return asked() > 2 || undefined
  })
  assert.equal(await they.state(id), 'PENDINGIDVERIFICATION/B0')
})

test('an event that Onfido did not sign is rejected and causes no call', async () => {
  assert.equal((await sendEvent(done, 'another secret')).statusCode, 403)
  const plain = await world.app.inject({
    method: 'POST',
    url: '/identity/onfido/webhook',
    headers: { 'content-type': 'application/json', 'x-sha2-signature': 'short' },
    payload: '{}',
  })
  assert.equal(plain.statusCode, 403)
  assert.deepEqual(onfido.calls, [])
})

test('an event about a check that is not known, or about something else, is accepted', async () => {
  const unknown = { ...done, object: { id: 'someone else’s' } }
  assert.equal((await sendEvent(unknown)).statusCode, 200)
  assert.equal(
    (await sendEvent({ resource_type: 'workflow_run', object: { id: 'x' } })).statusCode,
    200,
  )
})

test('the API token never comes into the log, also when Onfido fails', async () => {
  onfido.answers['POST /applicants'] = () => [401, { error: { type: 'authorization_error' } }]
  const they = await tenantUnderIdv()
  await they.create()
  await until('a failure', async () =>
    world.logged.find((line) => line.includes('Onfido answered 401')),
  )
  assert.ok(!world.logged.some((line) => line.includes(API_TOKEN)))
})
