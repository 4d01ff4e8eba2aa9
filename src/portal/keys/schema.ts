import { type Static, Type } from 'typebox'
import { KEY_PERMISSIONS } from '#kit/http/callers/roles.ts'
import { Field, Instant, ListOf, ListQuery, Name, OneOf, Strict, Uuid } from '#kit/http/schema.ts'

const Permissions = Type.Array(OneOf(KEY_PERMISSIONS), {
  ...{ minItems: 1, maxItems: KEY_PERMISSIONS.length, uniqueItems: true },
  description: 'Permissions of the key: at most those that the role may give.',
})

export const NewKey = Strict({
  name: Field('What the key is for.', Name),
  permissions: Permissions,
})
export type NewKey = Static<typeof NewKey>

const key = {
  id: Field('Id of the key, which audit records name.', Uuid),
  name: Type.Optional(Field('Name of the key; keys of the operator may have none.', Name)),
  prefix: Type.String({ description: 'First characters of the key.' }),
  permissions: Type.Array(Type.String(), { description: 'Permissions of the key.' }),
  created: Field('When the key was created.', Instant),
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

export const KeyWithValue = Type.Object(
  { ...key, api_key: Type.String({ description: 'The API key, returned only once.' }) },
  { title: 'KeyWithValue' },
)
export const KeyList = ListOf(Key)
export const KeyQuery = ListQuery({})
