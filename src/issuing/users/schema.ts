/** Request and response schemas of users, made from the tables of rules/fields.ts. */

import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import {
  Field,
  Instant,
  LINE_LENGTH,
  ListQuery,
  NAME_LENGTH,
  NOTE_LENGTH,
  Note,
  OneOf,
  Strict,
  Uuid,
} from '#kit/http/schema.ts'
import { EMAIL_MOST } from '#lib/email.ts'
import { descriptions, memberDescriptions } from './descriptions.ts'
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

const PHONE_LENGTH = 32
const WORD_LENGTH = 64
const DECIMAL_LENGTH = 32
const DATE_LENGTH = 40
const LINE = { type: 'string', maxLength: LINE_LENGTH } as const

/** The schemas of requests. rules/contents.ts checks countries, phones and amounts further. */
const accepted: Record<Scalar, object> = {
  name: { type: 'string', maxLength: NAME_LENGTH },
  line: LINE,
  note: { type: 'string', maxLength: NOTE_LENGTH },
  word: { type: 'string', maxLength: WORD_LENGTH },
  email: { type: 'string', format: 'email', maxLength: EMAIL_MOST },
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

/** The schemas of responses, if they differ from requests. */
const answered: Partial<Record<Scalar, object>> = {
  email: { type: 'string' },
  country: { type: 'string' },
  date: { type: 'string', format: 'date' },
  date_or_empty: { type: 'string' },
  money: { type: 'number' },
}

type Accepted = { [Kind in Scalar]: Kind extends 'flag' ? boolean : string } & {
  money: number | string
}
type Answered = Accepted & { money: number }

/** The value of a field of some kind; a member of an object may be null to clear it. */
type Value<K, Scalars> = K extends keyof Scalars
  ? Scalars[K]
  : { -readonly [Member in keyof K]?: Value<K[Member], Scalars> | null }

type Fields<Scalars> = { [Name in FieldName]?: Value<(typeof fields)[Name], Scalars> }
type Lists = { [Name in ListName]?: string[] }
type Clearable<Members> = { [Name in keyof Members]?: Members[Name] | null }

export type NewUser = Fields<Accepted> &
  Lists & { id?: string; user_type?: UserType; parent_user_id?: string }
export type UserChanges = Clearable<Fields<Accepted> & { parent_user_id?: string }> &
  Lists & { user_type?: UserType }

export type UserStatus = (typeof userStatuses)[number]
export const UserStatus = OneOf(userStatuses)
export const UserTypeValue = OneOf(userTypes)

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
/** The same schema with null beside its type: ajv then reports one fault, not one per branch. */
const clearable = (schema: object) => {
  const { type } = schema as { type: string | string[] }
  return { ...schema, type: [type, 'null'].flat() }
}

function objectOf(members: Readonly<Record<string, Scalar>>, of: (kind: Scalar) => object): object {
  const properties = Object.entries(members).map(([name, kind]) => [
    name,
    optional({ ...of(kind), description: memberDescriptions[name] }),
  ])
  return Type.Object(Object.fromEntries(properties), { additionalProperties: false })
}

const requestSchema = (kind: Kind): object =>
  typeof kind === 'string' ? accepted[kind] : objectOf(kind, (member) => accepted[member])
const changeSchema = (kind: Kind): object =>
  clearable(
    typeof kind === 'string'
      ? accepted[kind]
      : objectOf(kind, (member) => clearable(accepted[member])),
  )
const answerSchema = (kind: Kind): object => {
  const of = (scalar: Scalar) => answered[scalar] ?? { type: 'string', ...accepted[scalar] }
  return typeof kind === 'string' ? of(kind) : objectOf(kind, of)
}

const members = (schemaOf: (kind: Kind) => object): TProperties =>
  Object.fromEntries(
    fieldNames.map((name) => {
      const description = descriptions[name]
      return [name, optional({ ...schemaOf(fields[name]), description })]
    }),
  )

const CHILDREN = 'They become its children.'
const listDescriptions: Readonly<Record<ListName, string>> = {
  director_list: `Ids of the directors of a BUSINESS, at most 10. ${CHILDREN}`,
  signature_list: `Ids of the authorized signatories of a BUSINESS, at most 10. ${CHILDREN}`,
  shareholder_list:
    'Ids of the shareholders of a BUSINESS, at most 10 of type SHAREHOLDER or ' +
    `SHAREHOLDER_BUSINESS. ${CHILDREN}`,
}
const listMembers = (optionality: (list: TSchema) => TSchema): TProperties =>
  Object.fromEntries(
    listNames.map((name) => [name, optionality(Field(listDescriptions[name], SubUsers))]),
  )

const PARENT =
  'Id of the parent user, which is ACTIVE, PENDINGKYC, or a business that is PENDINGKYB.'
const SubUsers = Type.Array(Uuid, { maxItems: LIST_LENGTH_MAX })
const UserTypeName = Field('Type of the user; cannot be changed.', OneOf(userTypes))

// The schemas are made from tables, so their types are stated beside them instead of inferred.
export const NewUser = Type.Unsafe<NewUser>(
  Strict(
    {
      id: Type.Optional(Field('Id of the new user; generated when absent.', Uuid)),
      user_type: Type.Optional(
        Field(
          'Type of the user, INDIVIDUAL by default; cannot be changed later.',
          OneOf(userTypes),
        ),
      ),
      parent_user_id: Type.Optional(Field(PARENT, Uuid)),
      ...members(requestSchema),
      ...listMembers(Type.Optional),
    },
    { title: 'NewUser' },
  ),
)

export const UserChanges = Type.Unsafe<UserChanges>(
  Strict(
    {
      user_type: Type.Optional(UserTypeName),
      parent_user_id: optional({ ...clearable(Uuid), description: PARENT }),
      ...members(changeSchema),
      ...listMembers(Type.Optional),
    },
    { title: 'UserChanges' },
  ),
)

/** The user as clients see it. Columns that are not named here are absent from answers. */
export const User = Type.Unsafe<User>(
  Type.Object(
    {
      id: Field('Id of the user.', Uuid),
      user_type: UserTypeName,
      status: Field('Status of the user.', UserStatus),
      status_reason_code: Type.String({ description: 'Reason code of the status.' }),
      parent_user_id: Type.Optional(Field(PARENT, Uuid)),
      default_user: Type.Boolean({ description: 'Always false.' }),
      kyc_policy_passed: Type.Optional(
        Type.String({ description: 'Name of the KYC policy that the user has passed.' }),
      ),
      ...members(answerSchema),
      ...listMembers((list) => list),
      created: Field('When the user was created.', Instant),
      modified: Field('When the user was last changed.', Instant),
    },
    { title: 'User', description: 'A person or company that may hold cards.' },
  ),
)

/** `awaits_checks` means the rule `awaitsChecks` of rules/status.ts. */
export const UserQuery = ListQuery({
  status: Type.Optional(Field('Only users with this status.', UserStatus)),
  user_type: Type.Optional(Field('Only users of this type.', UserTypeValue)),
  awaits_checks: Type.Optional(
    Type.Boolean({
      description:
        'True lists only users that await identity verification, KYC, the review of compliance, ' +
        'further documents after a rejection (S5), or new documents after expiry.',
    }),
  ),
})
export type UserQuery = Static<typeof UserQuery>

export const UserSearch = ListQuery({
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: NAME_LENGTH,
      description: 'Beginning of any word of a name, in any letter case.',
    }),
  ),
  mobile: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: PHONE_LENGTH,
      description: 'Whole mobile number, with or without its leading +.',
    }),
  ),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: EMAIL_MOST,
      description: 'Whole e-mail address, in any letter case.',
    }),
  ),
})
export type UserSearch = Static<typeof UserSearch>

/** D-18. */
export const RelationshipQuery = ListQuery({
  depth: Type.Optional(
    Field(
      '`direct` lists the children of the user (default), `all` its whole subtree.',
      OneOf(['direct', 'all'] as const),
    ),
  ),
})
export type RelationshipQuery = Static<typeof RelationshipQuery>

export const StatusUpdate = Strict({
  status: Field('Status that the user moves to.', UserStatus),
  status_reason_code: Field('Reason code of the new status.', OneOf(reasonCodes)),
  note: Type.Optional(Field('Note that is stored with the change, up to 1000 characters.', Note)),
})
export type StatusUpdate = Static<typeof StatusUpdate>

export const StatusChange = Type.Object(
  {
    id: Field('Id of the change.', Uuid),
    user_id: Field('Id of the user.', Uuid),
    old_status: Field('Status before the change.', UserStatus),
    old_status_reason_code: Type.String({ description: 'Reason code before the change.' }),
    new_status: Field('Status after the change.', UserStatus),
    new_status_reason_code: Type.String({ description: 'Reason code after the change.' }),
    changed_by: Type.Object(
      {
        kind: Type.String({ description: 'Kind of the actor.' }),
        id: Type.String({ description: 'Id of the actor.' }),
      },
      { description: 'Actor that made the change.' },
    ),
    note: Type.Optional(Type.String({ description: 'Note of the change.' })),
    created: Field('When the change was made.', Instant),
  },
  { title: 'UserStatusChange' },
)
export type StatusChange = Static<typeof StatusChange>
