/** Changes of status, settings and limits while payments are under way, each taken back again. */

import type { Bank, BankAccount, BankCard } from './bank.ts'
import type { Schedule } from './schedule.ts'

type Change = {
  name: string
  /** Cards on which no request may be approved meanwhile. */
  closes: readonly BankCard[]
  /** Requests that raise a hold may be approved all the same. */
  sparesRaises?: true
  begin: () => Promise<unknown>
  end: () => Promise<unknown>
}

const SUSPENDED = { status: 'SUSPENDED', status_reason_code: 'S0' }
const ACTIVE = { status: 'ACTIVE', status_reason_code: 'A0' }

export async function change(bank: Bank, schedule: Schedule): Promise<void> {
  for (let wait = schedule.upTo(25); wait > 0; wait -= 1) await schedule.point('…')
  const { name, closes, sparesRaises, begin, end } = schedule.pick(changesOf(bank, schedule))
  const closed = sparesRaises ? 'closed_but_to_raises' : 'closed'
  schedule.note(name)
  await switching(closes, schedule, begin)
  for (const { gate } of closes) gate[closed] += 1
  for (let wait = 3 + schedule.upTo(25); wait > 0; wait -= 1) await schedule.point('…')
  schedule.note(`${name}: no longer`)
  for (const { gate } of closes) gate[closed] -= 1
  await switching(closes, schedule, end)
}

/** Nothing is claimed of what is decided while the change is made. */
async function switching(
  closes: readonly BankCard[],
  schedule: Schedule,
  make: () => Promise<unknown>,
): Promise<void> {
  for (const { gate } of closes) gate.changes += 1
  await schedule.during(make())
  for (const { gate } of closes) gate.changes += 1
}

function changesOf(bank: Bank, schedule: Schedule): [Change, ...Change[]] {
  const account = pickOf(schedule, bank.accounts)
  const card = pickOf(schedule, account.cards)
  const ofUser = bank.accounts.filter(({ user_id }) => user_id === account.user_id)
  const put = (path: string, body: object) => () => bank.change(path, body)
  const card_path = `cards/${card.card_id}`
  return [
    {
      name: 'a card is suspended',
      closes: [card],
      begin: put(`${card_path}:statuschange`, SUSPENDED),
      end: put(`${card_path}:statuschange`, ACTIVE),
    },
    {
      name: 'an account is suspended',
      closes: account.cards,
      begin: put(`accounts/${account.id}:statuschange`, { status: 'SUSPENDED' }),
      end: put(`accounts/${account.id}:statuschange`, { status: 'ACTIVE' }),
    },
    {
      name: 'a user is suspended',
      closes: ofUser.flatMap(({ cards }) => cards),
      begin: put(`users/${account.user_id}:changeStatus`, SUSPENDED),
      end: put(`users/${account.user_id}:changeStatus`, ACTIVE),
    },
    {
      name: 'a card may not pay in shops of the web',
      closes: [card],
      // The shop's own request needs no proof of the cardholder (iso8583.md 5.6).
      sparesRaises: true,
      begin: put(`${card_path}/authsettings`, { ecommerce_non_3ds: false }),
      end: put(`${card_path}/authsettings`, { ecommerce_non_3ds: true }),
    },
    ...(account.isTight ? [] : [limitOf(bank, account)]),
    {
      name: 'holds of the tenant last shorter',
      closes: [],
      begin: put('tenantsettings', { hold_days: 60 }),
      end: put('tenantsettings', { hold_days: 365 }),
    },
  ]
}

const limitOf = (bank: Bank, account: BankAccount): Change => ({
  name: 'a velocity limit is tight',
  closes: [],
  begin: () => bank.tighten(account),
  end: () => bank.loosen(account),
})

export function pickOf<One>(schedule: Schedule, among: readonly One[]): One {
  const [first, ...rest] = among
  if (first === undefined) throw new Error('nothing to pick from')
  return schedule.pick([first, ...rest])
}
