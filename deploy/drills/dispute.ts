/**
 * Two disputes of orders in live, at both sides: the issuer's messages leave and come in clearing
 * files, the shop's bank is the operator. After each step the books of both sides are compared.
 */

import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { type Case, Sides } from './dispute/sides.ts'
import { Shopper } from './orders/shopper.ts'
import { examine } from './stage/doctor.ts'
import { folderOf } from './stage/folder.ts'
import * as platform from './stage/platform.ts'
import { makeServer } from './stage/postgres.ts'
import type { Transcript } from './transcript.ts'

const FEES = [{ currency: 'AED', fixed: 0.5, chargeback_fee: 15 }]
/** Orders of 5.00 and 6.00, which the shopper does not refund. */
const ORDERS = [400, 500] as const

export async function drill(transcript: Transcript): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { sides, env } = await openSides(stack, transcript)
  transcript.step('Two purchases, and their clearing file')
  transcript.explain(
    'The captures came by line. The clearing file of the network has them again, with the ' +
      'reference data that a chargeback repeats; each is posted once.',
  )
  const [first, second] = await sides.clear(ORDERS)
  await sides.show('settled', { issuer: 0, shop: 0 })

  await lose(sides, transcript, first)
  await win(sides, transcript, second)

  transcript.step('The books in the end')
  await sides.showEnd()
  await sides.reconcile(env)
  await examine(transcript, env, 'nothing')
}

async function openSides(stack: AsyncDisposableStack, transcript: Transcript) {
  transcript.step('An issuer and a shop, in live')
  transcript.explain(
    'The cardholder is credited when the chargeback leaves (AT_CHARGEBACK). The shop pays 0.50 a ' +
      'capture and 15.00 a dispute. The drill is the network between them: it reads the outgoing ' +
      'files, and writes those that come in.',
  )
  const folder = folderOf(stack, transcript)
  const server = await makeServer(join(folder, 'server'))
  stack.defer(() => server.kill())
  transcript.print(await server.version())
  const MASTER_KEY = randomBytes(32).toString('hex')
  const env = { DATABASE_URL: server.url(), DATA_DIR: join(folder, 'data'), MASTER_KEY }
  const ports = await platform.freePorts()
  const issuer = { ISSUER_ADDRESS: `127.0.0.1:${ports.network}` }
  stack.use(await platform.startProcess({ ...env, ...issuer }, ports))
  const operator = platform.operatorKey(env.DATA_DIR)
  const tenant = await platform.makeTenant(ports, operator, 1)
  const operate = (method: string, path: string, body?: object) =>
    platform.made(ports, operator, [method, `/operator${path}`], body)
  const settings = { dispute_provisional_credit: 'AT_CHARGEBACK' }
  await platform.made(ports, tenant.api_key, ['PUT', '/tenantsettings'], settings)
  const shop = { tenant_id: tenant.id, name: 'Drill', city: 'Dubai', fees: FEES }
  const merchant = await operate('POST', '/merchants', shop)
  const { public_key, private_key } = await operate('POST', `/merchants/${merchant.id}/keys`, {})
  const keys = { public_key, private_key }
  const [card] = tenant.cards
  if (!card) throw new Error('a tenant of the drill has no card')
  const revealed = await platform.made(ports, tenant.api_key, ['GET', `/cards/${card.id}:reveal`])
  const { cvv2, expiry_date } = revealed
  const shopper = new Shopper(ports.http, keys, [{ pan: card.pan, cvv2, expiry_date }])
  const merchant_id = String(merchant.id)
  const parts = { transcript, folder, env, ports, tenant, card, operate, merchant_id, keys }
  return { sides: await Sides.open({ ...parts, shopper }), env }
}

async function lose(sides: Sides, transcript: Transcript, one: Case): Promise<void> {
  transcript.step('A dispute that is lost by arbitration')
  const { minor } = one
  await sides.open(one, 'NOT_RECEIVED', 'The watch never came.')
  await sides.show('SUBMITTED', { issuer: 0, shop: 0 })
  await sides.chargeBack(one, '450')
  await sides.show('CHARGED_BACK', { issuer: minor, shop: minor })
  transcript.explain(
    'The shop answers by evidence; its bank presents the payment again (1240 205).',
  )
  await sides.answer(one, { proof_of_delivery: 'Signed by the doorman' })
  await sides.presentAgain(one)
  await sides.show('REPRESENTED', { issuer: 0, shop: minor })
  await sides.arbitrate(one)
  await sides.show('PRE_ARBITRATION', { issuer: minor, shop: minor })
  transcript.explain(
    'The scheme decides for the shop: the provisional credit is taken back, and the shop has its ' +
      'money again, without the fee.',
  )
  await sides.decide(one, 'LOSE')
  await sides.show('LOST', { issuer: 0, shop: 0 })
}

async function win(sides: Sides, transcript: Transcript, one: Case): Promise<void> {
  transcript.step('A dispute that is won')
  const { minor } = one
  await sides.open(one, 'FRAUD', 'Nobody of us paid it.')
  await sides.chargeBack(one, '450')
  await sides.show('CHARGED_BACK', { issuer: minor, shop: minor })
  transcript.explain('The shop accepts.')
  await sides.accept(one)
  await sides.decide(one, 'WIN')
  await sides.show('WON', { issuer: minor, shop: minor })
}
