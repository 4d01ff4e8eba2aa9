import { accept, type Member } from '../member.ts'

type Platform = { base_url: string; operator_key: string }

/** The operator's team, with rates, a tenant that runs short of funds, a shop and an invitation. */
export async function operate({ base_url, operator_key }: Platform) {
  const invited = await fetch(`${base_url}/portal/v1/operators:invite`, {
    method: 'POST',
    headers: { apikey: operator_key, 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'maryam@operator.example' }),
  })
  const { link } = (await invited.json()) as { link: string }
  const operator: Member = await accept(base_url, 'maryam@operator.example', link)
  const { call } = operator
  await call('POST', '/portal/v1/invitations', {
    email: 'yusuf@operator.example',
    role: 'operator_compliance',
  })
  const { id: short } = await call('POST', '/v1/operator/tenants', { name: 'Oasis Pay' })
  await call('POST', `/v1/operator/tenants/${short}/funding`, { currency: 'AED', amount: 320.5 })
  await call('PUT', '/v1/operator/rates', {
    rates: [
      { from: 'USD', to: 'AED', rate: '3.6725' },
      { from: 'EUR', to: 'AED', rate: '4.01' },
      { from: 'GBP', to: 'AED', rate: '4.66' },
    ],
  })
  // A member acts for the one shop of a tenant, and the other tenant has its own (D-577).
  const shop = { tenant_id: short, name: 'Oasis Market', mcc: '5411' }
  const { id: merchant } = await call('POST', '/v1/operator/merchants', shop)
  await call('POST', `/v1/operator/merchants/${merchant}/keys`)
  return { operator, merchant: String(merchant) }
}
