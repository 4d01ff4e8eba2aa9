/** A tenant that answers the questions to its responder by calls. */

import type { Cards } from './cards.ts'
import type { Story } from './story.ts'

export async function answerQuestions({ call, prepare }: Story, { card }: Cards): Promise<void> {
  const responder = { listener: true, timeout_ms: 3000 }
  await prepare('updateSettings', { body: { responder } })
  const body = { card_id: card.id, amount: 60, currency: 'AED' }
  const paying = prepare('simulateAuthorization', { body })
  const { data } = await call('listResponderRequests', { query: { wait: 10 } })
  const params = { id: data[0].id }
  await call('answerResponderRequest', { params, body: { approved: true } })
  await paying
  await prepare('updateSettings', { body: { responder: null } })
}
