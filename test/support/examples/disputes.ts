/** Disputes of settled payments, from the draft to the decision. */

import { form, pdf } from '#test/support/files.ts'
import type { Cards } from './cards.ts'
import type { Body, Story } from './story.ts'

const SHOP = { id: 'WATCHES', name: 'Dubai Watches', mcc: '5944', city: 'Dubai', country: 'ARE' }
const aed = (amount: number) => ({ currency: 'AED', amount })

export async function dispute(story: Story, tenant_id: string, { card }: Cards): Promise<void> {
  const { call, prepare } = story
  await call('listDisputeReasons')
  const opened = await openOne(story, 'call', card.id)
  const params = { id: opened.id }
  const evidence = { expected_date: '2026-11-10', merchant_contact: 'Two e-mails, no answer' }
  await call('updateDispute', { params, body: { evidence } })
  const scan = form({ name: 'file', value: pdf(), file_name: 'letter.pdf' })
  const shown = { file: 'letter.pdf' }
  const file = await call('uploadDisputeFiles', { params, form: { ...scan, shown } })
  await call('listDisputeFiles', { params, query: { limit: 1 } })
  const again = form({ name: 'file', value: pdf(), file_name: 'receipt.pdf' })
  await call('uploadDisputeFilesByPut', {
    params,
    form: { ...again, shown: { file: 'receipt.pdf' } },
  })
  const ofFile = { params: { ...params, file_id: file.id } }
  await call('getDisputeFile', ofFile)
  await call('browseDisputeFile', ofFile)
  await call('downloadDisputeFile', ofFile)
  await call('deleteDisputeFile', ofFile)
  await call('submitDispute', { params, body: { note: 'Two e-mails to the shop, no answer' } })
  await call('listOutgoingDisputes', { query: { tenant_id } })
  await call('recordDisputeStep', { params, body: { step: 'SENT' } })
  await call('simulateRepresentment', { params, body: { note: 'Proof of delivery' } })
  await call('arbitrateDispute', { params, body: { note: 'Signed by another person' } })
  await call('simulateWonDispute', { params, body: {} })
  await call('getDispute', { params })
  await call('listDisputes', { query: { card_id: card.id, limit: 1 } })

  const accepted = { params: { id: (await openOne(story, 'prepare', card.id)).id } }
  await prepare('submitDispute', accepted)
  await prepare('simulateRepresentment', accepted)
  await call('acceptDispute', accepted)
  const lost = { params: { id: (await openOne(story, 'prepare', card.id)).id } }
  await prepare('submitDispute', lost)
  await call('simulateArbitration', lost)
  await call('simulateLostDispute', lost)
  // Left until its deadline is near.
  const contested = { params: { id: (await openOne(story, 'prepare', card.id)).id } }
  await prepare('submitDispute', contested)
  await prepare('simulateRepresentment', contested)
  const withdrawn = { params: { id: (await openOne(story, 'prepare', card.id)).id } }
  await call('withdrawDispute', { ...withdrawn, body: { note: 'It has arrived' } })
}

async function openOne({ call, prepare }: Story, as: 'call' | 'prepare', card_id: string) {
  const body = { card_id, merchant: SHOP, ...aed(20) }
  const paid: Body = await prepare('simulateAuthorization', { body })
  await prepare('simulateClearing', { params: { id: paid.id }, body: {} })
  const explanation = 'The watch was to arrive on 10 November and has not.'
  const input = { transaction_id: paid.id, reason: 'NOT_RECEIVED', explanation }
  return (as === 'call' ? call : prepare)('openDispute', { body: input })
}
