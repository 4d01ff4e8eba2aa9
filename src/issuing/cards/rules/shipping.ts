/** Where a card goes: what is sent is laid over what was known, member by member (D-104). */

import { toAlpha3 } from '#lib/country.ts'
import { toE164 } from '#lib/phone.ts'
import type { Fault } from '#lib/result.ts'
import type { RecipientInput, ShippingDetails, ShippingInput } from '../schema.ts'

type Recipient = NonNullable<ShippingDetails['address']>

export type MergedShipping = { shipping: ShippingDetails | null; faults: Fault[] }

/** The details after a change, countries as alpha-3 and phones as E.164, and every fault. */
export function mergeShipping(
  before: ShippingDetails | null,
  given: ShippingInput | null | undefined,
): MergedShipping {
  if (given === undefined) return { shipping: before, faults: [] }
  if (given === null) return { shipping: null, faults: [] }
  const shipping: ShippingDetails = { ...before }
  const faults: Fault[] = []
  if (given.method === null) delete shipping.method
  else if (given.method !== undefined) shipping.method = given.method
  for (const name of ['address', 'return_address'] as const) {
    const recipient = given[name]
    if (recipient === null) delete shipping[name]
    else if (recipient !== undefined) {
      shipping[name] = mergeRecipient(shipping[name], recipient, `shipping_details.${name}`, faults)
    }
  }
  return { shipping, faults }
}

type Reader = { read: (text: string) => string | undefined; complaint: string }

const readers: { readonly [Member in keyof Recipient]?: Reader } = {
  country: { read: toAlpha3, complaint: 'is not an ISO 3166-1 country' },
  mobile: { read: toE164, complaint: 'is not an international phone number' },
}

function mergeRecipient(
  before: Recipient | undefined,
  given: RecipientInput,
  path: string,
  faults: Fault[],
): Recipient {
  const merged: Recipient = { ...before }
  // The keys are those of the schema, which lets no others through.
  for (const [name, value] of Object.entries(given) as [keyof Recipient, string | null][]) {
    const reader = readers[name]
    const text = value !== null && reader ? reader.read(value) : value
    if (text === null) delete merged[name]
    else if (text !== undefined) merged[name] = text
    else if (reader) faults.push({ path: `${path}.${name}`, message: reader.complaint })
  }
  return merged
}
