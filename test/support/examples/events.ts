/** Events with the members that those of the other chapters do not have (D-61). */

import type { Cards } from './cards.ts'
import type { Story } from './story.ts'

/** Nothing of this is an example: the documents show the first event of each kind. */
export async function causeFurtherEvents(story: Story, cards: Cards): Promise<void> {
  await failVerification(story)
  await replaceCard(story, cards)
}

/** A verification is not passed, and is begun again. */
async function failVerification({ prepare }: Story): Promise<void> {
  await prepare('updateSettings', { body: { require_document_verification: true } })
  const { id } = await prepare('createUser', { body: { first_name: 'Hani', last_name: 'Saleh' } })
  const report = { result: 'CONSIDER', outcome: 'caution' }
  await prepare('simulateIdentityReport', { params: { user_id: id }, body: report })
  const again = { status: 'PENDINGIDVERIFICATION', status_reason_code: 'B2', note: 'Second try' }
  await prepare('changeUserStatus', { params: { id }, body: again })
  await prepare('updateSettings', { body: { require_document_verification: null } })
}

/** The note of the change has all that a note may have. */
async function replaceCard({ prepare }: Story, { other }: Cards): Promise<void> {
  const { id, user_id, card_product_id } = other
  const note = { category: 'LOST', description: 'In a taxi', extras: { city: 'Dubai' } }
  const change = { status: 'TERMINATED', status_reason_code: 'T1', note }
  await prepare('changeCardStatus', { params: { id }, body: change })
  const body = { user_id, card_product_id, card_type: 'VIRTUAL', reference_card_id: id }
  await prepare('createCard', { body })
}
