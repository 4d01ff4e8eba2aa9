/**
 * The operations that the members of each role may call (D-137): the one table, by permissions and
 * the ids of operations. docs/roles.md is made from it, and test/tenancy/roles.test.ts proves it.
 */

import type { Method, Permission } from '#kit/http/permissions.ts'
import { ApiError } from '#lib/result.ts'

/** The permissions of keys (D-12) and of roles (D-137). */
declare module '#kit/http/permissions.ts' {
  interface Permissions {
    write: true
    'cards:reveal': true
    'cards:widget': true
    operator: true
    merchant: true
    /** Only sessions have this one and the next two. */
    member: true
    keys: true
    team: true
  }
}

declare module '#kit/context.ts' {
  interface Member {
    readonly role: Role
  }
}

export const TENANT_ROLES = [
  'owner',
  'developer',
  'finance',
  'compliance',
  'support',
  'viewer',
] as const
export const OPERATOR_ROLES = ['operator_owner', 'operator_compliance', 'operator_support'] as const
export const ROLES = [...TENANT_ROLES, ...OPERATOR_ROLES] as const
export type Role = (typeof ROLES)[number]

/**
 * The permissions that a key of a tenant may have, and so the most that a role can give to one
 * (D-138).
 */
export const KEY_PERMISSIONS = ['read', 'write', 'cards:reveal', 'cards:widget'] as const
export type KeyPermission = (typeof KEY_PERMISSIONS)[number]

type Rule = {
  /** Every operation that requires one of these. */
  every: readonly Permission[]
  /** Only operations that read, among those that require one of these. */
  reads: readonly Permission[]
  /** Further operations, by their ids. */
  also: readonly string[]
  /** Operations that are never allowed, by their ids, whatever the other members say. */
  never?: readonly string[]
  /** Values of members of the body; others are not allowed. */
  only?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
  /** The permissions of keys that a member may create. */
  keys: readonly KeyPermission[]
}

const MONEY = ['loadAccountFunds', 'unloadAccountFunds', 'createTransfer', 'chargeAccount']
const BULK = ['createBulkIssuance', 'updateBulkIssuance']
const USERS = ['createUser', 'updateUser', 'changeUserStatus']
const USER_READS = [
  'listUsers',
  'searchUsers',
  'getUser',
  'listUserStatusChanges',
  'listLinkedUsers',
  'listLinkedUsersByPost',
]
const IDENTIFICATIONS = [
  'createIdentification',
  'updateIdentification',
  'uploadIdentificationFiles',
  'uploadIdentificationFilesByPost',
  'deleteIdentificationFile',
]
const IDENTIFICATION_READS = [
  'listIdentifications',
  'getIdentification',
  'listIdentificationFiles',
  'getIdentificationFile',
  'browseIdentificationFile',
  'downloadIdentificationFile',
]
const KYC = ['createKycRequest']
const KYC_READS = ['getKycRequest', 'searchKycRequests']
/** The queue names tenants by their ids, and compliance by their names (D-617). */
const REVIEWS = [
  'listReviews',
  'listTenants',
  'getTenant',
  'approveUser',
  'rejectUser',
  'verifyIdentification',
  'rejectIdentification',
  'approveKycRequest',
  'rejectKycRequest',
  'listMatches',
  'dismissMatch',
  'confirmMatch',
]
const SUPPORT = [
  'changeCardStatus',
  'createStopOrder',
  'deleteStopOrder',
  'createWidgetToken',
  'resendDelivery',
  'resendEndpointDelivery',
]

/** Support opens a dispute and gathers evidence, and finance decides about it (D-1060). */
const DISPUTE_DRAFTS = [
  ...['openDispute', 'updateDispute', 'uploadDisputeFiles', 'uploadDisputeFilesByPut'],
  ...['deleteDisputeFile', 'uploadChargebackFiles', 'deleteChargebackFile'],
]
const DISPUTES = [
  ...DISPUTE_DRAFTS,
  ...['submitDispute', 'withdrawDispute', 'acceptDispute', 'arbitrateDispute'],
  ...['answerChargeback', 'acceptChargeback'],
]

const READS = ['read', 'merchant', 'keys', 'team'] as const
/** Card data is seen by owners, and only in a widget. */
const NO_CARD_DATA = { createWidgetToken: { widget: ['SET_PIN', 'ACTIVATE'] } }

const rules: Readonly<Record<Role, Rule>> = {
  owner: {
    every: ['read', 'write', 'cards:widget', 'merchant', 'member', 'keys', 'team'],
    reads: [],
    also: [],
    keys: KEY_PERMISSIONS,
  },
  developer: {
    every: ['read', 'write', 'cards:widget', 'merchant', 'member', 'keys'],
    reads: ['team'],
    also: [],
    only: NO_CARD_DATA,
    keys: ['read', 'write', 'cards:widget'],
  },
  finance: { every: ['member'], reads: READS, also: [...MONEY, ...BULK, ...DISPUTES], keys: [] },
  compliance: {
    every: ['member'],
    reads: READS,
    also: [...USERS, ...IDENTIFICATIONS, ...KYC],
    keys: [],
  },
  support: {
    every: ['member'],
    reads: READS,
    also: [...SUPPORT, ...DISPUTE_DRAFTS],
    only: NO_CARD_DATA,
    keys: [],
  },
  viewer: { every: ['member'], reads: READS, also: [], keys: [] },
  operator_owner: {
    every: ['operator', 'read', 'write', 'cards:widget', 'member', 'team'],
    reads: ['merchant'],
    also: [],
    only: NO_CARD_DATA,
    keys: [],
  },
  operator_compliance: {
    every: ['member'],
    reads: [],
    also: [...REVIEWS, ...USER_READS, ...IDENTIFICATION_READS, ...KYC_READS],
    keys: [],
  },
  operator_support: {
    every: ['member'],
    reads: ['read', 'merchant', 'operator', 'team'],
    also: ['changeCardStatus', 'changeCardStatusAsOperator'],
    // Kept mails have links by which one becomes another member (D-767).
    never: ['listMails'],
    keys: [],
  },
}

type Operation = { id: string; method: Method; permission: Permission }

/**
 * Whether a member of the role may call the operation. Never one that answers card numbers
 * (`cards:reveal`): they are seen only in widgets.
 */
export function mayCall(role: Role, { id, method, permission }: Operation): boolean {
  if (permission === 'open') return true
  if (permission === 'cards:reveal') return false
  const { every, reads, also, never = [] } = rules[role]
  if (never.includes(id)) return false
  const isRead = permission === 'read' || method === 'GET'
  return every.includes(permission) || (isRead && reads.includes(permission)) || also.includes(id)
}

/** The permissions that a member of the role may give to a key. */
export const keyPermissionsOf = (role: Role): readonly KeyPermission[] => rules[role].keys

/** The values that a role may send to an operation, by members of its body. */
export const bodyLimitsOf = (role: Role, id: string): Readonly<Record<string, readonly string[]>> =>
  rules[role].only?.[id] ?? {}

/** The ids of operations that the table names, for the test that each exists. */
export const namedOperations = (): string[] =>
  Object.values(rules).flatMap(({ also, never = [], only = {} }) => [
    ...also,
    ...never,
    ...Object.keys(only),
  ])

/** Throws `permission_missing` if the body has what the role may not send. */
export function assertBodyOfRole(role: Role, id: string, body: unknown): void {
  for (const [member, allowed] of Object.entries(bodyLimitsOf(role, id))) {
    const value: unknown = Object(body)[member]
    if (typeof value === 'string' && !allowed.includes(value)) throw roleLacks(role)
  }
}

export const roleLacks = (role: Role): ApiError =>
  new ApiError('permission_missing', {
    detail: 'The role of the member does not allow it.',
    extra: { role },
  })
