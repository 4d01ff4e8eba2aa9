import type { Member } from '../member.ts'

/** A business that awaits compliance, with its director, a shareholder and a license. */
export async function onboard({ call }: Member): Promise<string> {
  const { id } = await call('POST', '/v1/users', {
    user_type: 'BUSINESS',
    business_legal_name: 'Golden Palm Trading LLC',
    business_dba_name: 'Golden Palm',
    entity_registered_no: 'CN-1187421',
    email: 'office@goldenpalm.example',
    address: { address_line1: 'Office 1204, Marina Plaza', city: 'Dubai', country: 'ARE' },
  })
  const below = { parent_user_id: id }
  const director = { first_name: 'Layla', last_name: 'Hassan', designation: 'Managing director' }
  await call('POST', '/v1/users', { user_type: 'DIRECTOR', ...director, ...below })
  const shareholder = { first_name: 'Omar', last_name: 'Saleh', shares_percentage: '60' }
  await call('POST', '/v1/users', { user_type: 'SHAREHOLDER', ...shareholder, ...below })
  await call('POST', `/v1/users/${id}/identifications`, {
    type: 'TRADE_LICENSE',
    number: 'TL-558120',
    issuance_date: '2024-02-01',
    expiration_date: '2034-02-01',
    issuance_authority: 'Dubai Economy',
  })
  return id
}
