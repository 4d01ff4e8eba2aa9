/** The contract of users, made from the tables of rules/fields.ts. */

import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import {
  Instant,
  LINE_LENGTH,
  ListQuery,
  NAME_LENGTH,
  Name,
  NOTE_LENGTH,
  Note,
  OneOf,
  Strict,
  Uuid,
} from '#kit/schema.ts'
import {
  type FieldName,
  fieldNames,
  fields,
  type Kind,
  LIST_LENGTH_MAX,
  type ListName,
  listNames,
  type Scalar,
  type UserType,
  userTypes,
} from './rules/fields.ts'
import { reasonCodes, userStatuses } from './rules/status.ts'

const EMAIL_LENGTH = 254
const PHONE_LENGTH = 32
const WORD_LENGTH = 64
const DECIMAL_LENGTH = 32
const DATE_LENGTH = 40
const LINE = { type: 'string', maxLength: LINE_LENGTH } as const

/** What is taken in. Countries, phones and amounts are looked at again by rules/contents.ts. */
const taken: Record<Scalar, object> = {
  name: { type: 'string', maxLength: NAME_LENGTH },
  line: LINE,
  note: { type: 'string', maxLength: NOTE_LENGTH },
  word: { type: 'string', maxLength: WORD_LENGTH },
  email: { type: 'string', format: 'email', maxLength: EMAIL_LENGTH },
  phone: { type: 'string', minLength: 1, maxLength: PHONE_LENGTH },
  country: { type: 'string', pattern: '^[A-Za-z]{2,3}$' },
  nations: LINE,
  date: { type: 'string', format: 'date-or-instant', maxLength: DATE_LENGTH },
  date_or_empty: {
    type: 'string',
    anyOf: [{ const: '' }, { format: 'date-or-instant' }],
    maxLength: DATE_LENGTH,
  },
  flag: { type: 'boolean' },
  money: { type: ['number', 'string'], minimum: 0, maxLength: DECIMAL_LENGTH },
}

const answered: Partial<Record<Scalar, object>> = {
  email: { type: 'string' },
  country: { type: 'string' },
  date: { type: 'string', format: 'date' },
  date_or_empty: { type: 'string' },
  money: { type: 'number' },
}

type Taken = { [Kind in Scalar]: Kind extends 'flag' ? boolean : string } & {
  money: number | string
}
type Answered = Taken & { money: number }

/** The value of a field of some kind; a member of an object may be null to clear it. */
type Value<K, Scalars> = K extends keyof Scalars
  ? Scalars[K]
  : { -readonly [Member in keyof K]?: Value<K[Member], Scalars> | null }

type Fields<Scalars> = { [Name in FieldName]?: Value<(typeof fields)[Name], Scalars> }
type Lists = { [Name in ListName]?: string[] }
type Clearable<Members> = { [Name in keyof Members]?: Members[Name] | null }

export type NewUser = Fields<Taken> &
  Lists & { id?: string; user_type?: UserType; parent_user_id?: string }
export type UserChanges = Clearable<Fields<Taken> & { parent_user_id?: string }> &
  Lists & { user_type?: UserType }

export type UserStatus = (typeof userStatuses)[number]
export const UserStatus = OneOf(userStatuses)

export type User = Fields<Answered> &
  Required<Lists> & {
    id: string
    user_type: UserType
    status: UserStatus
    status_reason_code: string
    parent_user_id?: string
    default_user: boolean
    kyc_policy_passed?: string
    created: Date
    modified: Date
  }

const optional = (schema: object) => Type.Optional(Type.Unsafe(schema))
/** The same schema with null beside its type: ajv then tells one fault, not one per branch. */
const clearable = (schema: object) => {
  const { type } = schema as { type: string | string[] }
  return { ...schema, type: [type, 'null'].flat() }
}

function objectOf(members: Readonly<Record<string, Scalar>>, of: (kind: Scalar) => object): object {
  const properties = Object.entries(members).map(([name, kind]) => [name, optional(of(kind))])
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false })
}

const takenSchema = (kind: Kind): object =>
  typeof kind === 'string' ? taken[kind] : objectOf(kind, (member) => taken[member])
const changeSchema = (kind: Kind): object =>
  clearable(
    typeof kind === 'string' ? taken[kind] : objectOf(kind, (member) => clearable(taken[member])),
  )
const answerSchema = (kind: Kind): object => {
  const of = (scalar: Scalar) => answered[scalar] ?? { type: 'string', ...taken[scalar] }
  return typeof kind === 'string' ? of(kind) : objectOf(kind, of)
}

const members = (schemaOf: (kind: Kind) => object): TProperties =>
  Object.fromEntries(fieldNames.map((name) => [name, optional(schemaOf(fields[name]))]))

const listMembers = (list: TSchema): TProperties =>
  Object.fromEntries(listNames.map((name) => [name, list]))

const SubUsers = Type.Array(Uuid, { maxItems: LIST_LENGTH_MAX })
const UserTypeWord = OneOf(userTypes)

// The schemas are made from tables, so their types are stated beside them instead of inferred.
export const NewUser = Type.Unsafe<NewUser>(
  Strict(
    {
      id: Type.Optional(Uuid),
      user_type: Type.Optional(UserTypeWord),
      parent_user_id: Type.Optional(Uuid),
      ...members(takenSchema),
      ...listMembers(Type.Optional(SubUsers)),
    },
    { title: 'NewUser' },
  ),
)

export const UserChanges = Type.Unsafe<UserChanges>(
  Strict(
    {
      user_type: Type.Optional(UserTypeWord),
      parent_user_id: optional(clearable(Uuid)),
      ...members(changeSchema),
      ...listMembers(Type.Optional(SubUsers)),
    },
    { title: 'UserChanges' },
  ),
)

/** The user as clients see it. Answers pass through it: a column not named here cannot leave. */
export const User = Type.Unsafe<User>(
  Type.Object(
    {
      id: Uuid,
      user_type: UserTypeWord,
      status: UserStatus,
      status_reason_code: Type.String(),
      parent_user_id: Type.Optional(Uuid),
      default_user: Type.Boolean(),
      kyc_policy_passed: Type.Optional(Type.String()),
      ...members(answerSchema),
      ...listMembers(SubUsers),
      created: Instant,
      modified: Instant,
    },
    { title: 'User' },
  ),
)

export const UserSearch = ListQuery({
  name: Type.Optional(Name),
  mobile: Type.Optional(Type.String({ minLength: 1, maxLength: PHONE_LENGTH })),
  email: Type.Optional(Type.String({ minLength: 1, maxLength: EMAIL_LENGTH })),
})
export type UserSearch = Static<typeof UserSearch>

/** `direct` are the children of a user, `all` its whole subtree (D-18). */
export const RelationshipQuery = ListQuery({
  depth: Type.Optional(OneOf(['direct', 'all'] as const)),
})
export type RelationshipQuery = Static<typeof RelationshipQuery>

export const StatusWanted = Strict({
  status: UserStatus,
  status_reason_code: OneOf(reasonCodes),
  note: Type.Optional(Note),
})
export type StatusWanted = Static<typeof StatusWanted>

export const StatusChange = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    old_status: UserStatus,
    old_status_reason_code: Type.String(),
    new_status: UserStatus,
    new_status_reason_code: Type.String(),
    changed_by: Type.Object({ kind: Type.String(), id: Type.String() }),
    note: Type.Optional(Type.String()),
    created: Instant,
  },
  { title: 'UserStatusChange' },
)
export type StatusChange = Static<typeof StatusChange>
