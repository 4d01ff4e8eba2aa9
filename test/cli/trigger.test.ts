/** Every `bezant trigger` against the program. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Bezant, type WebhookEvent } from '#client/index.ts'
import { BezantMerchant } from '#client/merchant.ts'
import { statusCodes } from '#iso8583/codes.ts'
import { withBoundPorts } from '#src/config/config.ts'
import { kinds as emitted } from '#test/support/contract/event_kinds.ts'
import { keeper } from '#test/support/keeper.ts'
import { kinds } from '../../apps/cli/trigger/kinds.ts'
import { Stage } from '../../apps/cli/trigger/stage.ts'
import { openShop } from '../e2e/shop.ts'

const keep = keeper()
const world = keep(await openShop())
const baseUrl = await world.app.listen({ host: '127.0.0.1', port: 0 })
const ports = { port: Number(new URL(baseUrl).port), network_port: world.issuer_port }
world.bind(withBoundPorts(world.config, ports))
// Deliveries and bulk issuances are the work of its sweeps.
world.sweeper.start(true)
const bezant = new Bezant({ baseUrl, apiKey: world.tenant.api_key })
const operator = new Bezant({ baseUrl, apiKey: world.operator_key })
const tenant = world.tenant.id
await operator.operator.updateSettings(tenant, { pci_compliant: true })
await operator.operator.fundTenant(tenant, { currency: 'AED', amount: 1_000_000 })
const { public_key, private_key } = world.merchant
const merchant = new BezantMerchant({ baseUrl, keys: { public_key, private_key } })

const network = {
  host: '127.0.0.1',
  port: world.issuer_port,
  dialect: 'ascii',
  header: 'binary2',
} as const

type EventKind = WebhookEvent['event']

/** The events that each trigger is for; a decline code is checked by the trigger itself. */
const causes: Record<string, EventKind> = {
  purchase: 'TRANSACTION',
  'challenge.created': 'CHALLENGE_CREATED',
  'hold.expired': 'EXPIRED_AUTH',
  'dispute.opened': 'DISPUTE_STATUS_CHANGE',
  'dispute.submitted': 'DISPUTE_STATUS_CHANGE',
  'dispute.represented': 'DISPUTE_STATUS_CHANGE',
  'dispute.accepted': 'DISPUTE_STATUS_CHANGE',
  'dispute.won': 'DISPUTE_STATUS_CHANGE',
  'dispute.lost': 'DISPUTE_STATUS_CHANGE',
  'dispute.withdrawn': 'DISPUTE_STATUS_CHANGE',
  'dispute.deadline': 'DISPUTE_DEADLINE',
  'user.created': 'USER_CREATED',
  'user.suspended': 'USER_STATUS_CHANGE',
  'kyc.passed': 'KYC_RESULT',
  'kyc.rejected': 'KYC_RESULT',
  'kyc.match': 'SCREENING_MATCH',
  'identity.passed': 'USER_STATUS_CHANGE',
  'identity.rejected': 'IDENTITY_VERIFICATION',
  'document.expiring': 'USER_DOCUMENT_ALERT',
  'document.expired': 'USER_DOCUMENT_ALERT',
  'account.created': 'SUCCESSFULLY_CREATED',
  'account.suspended': 'ACCOUNT_STATUS_CHANGE',
  charge: 'CHARGE_APPLIED',
  'card.created': 'SUCCESSFULLY_CREATED',
  'card.suspended': 'CARD_STATUS_CHANGE',
  'card.terminated': 'CARD_STATUS_CHANGE',
  'card.ordered': 'CARD_DELIVERY_STATUS_CHANGED',
  'card.shipped': 'CARD_DELIVERY_PARTNER_ASSIGNED',
  'card.delivered': 'CARD_DELIVERY_STATUS_CHANGED',
  'card.delivery_failed': 'CARD_DELIVERY_STATUS_CHANGED',
  'pin.changed': 'PIN_CHANGE',
  'token.created': 'CARD_PROVISIONING',
  'token.suspended': 'TOKEN_NOTIFICATION',
  'token.deleted': 'TOKEN_NOTIFICATION',
  'order.authorized': 'ORDER_AUTHORIZED',
  'order.captured': 'ORDER_CAPTURED',
  'order.refunded': 'ORDER_REFUNDED',
  'order.capture_expiring': 'ORDER_CAPTURE_EXPIRING',
  'order.expired': 'ORDER_EXPIRED',
  'chargeback.opened': 'CHARGEBACK_STATUS_CHANGE',
  'chargeback.contested': 'CHARGEBACK_STATUS_CHANGE',
  'payout.created': 'PAYOUT_CREATED',
  'payout.paid': 'PAYOUT_PAID',
  'payout.failed': 'PAYOUT_FAILED',
}

/** Given by other triggers, or caused by no client of a sandbox (docs/cli.md says why). */
const CODES_WITHOUT = new Set(['0000', '0885', '1001', '1845', '1847', '1889', '9109', '9113'])
const rows = readFileSync('docs/cli.md', 'utf8').match(/^\| \d{4}.* \| .+$/gm) ?? []

test('every kind of event and every status code that can be caused has a trigger', () => {
  const caused = new Set<string>([...Object.values(causes), 'PING'])
  // It takes as many readings of card data as the tenant may have in an hour.
  const all = [...emitted].filter((kind) => kind !== 'CARD_DETAILS_LIMIT')
  assert.deepEqual([...caused].sort(), [...all, 'PING'].sort())
  const names = new Set(kinds.map(({ name }) => name))
  assert.equal(names.size, kinds.length)
  const codes = statusCodes.map(({ code }) => code)
  assert.deepEqual(
    codes.filter((code) => !names.has(code)),
    codes.filter((code) => CODES_WITHOUT.has(code)),
  )
  for (const code of CODES_WITHOUT)
    assert.ok(
      rows.some((row) => row.includes(code)),
      code,
    )
})

describe('bezant trigger', () => {
  for (const { name, about, run } of kinds) {
    test(`${name} causes it: ${about}`, async () => {
      const { after } = await bezant.events.list({ after: 'latest' })
      const stage = new Stage(
        bezant,
        {},
        () => {},
        {
          operator,
          tenant,
          shop: { merchant, baseUrl },
        },
        network,
      )
      await run(stage)
      assert.notDeepEqual(stage.steps, [])
      const event = causes[name]
      if (event === undefined) return
      // The feed has an event when no transaction before it is under way.
      const seen: string[] = []
      for (let cursor = after; !seen.includes(event); ) {
        const page = await bezant.events.list({ ...(cursor && { after: cursor }), wait: 20 })
        assert.notDeepEqual(page.data, [], `${event} is not among ${seen.join()}`)
        seen.push(...page.data.map((one) => one.event))
        cursor = page.after ?? cursor
      }
    })
  }
})
