/** Users and what is checked about them: identity, documents, KYC, reviews. */

import { addDays } from '#lib/time.ts'
import { form, pdf } from '#test/support/files.ts'
import type { Body, Story } from './story.ts'

const person = {
  first_name: 'Layla',
  last_name: 'Aziz',
  date_of_birth: '1990-05-17',
  email: 'layla@example.com',
  mobile: '+971501234567',
  nationality: 'ARE',
  address: { address_line1: '12 Palm Street', city: 'Dubai', country: 'ARE' },
}
const company = {
  user_type: 'BUSINESS',
  business_legal_name: 'Palm Books LLC',
  business_dba_name: 'Palm Books',
}
const KYC = { kyc_policy: 'UAE_INDIVIDUAL_PRIMARY' }

/** Returns the user that holds the cards of the other chapters. */
export async function liveUsers(story: Story, now: Date): Promise<Body> {
  const { call, prepare } = story
  const user = await call('createUser', { body: person })
  const params = { id: user.id }
  await call('getUser', { params })
  await call('listUsers', { query: { limit: 1 } })
  await call('searchUsers', { body: { email: person.email, limit: 1 } })
  await call('updateUser', { params, body: { mobile: '+971507654321' } })

  const other = await prepare('createUser', { body: { first_name: 'Omar', last_name: 'Khan' } })
  const status = { status: 'SUSPENDED', status_reason_code: 'S0', note: 'TestMessage by the user' }
  await call('changeUserStatus', { params: { id: other.id }, body: status })
  await call('listUserStatusChanges', { params: { id: other.id }, query: { limit: 1 } })

  await liveDocuments(story, user.id, now)
  await liveChecks(story)
  await liveReviews(story)
  return user
}

async function liveDocuments({ call, prepare }: Story, user_id: string, now: Date): Promise<void> {
  const card = {
    type: 'NATIONAL_ID',
    number: '784-1990-1234567-1',
    issuance_date: '2019-03-01',
    // The date is within the days that the tenant's policy warns before.
    expiration_date: addDays(now, 20).toISOString().slice(0, 10),
  }
  const document = await call('createIdentification', { params: { user_id }, body: card })
  const params = { user_id, identification_id: document.id }
  await call('getIdentification', { params })
  await call('listIdentifications', { params: { user_id }, query: { limit: 1 } })
  const authority = { issuance_authority: 'Federal Authority for Identity' }
  await call('updateIdentification', { params, body: authority })

  const file = await call('uploadIdentificationFiles', {
    params,
    form: scanOf('front.pdf', 'NATIONAL_ID_FRONT'),
  })
  await call('uploadIdentificationFilesByPost', {
    params,
    form: scanOf('back.pdf', 'NATIONAL_ID_BACK'),
  })
  await call('listIdentificationFiles', { params, query: { limit: 1 } })
  const ofFile = { params: { ...params, file_id: file.id } }
  await call('getIdentificationFile', ofFile)
  await call('browseIdentificationFile', ofFile)
  await call('downloadIdentificationFile', ofFile)
  await call('verifyIdentification', { params: { id: document.id }, body: { reason: 'Genuine' } })
  const blurred = await prepare('createIdentification', {
    params: { user_id },
    body: { type: 'ADDITIONAL', number: 'B-42' },
  })
  const reason = { reason: 'The picture is blurred' }
  await call('rejectIdentification', { params: { id: blurred.id }, body: reason })
  await call('deleteIdentificationFile', ofFile)
}

function scanOf(file_name: string, side: string) {
  const sent = form(
    { name: 'identification_document_type', value: side },
    { name: 'file', value: pdf(), file_name },
  )
  return { ...sent, shown: { identification_document_type: side, file: pdf().toString() } }
}

/** Identity verification and KYC requests: one each by the simulation and by the operator. */
async function liveChecks(story: Story): Promise<void> {
  const { call, prepare } = story
  await prepare('updateSettings', { body: { require_kyc: true } })
  const named = (first_name: string) =>
    prepare('createUser', { body: { first_name, last_name: 'Saleh' } })
  const [noor, rami, huda] = [await named('Noor'), await named('Rami'), await named('Huda')]
  const request = await call('createKycRequest', { params: { id: noor.id }, body: KYC })
  await call('getKycRequest', { params: { id: request.id } })
  const filters = [{ field: 'status', operator: 'eq', values: ['SUBMITTED'] }]
  await call('searchKycRequests', { body: { filters, sort_by: 'created', limit: 1 } })
  await call('simulateKycResult', { params: { id: request.id }, body: { result: 'OK' } })
  const second = await prepare('createKycRequest', { params: { id: rami.id }, body: KYC })
  await call('approveKycRequest', { params: { id: second.id }, body: { note: 'No match' } })
  const third = await prepare('createKycRequest', { params: { id: huda.id }, body: KYC })
  await call('rejectKycRequest', { params: { id: third.id }, body: { reason: 'Listed' } })

  await liveMatches(story)

  await prepare('updateSettings', {
    body: { require_kyc: null, require_document_verification: true },
  })
  const dana = await named('Dana')
  await call('simulateIdentityReport', { params: { user_id: dana.id }, body: { result: 'CLEAR' } })
  await prepare('updateSettings', { body: { require_document_verification: null } })
}

/** Two users whose names are on the sandbox's list: one is somebody else. */
async function liveMatches({ call, prepare, runDueJobs }: Story): Promise<void> {
  const named = async (first_name: string) => {
    const { id } = await prepare('createUser', { body: { first_name, last_name: 'Match' } })
    await prepare('createKycRequest', { params: { id }, body: KYC })
    return { query: { user_id: id, limit: 1 } }
  }
  const [mira, nora] = [await named('Mira'), await named('Nora')]
  await runDueJobs()
  const { data: other } = await call('listMatches', mira)
  const { data: same } = await prepare('listMatches', nora)
  const born = { reason: 'The listed person was born in 1951' }
  await call('dismissMatch', { params: { id: other[0].id }, body: born })
  const passport = { reason: 'Passport number and day of birth are the same' }
  await call('confirmMatch', { params: { id: same[0].id }, body: passport })
}

/** Companies await a review; a director belongs to the first. */
async function liveReviews({ call, prepare }: Story): Promise<void> {
  const { id } = await prepare('createUser', { body: company })
  const director = { user_type: 'DIRECTOR', designation: 'CEO', parent_user_id: id }
  await prepare('createUser', { body: { ...director, first_name: 'Amal', last_name: 'Haddad' } })
  await call('listLinkedUsers', { params: { id }, query: { depth: 'direct', limit: 1 } })
  await call('listLinkedUsersByPost', { params: { id }, query: { depth: 'all', limit: 1 } })
  await call('listReviews', { query: { limit: 1 } })
  await call('approveUser', { params: { id }, body: { note: 'License and owners checked' } })
  const second = await prepare('createUser', { body: company })
  const body = { reason: 'The license has expired' }
  await call('rejectUser', { params: { id: second.id }, body })
}
