/** The bindings of sealed values of the vault: a value does not open in another row. */

/** The id is in lower case, in whatever case a client sends it. */
export const bindingOfNumber = (row: { tenant_id: string; card_id: string }): string =>
  `${row.tenant_id}:${row.card_id.toLowerCase()}`

/** Differs from that of the card's number, so that neither value opens as the other. */
export const bindingOfPin = (row: { tenant_id: string; card_id: string }): string =>
  `${row.tenant_id}:${row.card_id.toLowerCase()}:pin`

/** The binding of the block of a PIN that a mailer brings. */
export const bindingOfMailedPin = (row: { tenant_id: string; card_id: string }): string =>
  `${row.tenant_id}:${row.card_id.toLowerCase()}:mailed`

type KeySetRow = { tenant_id: string; card_product_id: string; version: string | number }
export const bindingOfKeySet = (row: KeySetRow): string =>
  `${row.tenant_id}:${row.card_product_id}:${row.version}`
