/** Accounts, transfers, and card payments from the authorization to the refund. */

import type { Cards } from './cards.ts'
import type { Story } from './story.ts'

const BOOKSHOP = { id: 'BOOKSHOP', name: 'Palm Books', mcc: '5942', city: 'Dubai', country: 'ARE' }
const TWO_HOURS_MS = 2 * 60 * 60_000
const aed = (amount: number) => ({ currency: 'AED', amount })

export async function moveMoney({ call }: Story, { card, other }: Cards): Promise<void> {
  const params = { id: card.account_id }
  await call('loadAccountFunds', { params, body: { ...aed(5000), notes: 'Salary' } })
  await call('unloadAccountFunds', { params, body: aed(200) })
  const recipient_account_id = other.account_id
  const body = { sender_account_id: card.account_id, recipient_account_id, ...aed(150) }
  await call('createTransfer', { body: { ...body, notes: 'Rent' } })
  const letter = { ...aed(2.5), description: 'Letter to the cardholder' }
  const charge = await call('chargeAccount', { params, body: letter })
  await call('getAccountCharge', { params: { ...params, charge_id: charge.id } })
  await call('listAccountCharges', { params, query: { limit: 1 } })
  await call('getAccount', { params })
  await call('listAccounts', { query: { card_id: card.id } })
}

export async function payByCard({ call, prepare }: Story, { card }: Cards): Promise<void> {
  const purchase = { card_id: card.id, merchant: BOOKSHOP }
  const paid = await call('simulateAuthorization', { body: { ...purchase, ...aed(120.5) } })
  const params = { id: paid.id }
  await call('simulateIncrement', { params, body: { amount: 20 } })
  await call('getTransactionTrace', { params })
  await call('simulateClearing', { params, body: {} })
  await call('getTransaction', { params })
  await call('listTransactionEntries', { params })
  const refund = { transaction_id: paid.id, ...aed(30), merchant: BOOKSHOP }
  await call('simulateRefund', { body: refund })
  const reversed = await prepare('simulateAuthorization', { body: { ...purchase, ...aed(75) } })
  await call('simulateReversal', { params: { id: reversed.id }, body: { amount: 75 } })
  await call('listTransactions', { query: { card_id: card.id, status: 'SETTLED', limit: 1 } })

  const account = { params: { id: card.account_id }, query: { limit: 2 } }
  await call('listAccountEntries', account)
  await call('listAccountEntries', { params: account.params, accept: 'text/csv' })
  await call('listFunding')
  const { now } = await prepare('getClock')
  const from = new Date(Date.parse(now) - TWO_HOURS_MS).toISOString()
  await call('getAuthorizationStatistics', { query: { from, to: now } })
  await call('searchObjects', { query: { q: paid.id } })
  // Left to expire.
  const held = await prepare('simulateAuthorization', { body: { ...purchase, ...aed(40) } })
  await call('listTransactionMessages', { params: { id: held.id } })
}

export async function closeAccount({ call }: Story, { other }: Cards): Promise<void> {
  const body = { status: 'SUSPENDED', notes: 'Review of the account' }
  await call('changeAccountStatus', { params: { id: other.account_id }, body })
}
