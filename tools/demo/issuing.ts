/** The issuing side of the story: a user, a product of its own, a funded card. */

import { randomInt } from 'node:crypto'
import { DemoFault, type Sandbox } from './client.ts'
import { money, say, step } from './say.ts'

export type Program = { user_id: string; card_product_id: string }
export type Card = {
  id: string
  account_id: string
  card_number: string
  expiry_date: string
  cvv2: string
}

const FUNDS = 500
const BIN_TRIES = 20

export async function makeProgram(sandbox: Sandbox): Promise<Program> {
  step('A person becomes a user')
  const person = { first_name: 'Layla', last_name: 'Haddad', email: 'layla@example.com' }
  const user = await sandbox.issuing('POST', '/users', person)
  say(`  user ${user.id}: ${user.status} ${user.status_reason_code}`)

  step('A card product says what its cards may do')
  const product = await makeProduct(sandbox)
  say(`  product ${product.id}: BIN ${product.bin}, ${product.currency}`)
  return { user_id: user.id, card_product_id: product.id }
}

/** A BIN belongs to one product's tenant, so each run of the demo looks for a free one. */
async function makeProduct(sandbox: Sandbox) {
  for (let tries = 0; tries < BIN_TRIES; tries++) {
    const bin = `4${randomInt(10 ** 7)}`.padEnd(8, '0')
    const product = { name: 'Demo virtual', currency: 'AED', bin }
    const made = await sandbox.issuing('POST', '/cardproducts', product).catch(() => undefined)
    if (made) return made
  }
  throw new DemoFault('no free BIN was found')
}

export async function fundAndIssue(sandbox: Sandbox, program: Program): Promise<Card> {
  step('A virtual card is issued and activated')
  const card = await sandbox.issuing('POST', '/cards', { ...program, card_type: 'VIRTUAL' })
  say(`  card ${card.id}: ${card.masked_card_number}, ${card.status} ${card.status_reason_code}`)
  const move = { status: 'ACTIVE', status_reason_code: 'A0' }
  const active = await sandbox.issuing('PUT', `/cards/${card.id}:statuschange`, move)
  say(`  now ${active.status} ${active.status_reason_code}, account ${card.account_id}`)

  step(`${money(FUNDS)} are loaded from the program's funding`)
  const load = { currency: 'AED', amount: FUNDS }
  const dry = await sandbox.issuing('POST', `/accounts/${card.account_id}:loadfunds`, {
    ...load,
    dry_run: true,
  })
  say(`  rehearsed: ${money(dry.account.balance)}`)
  const loaded = await sandbox.issuing('POST', `/accounts/${card.account_id}:loadfunds`, load)
  say(`  transfer ${loaded.transfer_id}: balance ${money(loaded.account.balance)}`)
  const { card_number, expiry_date, cvv2 } = await sandbox.issuing(
    'GET',
    `/cards/${card.id}:reveal`,
  )
  return { id: card.id, account_id: card.account_id, card_number, expiry_date, cvv2 }
}
