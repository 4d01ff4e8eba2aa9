/** Conditions of authorizations, the card network, the merchant service and webhooks. */

import { setTimeout as pause } from 'node:timers/promises'
import { writeAmount } from '#iso8583/amounts.ts'
import { completion, sale } from '#test/support/network/messages.ts'
import { openEndpoint } from './outside.ts'
import { buy, type Codes, connect, sumOf } from './platform.ts'
import type { Stage } from './stage.ts'

const PILED = 5_000
const GARBAGE = 1_000
/** More than the card has, minor units. */
const BEYOND_FUNDS = 100_000_000n

export async function askFailingResponder(stage: Stage): Promise<void> {
  const { transcript, platform, network, card } = stage
  transcript.step('The responder of a tenant answers 500')
  await using endpoint = await openEndpoint(() => ({ status: 500 }))
  await platform.call('PUT', '/tenantsettings', { responder: { url: endpoint.url } })
  const codes = await buy(network, card, 20)
  transcript.print(`20 purchases were answered ${JSON.stringify(codes)}`)
  await stage.fire(['BezantResponderFailing'])
  await platform.call('PUT', '/tenantsettings', { responder: null })
}

export async function presentDeclined(stage: Stage): Promise<void> {
  const { transcript, network, card } = stage
  transcript.step('The card network presents a purchase that was declined')
  const { pan } = card
  const request = sale({ pan, amount: BEYOND_FUNDS })
  const declined = await network.send(request)
  const answer = await network.send(completion(request, declined, { 4: writeAmount(100n) }))
  const codes = [declined, answer].map(({ fields }) => fields[39])
  transcript.print(`the request was answered ${codes[0]}, its presentment ${codes[1]}`)
  await stage.fire(['BezantPresentmentsAgainst'])
}

/** As stored: less than nothing was refunded. */
const IMPOSSIBLE = JSON.stringify({
  rate: '1',
  held: '0',
  cleared: '100',
  refunded: '-100000',
  settled: '100',
})

export async function refundImpossible(stage: Stage): Promise<void> {
  const { transcript, database, network, card } = stage
  transcript.step('A purchase whose stored row cannot be is refunded')
  const { pan } = card
  const request = sale({ pan, amount: 100n, mti: '0200' })
  await network.send(request)
  const rrn = request.fields[37] ?? ''
  const edited = `update transactions set details = jsonb_set(details::jsonb, '{foreign}', $1)::json
    where rrn = $2`
  await database.query(edited, [IMPOSSIBLE, rrn])
  const refund = sale({ pan, amount: 100n, mti: '0200', fields: { 3: '200000', 37: rrn } })
  const answer = await network.send(refund)
  transcript.print(`its refund was answered ${answer.fields[39]}`)
  await stage.fire(['BezantDecisionsUnsound'])
}

export async function sendGarbage(stage: Stage): Promise<void> {
  const { transcript, network, api } = stage
  transcript.step('The card network sends messages of an unknown type, and fills the port')
  for (let sent = 0; sent < GARBAGE; sent += 1) {
    network.post({ mti: '0700', fields: { 11: '000001' } })
    // Over some scrapes: the first one of a new series shows no increase.
    if (sent % 10 === 0) await pause(30)
  }
  const others = await Promise.all(Array.from({ length: 4 }, () => connect(api)))
  transcript.print(`${GARBAGE} messages of the type 0700; 5 of 5 connections are open`)
  await stage.fire(['BezantNetworkFaults', 'BezantNetworkConnectionsNearLimit'])
  for (const other of others) await other.close()
}

export async function lockAccounts(stage: Stage): Promise<void> {
  const { transcript, database, network, card } = stage
  transcript.step('Another session locks the accounts')
  const release = await database.hold('lock table accounts in share mode')
  const bought: Promise<Codes>[] = []
  const buying = setInterval(() => bought.push(buy(network, card, 150)), 200)
  await pause(8_000)
  clearInterval(buying)
  await release()
  const codes = sumOf(await Promise.all(bought))
  transcript.print(`Purchases for 8 s, 150 every 0.2 s: ${JSON.stringify(codes)}`)
  await stage.fire([
    ...['BezantAuthorizationsQueued', 'BezantAuthorizationsTimedOut', 'BezantAuthorizationsSlow'],
  ])
}

export async function payWithoutIssuer(stage: Stage): Promise<void> {
  const { transcript, database, platform, card } = stage
  transcript.step('The issuer accepts connections and answers no payment')
  await platform.pay(card)
  await stage.fire(['BezantIssuerSilent'])
  const aged = await database.query(
    "update acquirer_messages set created = created - interval '10 minutes' where due is not null",
  )
  transcript.print(`${aged.rowCount} advice waits; it is made 10 minutes older by SQL`)
  await stage.fire(['BezantAdvicesUndelivered'])
}

export async function failWebhooks(stage: Stage): Promise<void> {
  const { transcript, database, platform, network, card } = stage
  transcript.step('The endpoint of a subscription answers 503, later 200, another one 410')
  let status = 503
  await using endpoint = await openEndpoint(() => ({ status }))
  const body = { endpoint: endpoint.url, events: ['TRANSACTION'] }
  const { id } = await platform.call('POST', '/webhooks', body)
  await buy(network, card, 30)
  await stage.fire(['BezantWebhooksFailing'])
  await database.query(PILE, [platform.keys().tenant.id, id, PILED])
  transcript.print(`${PILED} open deliveries, due tomorrow, are written by SQL`)
  await stage.fire(['BezantDeliveriesPiling'])
  status = 200
  const due = "due = now() - interval '10 minutes'"
  const late = await database.query(
    `update deliveries set ${due} where webhook_id = $1 and attempts > 0 and due is not null`,
    [id],
  )
  transcript.print(`${late.rowCount} deliveries are made due 10 minutes ago by SQL`)
  await stage.fire(['BezantWebhooksLate'])
  status = 410
  await buy(network, card, 1)
  await stage.fire(['BezantWebhookDisabled'])
}

/** Deliveries are partitioned by the month in their ids, so theirs begin as one of this month. */
const PILE = `
  insert into deliveries (tenant_id, id, webhook_id, event_id, event, object_id, sequence, status,
    due, created, modified)
  select $1::uuid, (left($2::uuid::text, 24) || lpad(to_hex(n), 12, '0'))::uuid, $2,
    gen_random_uuid(), 'TRANSACTION', gen_random_uuid(), 1, 'PENDING',
    now() + interval '1 day', now(), now()
  from generate_series(1, $3::int) n`
