/** Users of one tenant, as tests of verification lead them through their statuses. */

import assert from 'node:assert/strict'
import type { UserType } from '#issuing/users/rules/fields.ts'
import { newId } from '#lib/id.ts'
import { payloadsOf, type SentEvent } from './events.ts'
import { form, pdf } from './files.ts'
import type { Answer, TestTenant, World } from './world.ts'

export type People = ReturnType<typeof people>

type State = { status: string; status_reason_code: string }

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom0000isom')])

const name = { first_name: 'Ann', last_name: 'Lee' }

/** The members that a new user of each type must have (D-16). */
export const requiredOf: Readonly<Record<UserType, object>> = {
  INDIVIDUAL: name,
  BUSINESS: { business_legal_name: 'Acme', business_dba_name: 'Acme' },
  DIRECTOR: { designation: 'CEO', ...name },
  SIGNATURE: { designation: 'CFO', ...name },
  SHAREHOLDER: { shares_percentage: '25', ...name },
  SHAREHOLDER_BUSINESS: {
    business_legal_name: 'Acme',
    license_type: 'TRADE',
    license_expiry: '2099-01-01',
  },
}

export function people(world: World, tenant: TestTenant) {
  const key = tenant.api_key
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.request(method, path, body, { key })
  const asOperator = (path: string, body?: unknown): Promise<Answer> =>
    world.request('POST', `/v1/operator/${path}`, body, { key: world.operator_key })
  const made = async (sent: object) => {
    const { status, body } = await ask('POST', '/v1/users', sent)
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  const find = async (id: string) => (await ask('GET', `/v1/users/${id}`)).body
  const stateOf = ({ status, status_reason_code }: State) => `${status}/${status_reason_code}`

  const events = async (user_id: string, event: string): Promise<SentEvent[]> =>
    (await payloadsOf(world, user_id)).filter((sent) => sent.event === event)
  const token = async (user_id: string): Promise<string> => {
    const reported = await events(user_id, 'IDENTITY_VERIFICATION')
    return reported.findLast(({ sdk_token }) => sdk_token !== undefined).sdk_token
  }

  return {
    tenant,
    ask,
    asOperator,
    stateOf,
    events,
    token,
    find,
    create: (sent: object = name) => made(sent),
    createBusiness: () => made({ user_type: 'BUSINESS', ...requiredOf.BUSINESS }),
    state: async (id: string) => stateOf(await find(id)),
    change: async (id: string, status: string, status_reason_code: string) =>
      (await ask('PUT', `/v1/users/${id}:changeStatus`, { status, status_reason_code })).status,
    report: (id: string, report: object) => ask('POST', `/v1/simulate/idv/${id}`, report),
    askKyc: (id: string, kyc_policy = 'UAE_INDIVIDUAL_PRIMARY') =>
      ask('POST', `/v1/users/${id}/kyc`, { kyc_policy }),
    kyc: (id: string) => ask('GET', `/v1/users/kyc/${id}`),
    review: (id: string, verb: 'approve' | 'reject', judged: object = {}) =>
      asOperator(`users/${id}:${verb}`, judged),
    /** The review of a user, as the operator sees it. */
    async reviewOf(id: string) {
      const path = `/v1/operator/reviews?tenant_id=${tenant.id}&limit=50`
      const { status, body } = await world.request('GET', path, undefined, {
        key: world.operator_key,
      })
      assert.equal(status, 200, JSON.stringify(body))
      const found = body.data.find(({ user }: { user: { id: string } }) => user.id === id)
      assert.ok(found, 'the user awaits a review')
      return found
    },
    runDueJobs: () => world.sweeper.runDueJobs(tenant.id),
    advance: (advance: string) => ask('PUT', '/v1/simulate/clock', { advance }),
    inDays: (days: number) => new Date(Date.now() + days * 86_400_000),
    async addIdentification(user_id: string, sent: object = {}) {
      const document = { type: 'PASSPORT', number: newId(), ...sent }
      const { status, body } = await ask('POST', `/v1/users/${user_id}/identifications`, document)
      assert.equal(status, 200, JSON.stringify(body))
      return body
    },
    /** A file of a new identification of the user; answers the path of the identification. */
    async addFile(
      user_id: string,
      sent: object = { type: 'ADDITIONAL' },
      page?: string,
    ): Promise<string> {
      const { status, body } = await ask('POST', `/v1/users/${user_id}/identifications`, sent)
      assert.equal(status, 200, JSON.stringify(body))
      const path = `/v1/users/${user_id}/identifications/${body.id}`
      const { headers, payload } = form(
        ...(page === undefined ? [] : [{ name: 'identification_document_type', value: page }]),
        { name: 'file', value: pdf(), file_name: 'a.pdf' },
      )
      const answer = await world.request('PUT', `${path}/files`, payload, { key, headers })
      assert.equal(answer.status, 200, answer.text)
      return path
    },
    /** Through the applicant's page, as a phone does. */
    async handIn(user_id: string, files: Record<string, Buffer> = {}) {
      const sent = { document_front: PNG, face: MP4, ...files }
      return post(world, await token(user_id), sent)
    },
  }
}

/** Sends the form of the applicant's page. */
export async function post(world: World, sdk_token: string, files: Record<string, Buffer>) {
  const form = new FormData()
  for (const [name, bytes] of Object.entries(files)) {
    form.set(name, new Blob([new Uint8Array(bytes)]), bytes.length === 0 ? '' : `${name}.bin`)
  }
  const request = new Request('http://localhost', { method: 'POST', body: form })
  return world.app.inject({
    method: 'POST',
    url: `/identity/${sdk_token}`,
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
    payload: Buffer.from(await request.arrayBuffer()),
  })
}
