/** Tenants, their keys, settings and funding; card networks. */

import { answerExchange, NETWORK, recordLines } from '#test/support/network/networks.ts'
import type { TestTenant } from '#test/support/world.ts'
import type { Story } from './story.ts'

/** The tenant of all examples, with funds. */
export async function openTenant({ call, as }: Story): Promise<TestTenant> {
  const body = { name: 'Palm Bank', settings: { pci_compliant: true, time_zone: 'Asia/Dubai' } }
  const tenant = await call('createTenant', { body })
  as(tenant)
  await call('listTenants', { query: { limit: 1 } })
  const params = { id: tenant.id }
  await call('getTenant', { params })
  await call('getSettingsAsOperator', { params })
  const policy = {
    days_prior_expiration: 30,
    applicable_user_status: ['ACTIVE'],
  }
  await call('updateSettingsAsOperator', { params, body: { expired_idv_policy: policy } })
  await call('listAuditRecordsAsOperator', { query: { tenant_id: tenant.id, limit: 1 } })
  await call('getUsageAsOperator', { params })
  await call('getSettings')
  await call('getUsage')
  await call('updateSettings', { body: { hold_days: 5, clearing_hold_days: 10 } })
  await call('rotateResponderSecret')

  const key = await call('createApiKey', { params, body: { permissions: ['read', 'write'] } })
  await call('listAuditRecords', { query: { limit: 1 } })
  await call('listApiKeys', { params, query: { limit: 1 } })
  await call('revokeApiKey', { params: { ...params, key_id: key.id } })

  await call('listMails', { query: { limit: 1 } })

  await call('fundTenantAsOperator', { params, body: { currency: 'AED', amount: 100_000 } })
  await call('listTenantFundingAsOperator', { params })
  await call('listProgramAccountsAsOperator', { params })
  await call('listLowFunding', { query: { below: 200_000 } })
  return tenant
}

/** Sandbox time: the story begins at nine in the morning of the fifteenth of the next month. */
export async function setClock({ call }: Story, now: Date): Promise<void> {
  await call('moveClock', { body: { now: now.toISOString() } })
  await call('getClock')
}

/** A card network is asked for a key, which comes. */
export async function exchangeKeys({ call, world }: Story): Promise<void> {
  world.setNetworks([NETWORK])
  await call('exchangeNetworkKeys', { params: { name: NETWORK.name }, body: { use: 'ZAK' } })
  await answerExchange(world)
  await recordLines(world)
  await call('listNetworks')
}
