import { type Static, Type } from 'typebox'
import { KEY_PERMISSIONS } from '#callers/roles.ts'
import { Field, Instant, ListOf, ListQuery, Name, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

const Permissions = Type.Array(OneOf(KEY_PERMISSIONS), {
  minItems: 1,
  maxItems: KEY_PERMISSIONS.length,
  uniqueItems: true,
  description: 'Permissions of the key: at most those that the role may give.',
})

export const NewKey = Strict({
  name: Field('Purpose of the key.', Name),
  permissions: Permissions,
})
export type NewKey = Static<typeof NewKey>

const key = {
  id: Field('Id of the key, which audit records name.', Uuid),
  name: Type.Optional(Field('Name of the key; keys of the operator may have none.', Name)),
  prefix: Type.String({ description: 'First characters of the key.' }),
  permissions: Type.Array(Type.String(), { description: 'Permissions of the key.' }),
  created: Field('When the key was created.', Instant),
  created_by: Type.String({ description: 'Id of the member that made the key, or `operator`.' }),
  created_by_email: Type.Optional(
    Type.String({
      description: 'E-mail address of that member when the key was made; also of a former one.',
    }),
  ),
}

export const Key = Type.Object(
  {
    ...key,
    last_used: Type.Optional(
      Field('When it was used last, in real time, to ten seconds.', Instant),
    ),
  },
  { title: 'Key' },
)

/** A key of a member who is removed or gets another role. */
export const KeyOfMember = Type.Object(
  {
    ...key,
    exceeds_role: Type.Boolean({
      description:
        'Whether it can do more than a key that the new role may make; true of a removed member.',
    }),
  },
  { title: 'KeyOfMember' },
)

export const KeyWithValue = Type.Object(
  { ...key, api_key: Type.String({ description: 'The API key, returned only once.' }) },
  { title: 'KeyWithValue' },
)
export const KeyList = ListOf(Key)
export const KeyQuery = ListQuery({
  created_by: Type.Optional(Field('Only keys that this member has made.', Uuid)),
})
