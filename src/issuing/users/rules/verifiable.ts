/** The six rules for users of a tenant with identity verification (spec "Validation rules"). */

import type { Fault } from '#lib/result.ts'
import type { Contents, FieldName, UserType } from './fields.ts'

const NAMES: readonly FieldName[] = ['first_name', 'middle_name', 'last_name', 'native_name']
const ADDRESSES: readonly FieldName[] = ['address', 'company_address', 'local_address']
const FORBIDDEN_IN_NAMES = /[\^!#$%*=<>;{}"]/
const FORBIDDEN_IN_ADDRESSES = /[!$%^*=<>]/
/** Outward and inward part with a space between: EC1A 1BB, M1 1AE, GIR 0AA. */
const UK_POSTAL_CODE = /^([A-Z]{1,2}\d[A-Z\d]?|GIR) \d[A-Z]{2}$/i

/**
 * The faults of the fields that were sent, in their merged form (`next`). Rule 1 holds for
 * INDIVIDUAL users, because only they are verified; the others hold for all types.
 */
export function faultsUnderVerification(
  type: UserType,
  present: Contents,
  next: Contents,
): Fault[] {
  return [
    ...missingNames(type, { ...present, ...next }),
    ...NAMES.filter((name) => FORBIDDEN_IN_NAMES.test(textOf(next[name]))).map((path) => ({
      path,
      message: 'must not hold any of ^ ! # $ % * = < > ; { } "',
    })),
    ...addressFaults(next.address),
    ...ADDRESSES.flatMap((name) => forbiddenInAddress(name, next[name])),
  ]
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function missingNames(type: UserType, user: Contents): Fault[] {
  if (type !== 'INDIVIDUAL') return []
  const names = ['first_name', 'last_name'] as const
  return names
    .filter((name) => textOf(user[name]) === '')
    .map((path) => ({ path, message: 'is required' }))
}

function addressFaults(address: unknown): Fault[] {
  if (typeof address !== 'object' || address === null) return []
  const members: Record<string, unknown> = { ...address }
  const faults = ['postal_code', 'country']
    .filter((name) => textOf(members[name]) === '')
    .map((name) => ({ path: `address.${name}`, message: 'is required' }))
  const [postal_code, country] = [textOf(members['postal_code']), textOf(members['country'])]
  if (country === 'USA') {
    faults.push({ path: 'address.country', message: 'is not supported: USA' })
  }
  if (country === 'GBR' && postal_code !== '' && !UK_POSTAL_CODE.test(postal_code)) {
    faults.push({
      path: 'address.postal_code',
      message: 'must be the outward and the inward part with a space between',
    })
  }
  return faults
}

function forbiddenInAddress(name: FieldName, address: unknown): Fault[] {
  if (typeof address !== 'object' || address === null) return []
  return Object.entries(address)
    .filter(([, text]) => FORBIDDEN_IN_ADDRESSES.test(textOf(text)))
    .map(([member]) => ({
      path: `${name}.${member}`,
      message: 'must not hold any of ! $ % ^ * = < >',
    }))
}
