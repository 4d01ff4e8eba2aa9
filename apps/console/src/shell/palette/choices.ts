/** Choices of the palette, and the page that each leads to. */

import type { Icon } from '@tabler/icons-react'
import { keep, keptJson } from '../../api/storage.ts'
import type { FoundObject } from '../../api/types.ts'

/** An object of the issuing API, or an order of the shop. */
export type FoundKind = FoundObject['kind'] | 'ORDER'

/** One choice. An object that was chosen before is kept as it was shown. */
export type Choice = {
  /** Tells it from the others. */
  value: string
  title: string
  subtitle?: string
  status?: string
  /** Absent if it is a page, which has the icon of the menu. */
  kind?: FoundKind
  icon?: Icon
  to: string
  search?: Record<string, string>
}

const FOLDERS: Readonly<Record<FoundObject['kind'], string>> = {
  USER: '/users',
  CARD: '/cards',
  ACCOUNT: '/accounts',
  CARD_PRODUCT: '/card-products',
  TRANSACTION: '/transactions',
  BULK_ISSUANCE: '/bulk-issuance',
  BALANCE_LIMIT: '/controls/balance',
  VELOCITY_LIMIT: '/controls/velocity',
  COUNTRY_LIST: '/controls/countries',
  MCC_LIST: '/controls/mccs',
  MERCHANT_LIST: '/controls/merchants',
  BACKTEST: '/controls/backtests',
  WEBHOOK: '/webhooks',
  DELIVERY: '/deliveries',
}

export function choiceOf({ kind, id, title, ...rest }: FoundObject): Choice {
  const shown = kind === 'CARD' ? `•••• ${title}` : title
  return { ...rest, kind, title: shown, value: `${kind} ${id}`, to: `${FOLDERS[kind]}/${id}` }
}

export const orderChoice = (reference: string, status: string): Choice => ({
  kind: 'ORDER',
  title: reference,
  status,
  value: `ORDER ${reference}`,
  to: '/orders',
  search: { reference },
})

/** Texts of which a part matches, whatever their capitals. */
export const matches = (text: string, sought: string): boolean =>
  text.toLocaleLowerCase().includes(sought.trim().toLocaleLowerCase())

const KEPT_MAX = 5
// Names of people are kept no longer than the tab, and no other member sees them.
const keyOf = (member_id: string): string => `bezant.chosen.${member_id}`

export function readChosen(member_id: string): Choice[] {
  const chosen = keptJson('tab', keyOf(member_id))
  // They are as this file has kept them.
  return Array.isArray(chosen) ? (chosen as Choice[]) : []
}

/** Puts it before those that were chosen earlier. */
export function keepChosen(member_id: string, choice: Choice): void {
  const others = readChosen(member_id).filter(({ value }) => value !== choice.value)
  const newest = [choice, ...others].slice(0, KEPT_MAX)
  keep('tab', keyOf(member_id), JSON.stringify(newest))
}
