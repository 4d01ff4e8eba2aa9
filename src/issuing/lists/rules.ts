/** The contents that a list may have, and its result for a value of a message (D-34). */

import { toAlpha3 } from '#lib/country.ts'
import { type Fault, fail, ok, type Result } from '#lib/result.ts'
import type { ControlMode, ListKind, MerchantEntry } from './schema.ts'

/** The contents of a list of each kind: alpha-3 codes, MCCs, merchants. */
export type Entries = { countries: string[]; mccs: string[]; merchants: MerchantEntry[] }
/** A list as it is stored; `allow` has no meaning for merchants. */
export type StoredList = {
  kind: ListKind
  id: string
  name: string
  allow: boolean
  active: boolean
  mode: ControlMode
  entries: Entries[ListKind]
  version: bigint
}

type Checked<Entry> = Result<Entry[], 'validation_failed'>

/** The countries by alpha-3 code. One that is unknown, or named again in any form, is a fault. */
export const checkCountries = (codes: readonly string[]): Checked<string> =>
  checkEach('country_codes', codes, toAlpha3, 'is not a country of ISO 3166-1')

export const checkMccs = (mccs: readonly string[]): Checked<string> =>
  checkEach('mccs', mccs, (mcc) => (/^[0-9]{4}$/.test(mcc) ? mcc : undefined), 'is not four digits')

/** Spaces around an id are not part of it: the network pads ids with spaces. */
export function checkMerchants(merchants: readonly MerchantEntry[]): Checked<MerchantEntry> {
  const ids = merchants.map(({ merchant_id }) => merchant_id)
  const checked = checkEach('merchants', ids, readMerchantId, 'is blank', '.merchant_id')
  if (!checked.ok) return checked
  return ok(merchants.map(({ allow }, at) => ({ merchant_id: checked.value[at] ?? '', allow })))
}

/** The id of a merchant without the spaces around it; undefined if nothing is left. */
export const readMerchantId = (text: string): string | undefined => text.trim() || undefined

function checkEach(
  path: string,
  texts: readonly string[],
  read: (text: string) => string | undefined,
  message: string,
  member = '',
): Checked<string> {
  const faults: Fault[] = []
  const found = new Set<string>()
  for (const [at, text] of texts.entries()) {
    const entry = read(text)
    const fault = entry === undefined ? message : found.has(entry) && 'is repeated'
    if (fault) faults.push({ path: `${path}.${at}${member}`, message: fault })
    if (entry !== undefined) found.add(entry)
  }
  return faults.length > 0 ? fail('validation_failed', { errors: faults }) : ok([...found])
}

/** A list in the form in which messages are checked against it: one look for each message. */
export type ListRule = {
  kind: ListKind
  id: string
  version: bigint
  name: string
  mode: ControlMode
  /** Whether what it names passes. */
  named: ReadonlyMap<string, boolean>
  /** Whether nothing passes that it does not name. */
  restricts: boolean
}

/** An inactive list names nothing and restricts nothing. */
export function ruleOf({ kind, id, version, name, mode, ...list }: StoredList): ListRule {
  const entries = list.active ? list.entries : []
  const named = new Map(
    entries.map((entry) =>
      typeof entry === 'string' ? [entry, list.allow] : [entry.merchant_id, entry.allow],
    ),
  )
  const restricts =
    kind === 'merchants' ? [...named.values()].includes(true) : list.active && list.allow
  return { kind, id, version, name, mode, named, restricts }
}

/** `open`: the list does not name the value, and does not restrict to its entries. */
export type Verdict = 'allowed' | 'blocked' | 'open'

/** A message without the value passes if the list only blocks (D-421). */
export function verdictOf({ named, restricts }: ListRule, value: string | undefined): Verdict {
  const allowed = value === undefined ? undefined : named.get(value)
  if (allowed === undefined) return restricts ? 'blocked' : 'open'
  return allowed ? 'allowed' : 'blocked'
}
