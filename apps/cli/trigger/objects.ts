/** Triggers of users, their documents, cards and accounts. */

import { setTimeout as sleep } from 'node:timers/promises'
import { Fault } from '../kit/faults.ts'
import type { Kind } from './kind.ts'
import { cardWithPin } from './pins.ts'
import type { Stage } from './stage.ts'
import { cardInWallet } from './wallets.ts'

type Run = Kind['run']
const of = (takes: Kind['takes'], name: string, about: string, run: Run): Kind => ({
  name,
  about,
  takes,
  run,
})

const DAY_MS = 86_400_000
const ENDS_IN_DAYS = 5

/** A KYC request with its result. */
const kyc =
  (result: 'OK' | 'FAILED'): Run =>
  async (stage) => {
    const user = await stage.withSettings({ require_kyc: true }, () => stage.newUser())
    const request = await stage.bezant.kyc.createRequest(user, {
      kyc_policy: 'UAE_INDIVIDUAL_PRIMARY',
    })
    stage.say(`a KYC request is ${request.status}`, request.id)
    const decided = await stage.bezant.simulation.kycResult(request.id, { result })
    stage.say(`the KYC request is ${decided.status}`, decided.id)
    const { status, status_reason_code } = await stage.bezant.users.get(user)
    stage.say(`the user is ${status} ${status_reason_code}`, user)
  }

/** A KYC request of a user whose name is on the list of the sandbox. */
const match: Run = async (stage) => {
  const named = () => stage.newUser({ last_name: 'Match' })
  const user = await stage.withSettings({ require_kyc: true }, named)
  await stage.until('SCREENING_MATCH', async () => {
    const asked = { kyc_policy: 'UAE_INDIVIDUAL_PRIMARY' } as const
    const request = await stage.bezant.kyc.createRequest(user, asked)
    stage.say(`a KYC request is ${request.status}`, request.id)
  })
  stage.say('an entry of a list may be the user', user)
}

/** The report of an identity check. */
const identity =
  (report: Parameters<Stage['bezant']['simulation']['identityReport']>[1]): Run =>
  async (stage) => {
    const settings = { require_document_verification: true }
    const user = await stage.withSettings(settings, () => stage.newUser())
    const { status, status_reason_code } = await stage.bezant.simulation.identityReport(
      user,
      report,
    )
    stage.say(`the user is ${status} ${status_reason_code}`, user)
  }

/** A passport that ends in five days, under a policy that warns ten days before; `days` later. */
const ending =
  (days: number): Run =>
  async (stage) => {
    const { now } = await stage.bezant.simulation.getClock()
    const ends = new Date(Date.parse(now) + ENDS_IN_DAYS * DAY_MS).toISOString().slice(0, 10)
    const policy = { expired_idv_policy: { days_prior_expiration: 10 } }
    await stage.withOperatorSettings(policy, async () => {
      const user = await stage.newUser()
      const passport = { type: 'PASSPORT', number: 'P1234567', expiration_date: ends } as const
      const { id } = await stage.bezant.identifications.create(user, passport)
      stage.say(`a passport that ends on ${ends} is added`, id)
      await stage.until('USER_DOCUMENT_ALERT', () => stage.advance(`P${days}D`))
      const { status, status_reason_code } = await stage.bezant.users.get(user)
      stage.say(`the user is ${status} ${status_reason_code}`, user)
    })
  }

const cardStatus =
  (status: 'SUSPENDED' | 'TERMINATED', status_reason_code: 'S0' | 'T0'): Run =>
  async (stage) => {
    const { id } = await stage.card()
    await stage.bezant.cards.changeStatus(id, { status, status_reason_code })
    stage.say(`the card is ${status} ${status_reason_code}`, id)
  }

const DUBAI = { address_line1: '12 Palm Street', city: 'Dubai', country: 'ARE' }
type Leg = 'ordered' | 'shipped' | 'delivered' | 'failed'

/** A physical card, as far as it goes on its way. */
const delivered =
  (...legs: readonly Leg[]): Run =>
  async (stage) => {
    const card = { card_type: 'PHYSICAL', delivery_method: 'COURIER' }
    const shipping_details = { address: DUBAI }
    const { id } = await stage.newCard(undefined, { funds: 0, card: { ...card, shipping_details } })
    const { simulation } = stage.bezant
    const ways: Record<Leg, () => Promise<{ fulfillment_status?: string | undefined }>> = {
      ordered: () => simulation.embossing(id),
      shipped: () => simulation.shipment(id, { delivery_partner: 'Courier' }),
      delivered: () => simulation.delivery(id),
      failed: () => simulation.failedDelivery(id),
    }
    for (const leg of legs) stage.say(`the card is ${(await ways[leg]()).fulfillment_status}`, id)
  }

const tokenStatus =
  (status: 'SUSPENDED' | 'DELETED'): Run =>
  async (stage) => {
    const id = await cardInWallet(stage)
    await stage.bezant.walletTokens.changeStatus(id, { status })
    stage.say(`the wallet token is ${status}`, id)
  }

const PING_TRIES = 50
const PAUSE_MS = 100

/** A receiver of the sandbox is pinged; its subscription is removed behind it. */
async function ping(stage: Stage): Promise<void> {
  const receiver = await stage.bezant.simulation.createWebhookReceiver()
  const webhook = await stage.bezant.webhooks.create({
    endpoint: receiver.url,
    events: ['TRANSACTION'],
  })
  stage.say('a subscription of a receiver of the sandbox is created', webhook.id)
  try {
    await stage.bezant.webhooks.ping(webhook.id)
    for (let tries = 0; tries < PING_TRIES; tries++) {
      const { data } = await stage.bezant.simulation.listReceivedRequests(receiver.id)
      if (data[0]) return stage.say('PING has arrived', data[0].id)
      await sleep(PAUSE_MS)
    }
    throw new Fault('PING has been sent, and has not arrived yet')
  } finally {
    await stage.bezant.webhooks.delete(webhook.id)
    await stage.bezant.simulation.deleteWebhookReceiver(receiver.id)
  }
}

export const objectKinds: readonly Kind[] = [
  of('nothing', 'user.created', 'a user is created', async (stage) => {
    await stage.newUser()
  }),
  of('user', 'user.suspended', 'a user is suspended', async (stage) => {
    const id = await stage.user()
    const change = { status: 'SUSPENDED', status_reason_code: 'S0' } as const
    await stage.bezant.users.changeStatus(id, change)
    stage.say('the user is SUSPENDED S0', id)
  }),
  of('nothing', 'kyc.passed', 'a KYC request is passed', kyc('OK')),
  of('nothing', 'kyc.rejected', 'a KYC request fails', kyc('FAILED')),
  of('nothing', 'kyc.match', 'a user is found on a list', match),
  of('nothing', 'identity.passed', 'an identity check is clear', identity({ result: 'CLEAR' })),
  of('nothing', 'identity.rejected', 'an identity check fails', identity({ outcome: 'rejected' })),
  of('nothing', 'document.expiring', 'a passport is about to end; moves the clock', ending(1)),
  of(
    ...(['nothing', 'document.expired', 'a passport has ended; moves the clock'] as const),
    ending(ENDS_IN_DAYS + 2),
  ),
  of('user', 'account.created', 'a card with an account is created', async (stage) => {
    await stage.newCard(undefined, { funds: 0 })
  }),
  of('card', 'account.suspended', 'an account is suspended', async (stage) => {
    const { account_id } = await stage.card()
    await stage.bezant.accounts.changeStatus(account_id, { status: 'SUSPENDED' })
    stage.say('the account is SUSPENDED', account_id)
  }),
  of('card', 'charge', 'a charge is taken from an account', async (stage) => {
    const { account_id, currency } = await stage.card()
    const amount = stage.options.amount ?? 2
    const body = { amount, currency, description: 'A charge by bezant trigger' }
    const { id } = await stage.bezant.charges.chargeAccount(account_id, body)
    stage.say(`a charge of ${amount} ${currency} is taken`, id)
  }),
  of('user', 'card.created', 'a card is created', async (stage) => {
    await stage.newCard(undefined, { funds: 0 })
  }),
  of('card', 'card.suspended', 'a card is suspended', cardStatus('SUSPENDED', 'S0')),
  of('card', 'card.terminated', 'a card is terminated', cardStatus('TERMINATED', 'T0')),
  of('user', 'card.ordered', 'a physical card is ordered', delivered('ordered')),
  of('user', 'card.shipped', 'a physical card is shipped', delivered('ordered', 'shipped')),
  of(
    ...(['user', 'card.delivered', 'a physical card is delivered'] as const),
    delivered('ordered', 'shipped', 'delivered'),
  ),
  of(
    ...(['user', 'card.delivery_failed', 'the delivery of a physical card fails'] as const),
    delivered('ordered', 'shipped', 'failed'),
  ),
  of('nothing', 'pin.changed', 'the PIN of a card is set', async (stage) => {
    await cardWithPin(stage)
  }),
  of('card', 'token.created', 'a card is put into a wallet', async (stage) => {
    await cardInWallet(stage)
  }),
  of('card', 'token.suspended', 'a wallet token is suspended', tokenStatus('SUSPENDED')),
  of('card', 'token.deleted', 'a wallet token is deleted', tokenStatus('DELETED')),
  of('nothing', 'ping', 'a subscription is tested', ping),
]
