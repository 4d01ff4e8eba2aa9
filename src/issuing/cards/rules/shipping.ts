/** Shipping details: members that are sent replace stored ones (D-104). */

import { toAlpha3 } from '#lib/country.ts'
import { toE164 } from '#lib/phone.ts'
import type { Fault } from '#lib/result.ts'
import type { RecipientInput, ShippingDetails, ShippingInput } from '../schema.ts'

type Recipient = NonNullable<ShippingDetails['address']>

export type MergedShipping = { shipping: ShippingDetails | null; faults: Fault[] }

/** The details after a change, countries as alpha-3 and phones as E.164, and every fault. */
export function mergeShipping(
  before: ShippingDetails | null,
  input: ShippingInput | null | undefined,
): MergedShipping {
  if (input === undefined) return { shipping: before, faults: [] }
  if (input === null) return { shipping: null, faults: [] }
  const shipping: ShippingDetails = { ...before }
  const faults: Fault[] = []
  if (input.method === null) delete shipping.method
  else if (input.method !== undefined) shipping.method = input.method
  for (const name of ['address', 'return_address'] as const) {
    const recipient = input[name]
    if (recipient === null) delete shipping[name]
    else if (recipient !== undefined) {
      shipping[name] = mergeRecipient(shipping[name], recipient, `shipping_details.${name}`, faults)
    }
  }
  return { shipping, faults }
}

type Reader = { read: (text: string) => string | undefined; message: string }

const readers: { readonly [Member in keyof Recipient]?: Reader } = {
  country: { read: toAlpha3, message: 'is not an ISO 3166-1 country' },
  mobile: { read: toE164, message: 'is not an international phone number' },
}

function mergeRecipient(
  before: Recipient | undefined,
  input: RecipientInput,
  path: string,
  faults: Fault[],
): Recipient {
  const merged: Recipient = { ...before }
  // The keys are those of the schema, which rejects others.
  for (const [name, value] of Object.entries(input) as [keyof Recipient, string | null][]) {
    const reader = readers[name]
    const text = value !== null && reader ? reader.read(value) : value
    if (text === null) delete merged[name]
    else if (text !== undefined) merged[name] = text
    else if (reader) faults.push({ path: `${path}.${name}`, message: reader.message })
  }
  return merged
}
