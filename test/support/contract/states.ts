/** The API calls that bring a user into each status. */

import assert from 'node:assert/strict'
import type { People } from '../people.ts'

/** The tenant in which every state can be reached. */
export const EVERY_STATE = {
  require_document_verification: true,
  require_kyc: true,
  allowed_issuing_countries: ['ARE'],
  expired_idv_policy: { days_prior_expiration: 30 },
}

type Way = (they: People) => Promise<string>

const from =
  (state: string, go: (they: People, id: string) => Promise<unknown>): Way =>
  async (they) => {
    const id = await reach(they, state)
    await go(they, id)
    return id
  }
const byReport = (state: string, report: object) =>
  from(state, (they, id) => they.report(id, report))
const byChange = (state: string, status: string, reason: string) =>
  from(state, async (they, id) => {
    await they.addFile(id)
    await they.change(id, status, reason)
  })

const caution = { result: 'CONSIDER', outcome: 'caution' }
const foreign = { issuing_country: 'FRA' }
const FIRST = 'PENDINGIDVERIFICATION'

/** Each state from the one before it. */
const ways: Readonly<Record<string, Way>> = {
  [`${FIRST}/I0`]: async (they) => (await they.create()).id,
  [`${FIRST}/B1`]: byReport(`${FIRST}/I0`, caution),
  [`${FIRST}/B2`]: byChange(`${FIRST}/B1`, FIRST, 'B2'),
  [`${FIRST}/B0`]: byChange(`${FIRST}/B2`, FIRST, 'B0'),
  [`${FIRST}/B5`]: byReport(`${FIRST}/I0`, { outcome: 'document_requested' }),
  [`${FIRST}/B6`]: byReport(`${FIRST}/I0`, { outcome: 'abandoned' }),
  [`${FIRST}/B9`]: byReport(`${FIRST}/I0`, { result: 'CLEAR', ...foreign }),
  [`${FIRST}/B10`]: byReport(`${FIRST}/I0`, { ...caution, ...foreign }),
  'PENDINGKYC/I0': byReport(`${FIRST}/I0`, { result: 'CLEAR' }),
  'PENDINGKYB/I0': async (they) => (await they.createBusiness()).id,
  'ACTIVE/A0': from('PENDINGKYC/I0', async (they, id) => {
    const { body } = await they.askKyc(id)
    await they.asOperator(`kyc/${body.id}:approve`)
  }),
  'ACTIVE/A6': from('ACTIVE/A0', expire),
  'ACTIVE/B2E': byChange('ACTIVE/A6', 'ACTIVE', 'B2E'),
  'ACTIVE/B0E': byChange('ACTIVE/B2E', 'ACTIVE', 'B0E'),
  'ACTIVE/A7': byReport('ACTIVE/B2E', { result: 'CLEAR' }),
  'ACTIVE/A8': byReport('ACTIVE/B2E', caution),
  'ACTIVE/B9E': byReport('ACTIVE/B2E', { result: 'CLEAR', ...foreign }),
  'ACTIVE/B10E': byReport('ACTIVE/B2E', { ...caution, ...foreign }),
  'SUSPENDED/S0': byChange('ACTIVE/A0', 'SUSPENDED', 'S0'),
  'SUSPENDED/S5': from('PENDINGKYB/I0', (they, id) => they.review(id, 'reject', { reason: 'x' })),
  'TERMINATED/T0': byChange('PENDINGKYC/I0', 'TERMINATED', 'T0'),
  'TERMINATED/T12': byReport(`${FIRST}/B2`, { outcome: 'rejected' }),
  'TERMINATED/T13': byReport(`${FIRST}/B2`, { outcome: 'suspected' }),
  'TERMINATED/T12E': byReport('ACTIVE/B2E', { outcome: 'terminated' }),
  'TERMINATED/T13E': byReport('ACTIVE/B2E', { outcome: 'suspected' }),
}

/** Every state, as `STATUS/REASON`. */
export const everyState: readonly string[] = Object.keys(ways)

/** A new user in a state. The tenant has the settings EVERY_STATE. */
export async function reach(they: People, state: string): Promise<string> {
  const way = ways[state]
  assert.ok(way, `no way leads to ${state}: add it to test/support/contract/states.ts`)
  const id = await way(they)
  assert.equal(await they.state(id), state)
  return id
}

/** The user's passport is about to end, and the daily look finds it. */
export async function expire(they: People, id: string): Promise<void> {
  await they.addIdentification(id, { expiration_date: they.inDays(10) })
  await they.advance('P1D')
}
