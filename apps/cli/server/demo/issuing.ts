/** The issuing part of the demo: a user, a product of its own, a funded card. */

import { withFreeBin } from '../../kit/bins.ts'
import { DemoFault, type Sandbox } from './client.ts'
import { money, print, step } from './print.ts'

export type Program = { user_id: string; card_product_id: string }
export type Card = {
  id: string
  account_id: string
  card_number: string
  expiry_date: string
  cvv2: string
}

const FUNDS = 500

export async function makeProgram(sandbox: Sandbox): Promise<Program> {
  step('A user is created')
  const person = { first_name: 'Layla', last_name: 'Haddad', email: 'layla@example.com' }
  const user = await sandbox.issuing('POST', '/users', person)
  print(`  user ${user.id}: ${user.status} ${user.status_reason_code}`)

  step('A card product defines its cards')
  const product = await makeProduct(sandbox)
  print(`  product ${product.id}: BIN ${product.bin}, ${product.currency}`)
  return { user_id: user.id, card_product_id: product.id }
}

/** A BIN belongs to one tenant, so each run of the demo has another. */
function makeProduct(sandbox: Sandbox) {
  return withFreeBin((bin) => {
    const product = { name: 'Demo virtual', currency: 'AED', bin }
    return sandbox.issuing('POST', '/cardproducts', product).catch((error: unknown) => {
      if (error instanceof DemoFault && error.code === 'bin_taken') return undefined
      throw error
    })
  })
}

export async function fundAndIssue(sandbox: Sandbox, program: Program): Promise<Card> {
  step('A virtual card is issued and activated')
  const card = await sandbox.issuing('POST', '/cards', { ...program, card_type: 'VIRTUAL' })
  print(`  card ${card.id}: ${card.masked_card_number}, ${card.status} ${card.status_reason_code}`)
  const move = { status: 'ACTIVE', status_reason_code: 'A0' }
  const active = await sandbox.issuing('PUT', `/cards/${card.id}:statuschange`, move)
  print(`  now ${active.status} ${active.status_reason_code}, account ${card.account_id}`)

  step(`${money(FUNDS)} are loaded from the program's funding`)
  const load = { currency: 'AED', amount: FUNDS }
  const dry = await sandbox.issuing('POST', `/accounts/${card.account_id}:loadfunds`, {
    ...load,
    dry_run: true,
  })
  print(`  dry run: balance ${money(dry.account.balance)}`)
  const loaded = await sandbox.issuing('POST', `/accounts/${card.account_id}:loadfunds`, load)
  print(`  transfer ${loaded.transfer_id}: balance ${money(loaded.account.balance)}`)
  const { card_number, expiry_date, cvv2 } = await sandbox.issuing(
    'GET',
    `/cards/${card.id}:reveal`,
  )
  return { id: card.id, account_id: card.account_id, card_number, expiry_date, cvv2 }
}
