/** The names of what a file of orders, and a file of answers, has of a card (D-1021, D-1023). */

const address = [
  'name',
  'mobile',
  'address_line1',
  'address_line2',
  'city',
  'state',
  'postal_code',
  'country',
] as const
export const addressFields: readonly (typeof address)[number][] = address

/** In the order of the default form, which leaves out those in the form of the embossing. */
export const recordFields: readonly string[] = [
  'order_id',
  'reason',
  'pan',
  'pan_embossed',
  'sequence_number',
  'expiry',
  'expiry_embossed',
  'valid_from',
  'valid_from_embossed',
  'name',
  'second_line',
  'service_code',
  'track1',
  'track2',
  'icvv',
  'cvv2',
  'chip_profile',
  'pvki',
  'pvv',
  'pin_block',
  'carrier',
  'delivery_method',
  ...address.map((name) => `ship_${name}`),
  ...address.map((name) => `return_${name}`),
  'tracking',
]

export const answerColumns = [
  'order_id',
  'status',
  'reason',
  'tracking',
  'date',
  'carrier',
] as const
export type AnswerColumn = (typeof answerColumns)[number]
