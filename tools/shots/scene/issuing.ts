import type { Answer, Member } from '../member.ts'

const PEOPLE = [
  ['Layla', 'Aziz'],
  ['Omar', 'Haddad'],
  ['Sara', 'Khan'],
  ['Yusuf', 'Rahman'],
  ['Maha', 'Saleh'],
  ['Daniel', 'Costa'],
  ['Noor', 'Farouk'],
  ['Ines', 'Moreau'],
] as const
const LOADS = [4_500, 1_250, 320.5, 8_900, 75, 640, 2_300, 1_000]

export type Issued = {
  cards: Answer[]
  ids: Record<'user' | 'card' | 'account' | 'product' | 'card_order', string>
}

/** People with a card each, funded with different amounts, of which one is ordered. */
export async function issueCards({ call }: Member): Promise<Issued> {
  const { data } = await call('GET', '/v1/cardproducts')
  const product = data[0].id
  const cards: Answer[] = []
  for (const [at, [first_name, last_name]] of PEOPLE.entries()) {
    const email = `${first_name}.${last_name}@example.com`.toLowerCase()
    const user = await call('POST', '/v1/users', { first_name, last_name, email })
    const card_type = at % 3 === 2 ? 'PHYSICAL' : 'VIRTUAL'
    const body = { user_id: user.id, card_product_id: product, card_type }
    const card = await call('POST', '/v1/cards', body)
    const amount = LOADS[at] ?? 100
    const load = { currency: 'AED', amount }
    await call('POST', `/v1/accounts/${card.account_id}:loadfunds`, load)
    cards.push(await activated({ call }, card))
  }
  const [first] = cards
  const plastic = cards.find(({ card_type }) => card_type === 'PHYSICAL')
  const { card_order_id: card_order } = await call(
    'POST',
    `/v1/simulate/cards/${plastic?.id}:emboss`,
    {},
  )
  return {
    cards,
    ids: { user: first.user_id, card: first.id, account: first.account_id, product, card_order },
  }
}

async function activated({ call }: Pick<Member, 'call'>, card: Answer): Promise<Answer> {
  if (card.status === 'ACTIVE') return card
  const body = { status: 'ACTIVE', status_reason_code: 'A0' }
  return call('PUT', `/v1/cards/${card.id}:statuschange`, body).catch(() => card)
}
