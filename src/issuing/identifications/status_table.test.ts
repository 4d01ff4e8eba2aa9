/** The status of an identification as a table (spec "Identification", D-26): each row is a test. */

import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { userTypes } from '#issuing/users/rules/fields.ts'
import { form, pdf } from '#test/support/files.ts'
import { people, requiredOf } from '#test/support/people.ts'
import { openWorld } from '#test/support/world.ts'
import { documentStatuses } from './rules/documents.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const they = people(world, world.tenant)

type StoredDocument = { id: string; path: string; file_id: string }

const judge = (verb: 'verify' | 'reject') => (document: StoredDocument) =>
  they.asOperator(`identifications/${document.id}:${verb}`, { reason: 'seen' })

/** The actions on an identification, as text. */
const actions: Readonly<Record<string, (document: StoredDocument) => Promise<{ status: number }>>> =
  {
    'compliance verifies it': judge('verify'),
    'compliance rejects it': judge('reject'),
    'the client changes it': ({ path }) => they.ask('PUT', path, { number: 'B2' }),
    'a file is added': ({ path }) => upload(path),
    'a file is deleted': ({ path, file_id }) => they.ask('DELETE', `${path}/files/${file_id}`),
    'it is read': ({ path }) => they.ask('GET', path),
  }

// user_type | from | what happens | document_status and document_status_reason
const table = `
  INDIVIDUAL           | -          | it is created          | PENDING I0
  BUSINESS             | -          | it is created          | PENDINGKYB I0
  DIRECTOR             | -          | it is created          | PENDINGKYB I0
  SIGNATURE            | -          | it is created          | PENDINGKYB I0
  SHAREHOLDER          | -          | it is created          | PENDINGKYB I0
  SHAREHOLDER_BUSINESS | -          | it is created          | PENDINGKYB I0
  INDIVIDUAL           | PENDING    | compliance verifies it | VERIFIED seen
  INDIVIDUAL           | PENDING    | compliance rejects it  | REJECTED seen
  INDIVIDUAL           | PENDING    | the client changes it  | PENDING I0
  INDIVIDUAL           | PENDING    | a file is added        | PENDING I0
  INDIVIDUAL           | PENDING    | a file is deleted      | PENDING I0
  BUSINESS             | PENDINGKYB | compliance verifies it | VERIFIED seen
  BUSINESS             | PENDINGKYB | compliance rejects it  | REJECTED seen
  BUSINESS             | PENDINGKYB | the client changes it  | PENDINGKYB I0
  INDIVIDUAL           | VERIFIED   | compliance verifies it | VERIFIED seen
  INDIVIDUAL           | VERIFIED   | compliance rejects it  | REJECTED seen
  INDIVIDUAL           | VERIFIED   | the client changes it  | PENDING I0
  INDIVIDUAL           | VERIFIED   | a file is added        | PENDING I0
  INDIVIDUAL           | VERIFIED   | a file is deleted      | PENDING I0
  INDIVIDUAL           | VERIFIED   | it is read             | VERIFIED seen
  BUSINESS             | VERIFIED   | the client changes it  | PENDINGKYB I0
  BUSINESS             | VERIFIED   | a file is added        | PENDINGKYB I0
  INDIVIDUAL           | REJECTED   | compliance verifies it | VERIFIED seen
  INDIVIDUAL           | REJECTED   | compliance rejects it  | REJECTED seen
  INDIVIDUAL           | REJECTED   | the client changes it  | PENDING I0
  INDIVIDUAL           | REJECTED   | a file is added        | PENDING I0
  INDIVIDUAL           | REJECTED   | a file is deleted      | PENDING I0
  DIRECTOR             | REJECTED   | a file is added        | PENDINGKYB I0`

async function upload(path: string) {
  const { headers, payload } = form({ name: 'file', value: pdf(), file_name: 'a.pdf' })
  return world.request('PUT', `${path}/files`, payload, { headers })
}

/** An identification with a file, reviewed where the row starts from a review. */
async function documentIn(word: string, from: string): Promise<StoredDocument> {
  const user_type = userTypes.find((known) => known === word)
  assert.ok(user_type)
  const { id: user_id } = await they.create({ user_type, ...requiredOf[user_type] })
  const { id } = await they.addIdentification(user_id, { type: 'ADDITIONAL' })
  const path = `/v1/users/${user_id}/identifications/${id}`
  const { body } = await upload(path)
  const document = { id, path, file_id: body.id }
  if (from === 'VERIFIED') await judge('verify')(document)
  if (from === 'REJECTED') await judge('reject')(document)
  return document
}

describe('user_type | from | what happens | document_status and its reason', () => {
  for (const line of table.trim().split('\n')) {
    const cells = line.split('|').map((cell) => cell.trim())
    test(cells.join(' | '), async () => {
      const [user_type = '', from = '', what = '', to] = cells
      const document = await documentIn(user_type, from)
      const state = async () => (await they.ask('GET', document.path)).body
      if (from !== '-') {
        assert.equal((await state()).document_status, from)
        assert.equal((await actions[what]?.(document))?.status, 200)
      }
      const { document_status, document_status_reason } = await state()
      assert.equal(`${document_status} ${document_status_reason}`, to)
    })
  }
})

test('an identification has no status but these', () => {
  for (const status of documentStatuses) assert.ok(table.includes(`| ${status} `), status)
})
