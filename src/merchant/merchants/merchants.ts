/** Public functions of merchants: their settings and their key pairs (D-84). */

import { randomBytes, randomInt } from 'node:crypto'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { CALLERS } from '#kit/http/callers/caller_cache.ts'
import { listPage } from '#kit/http/lists.ts'
import type { ListQuery } from '#kit/http/schema.ts'
import { toAlpha3 } from '#lib/country.ts'
import { keyText } from '#lib/digest.ts'
import { isId, newId } from '#lib/id.ts'
import type { Page } from '#lib/paging.ts'
import { ApiError, type Fault } from '#lib/result.ts'
import {
  type Brand,
  brandFaults,
  descriptorFaults,
  readDescriptor,
  readFees,
  type StoredFee,
} from './rules.ts'
import type { MerchantChange, MerchantQuery, NewMerchant } from './schema.ts'
import {
  findFees,
  findMerchant,
  hasTenant,
  insertKey,
  insertMerchant,
  listActiveMerchants,
  listKeyRows,
  listMerchantRows,
  lockMerchant,
  type MerchantKeyRow,
  type MerchantRow,
  updateKeyRevoked,
  updateMerchant,
} from './store.ts'
import { hashOfPrivateKey } from './tokens.ts'

export type { MerchantKeyRow, MerchantRow } from './store.ts'
export { lockMerchant } from './store.ts'
export { authenticateMerchant, type BearerCache, issueToken } from './tokens.ts'

const PUBLIC_PREFIX = 'pk_'
const PRIVATE_PREFIX = 'sk_'
const PUBLIC_BYTES = 16
const PRIVATE_BYTES = 32

const NO_TENANT_FAULT = { path: 'tenant_id', message: 'is not a tenant' }
const NO_ISSUER_FAULT = { path: 'issuer', message: 'is not an issuer of ISSUERS_FILE' }
const NO_COUNTRY_FAULT = { path: 'country', message: 'is not a country of ISO 3166' }

const defaults = {
  status: 'ACTIVE' as const,
  mcc: '5999',
  country: 'ARE',
  city: 'Dubai',
  token_minutes: 30,
  capture_window_days: 5,
  deadline_policy: 'void' as const,
  partial_captures: false,
  descriptor: null,
  issuer: null,
  callback_hosts: [],
  kept_cards: false,
  brand_color: null,
  logo: null,
  terms_url: null,
  support_url: null,
}

/**
 * Creates a merchant of `tenant_id`. One 400 names an unknown tenant and an unknown country; fails
 * with `id_taken` if another merchant has the requested id (D-124). `issuers` are the names that
 * may be chosen (D-761).
 */
export function createMerchant(
  ctx: Context | Tx,
  request: NewMerchant,
  issuers: readonly string[] = [],
): Promise<MerchantRow> {
  return transact(ctx, async (tx) => {
    const country = toAlpha3(request.country ?? defaults.country)
    const { fees, faults } = readFees(request.fees ?? [])
    const names = { display_name: request.name, descriptor: null, ...namesOf(request) }
    const errors = [
      ...((await hasTenant(tx, request.tenant_id)) ? [] : [NO_TENANT_FAULT]),
      ...(country === undefined ? [NO_COUNTRY_FAULT] : []),
      ...issuerFaults(request, issuers),
      ...descriptorFaults(names),
      ...brandFaults(request),
      ...faults,
    ]
    if (country === undefined || errors.length > 0) {
      throw new ApiError('validation_failed', { errors })
    }
    const row = {
      ...defaults,
      ...request,
      ...names,
      ...brandOf(request),
      country,
      fees,
      id: (request.id ?? newId()).toLowerCase(),
      card_acceptor_id: digits(15),
      terminal_id: digits(8),
      created: tx.now,
      modified: tx.now,
    }
    if (!(await insertMerchant(tx, row))) throw new ApiError('id_taken')
    tx.audited?.within(row.tenant_id, tx.now)
    return row
  })
}

/**
 * Changes only the members that are present; `null` clears the descriptor, the issuer, the color,
 * the logo and the links.
 */
export function changeMerchant(
  ctx: Context | Tx,
  id: string,
  request: MerchantChange,
  issuers: readonly string[] = [],
): Promise<MerchantRow> {
  return transact(ctx, async (tx) => {
    const before = found(await lockMerchant(tx, id))
    const country = toAlpha3(request.country ?? before.country)
    const { fees, faults } = request.fees
      ? readFees(request.fees)
      : { fees: before.fees, faults: [] }
    const { display_name, descriptor } = { ...before, ...namesOf(request) }
    const names = { display_name, descriptor }
    const errors = [
      ...(country === undefined ? [NO_COUNTRY_FAULT] : []),
      ...issuerFaults(request, issuers),
      ...descriptorFaults(names),
      ...brandFaults(request),
      ...faults,
    ]
    if (country === undefined || errors.length > 0) {
      throw new ApiError('validation_failed', { errors })
    }
    const changed = { ...request, ...names, ...brandOf(request), country, fees, modified: tx.now }
    const row = { ...before, ...changed }
    await updateMerchant(tx, row)
    tx.audited?.within(row.tenant_id, tx.now)
    tx.afterCommit(() => tx.notify(CALLERS))
    return row
  })
}

const issuerFaults = ({ issuer }: MerchantChange, issuers: readonly string[]): Fault[] =>
  typeof issuer === 'string' && !issuers.includes(issuer) ? [NO_ISSUER_FAULT] : []

/** The members of a request of which DE43 has one, as they are stored. */
const namesOf = ({ display_name, descriptor }: MerchantChange) => ({
  ...(display_name !== undefined && { display_name }),
  ...(descriptor !== undefined && {
    descriptor: descriptor === null ? null : readDescriptor(descriptor),
  }),
})

/** A color has one form, which an address of the page contains. */
const brandOf = ({ brand_color }: Brand) =>
  typeof brand_color === 'string' ? { brand_color: brand_color.toLowerCase() } : {}

export async function getMerchant(ctx: Context, id: string): Promise<MerchantRow> {
  return found(await findMerchant(ctx, id))
}

/** Reads its fees alone, because the row of a merchant may have a logo of 32 kB. */
export async function getFees(ctx: Context, id: string): Promise<readonly StoredFee[]> {
  return found(await findFees(ctx, id)).fees
}

/** Two are enough to know that the tenant has several. */
const MERCHANTS_COMPARED = 2

/**
 * The merchant that a member acts for: the one that is named, or the only active one of the tenant.
 * Throws `validation_failed` on the header if there is none, or several and none is named (D-577).
 */
export async function merchantOfMember(
  ctx: Context,
  { header, named }: { header: string; named: string | undefined },
): Promise<string> {
  if (named !== undefined && !isId(named)) throw invalid(header, 'is not a merchant of the tenant')
  const [only, other] = await listActiveMerchants(ctx, named, MERCHANTS_COMPARED)
  if (only && !other) return only.id
  const isUnnamed = named === undefined && other !== undefined
  throw invalid(header, isUnnamed ? 'must name a merchant' : 'is not a merchant of the tenant')
}

export function listMerchants(ctx: Context, query: MerchantQuery): Promise<Page<MerchantRow>> {
  return listPage('merchants', query, (range) => listMerchantRows(ctx, query.tenant_id, range))
}

export type KeyPair = { id: string; public_key: string; private_key: string; created: Date }

/** Creates a key pair. Only this answer has the private key: its digest alone is stored. */
export function createMerchantKey(ctx: Context | Tx, merchant_id: string): Promise<KeyPair> {
  return transact(ctx, async (tx) => {
    const { tenant_id } = await getMerchant(tx, merchant_id)
    tx.audited?.within(tenant_id, tx.now)
    const public_key = keyText(PUBLIC_PREFIX, randomBytes(PUBLIC_BYTES))
    const private_key = keyText(PRIVATE_PREFIX, randomBytes(PRIVATE_BYTES))
    const key = { id: newId(), public_key, created: tx.now }
    const private_key_hash = hashOfPrivateKey(private_key)
    await insertKey(tx, { ...key, merchant_id, tenant_id, private_key_hash, revoked: null })
    return { ...key, private_key }
  })
}

export async function listMerchantKeys(
  ctx: Context,
  merchant_id: string,
  query: ListQuery,
): Promise<Page<MerchantKeyRow>> {
  await getMerchant(ctx, merchant_id)
  return listPage('merchant_keys', query, (range) => listKeyRows(ctx, merchant_id, range))
}

/** Its tokens become invalid with it. */
export function revokeMerchantKey(ctx: Context | Tx, merchant_id: string, id: string) {
  return transact(ctx, async (tx) => {
    const tenant_id = await updateKeyRevoked(tx, merchant_id, id)
    if (tenant_id === undefined) throw new ApiError('not_found')
    tx.audited?.within(tenant_id, tx.now)
    tx.afterCommit(() => tx.notify(CALLERS))
    return { id, deleted: true }
  })
}

function found<Row>(row: Row | undefined): Row {
  if (!row) throw new ApiError('not_found')
  return row
}

const digits = (count: number) => Array.from({ length: count }, () => randomInt(10)).join('')
