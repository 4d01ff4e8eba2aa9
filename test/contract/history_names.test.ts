/** The history of an object in the console has words for whatever is recorded of it (D-500). */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { history } from '../../apps/console/src/i18n/en/history.ts'

type Operation = { operationId: string; 'x-permission': string }
type Document = { paths: Record<string, Record<string, Operation>> }

/**
 * Operations that change objects without a history in the console: settings, tenants, shops, rates,
 * receivers.
 */
const WITHOUT_HISTORY = [
  ...['updateSettings', 'rotateResponderSecret', 'updateSettingsAsOperator', 'moveClock'],
  ...['createTenant', 'createApiKey', 'revokeApiKey', 'fundTenantAsOperator', 'setRates'],
  ...['sendCardOrders', 'exchangeNetworkKeys'],
  ...['createMerchant', 'updateMerchant', 'createMerchantKey', 'revokeMerchantKey'],
  ...['markPayoutPaid', 'markPayoutFailed', 'endStuckPayment'],
  ...['importClearing', 'resolveClearingRecord', 'exportClearing'],
  ...['createWebhookReceiver', 'updateWebhookReceiver', 'deleteWebhookReceiver'],
]

const file = new URL('../../docs/openapi/issuing.json', import.meta.url)
// Our own file, which a test compares with the routes.
const { paths } = JSON.parse(readFileSync(file, 'utf8')) as Document

const recorded = Object.values(paths).flatMap((methods) =>
  Object.entries(methods)
    .filter(([method, { 'x-permission': permission }]) =>
      method === 'get' ? permission === 'cards:reveal' : permission !== 'read',
    )
    .map(([, { operationId }]) => operationId),
)

test('each recorded operation of an object with a history has a name in it', () => {
  assert.ok(recorded.includes('revealCard') && recorded.includes('createCard'))
  const named = Object.keys(history.operations)
  const known = new Set([...named, ...WITHOUT_HISTORY])
  assert.deepEqual(
    recorded.filter((operation) => !known.has(operation)),
    [],
  )
})
