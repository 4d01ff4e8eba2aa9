/** What sealed bytes of the vault are bound to: opened in another row's place, they do not open. */

/** Ids are written in one way, whatever way a client writes them. */
export const bindingOfNumber = (row: { tenant_id: string; card_id: string }): string =>
  `${row.tenant_id}:${row.card_id.toLowerCase()}`

/** Unlike that of the card's number, so that neither can stand in the other's place. */
export const bindingOfPin = (row: { tenant_id: string; card_id: string }): string =>
  `${row.tenant_id}:${row.card_id.toLowerCase()}:pin`

type KeySetRow = { tenant_id: string; card_product_id: string; version: string | number }
export const bindingOfKeySet = (row: KeySetRow): string =>
  `${row.tenant_id}:${row.card_product_id}:${row.version}`
