/** Sign-ins and sessions as the portal shows and takes them (D-135, D-136). */

import { type Static, Type } from 'typebox'
import { KEY_PERMISSIONS } from '#callers/roles.ts'
import { Tenant } from '#issuing/tenants/schema.ts'
import { Field, Instant, ListOf, ListQuery, OneOf, Strict, Uuid } from '#kit/http/schema.ts'
import { Email, Member, Password, RoleName } from '#portal/people/schema.ts'

const TOKEN_MOST = 100
const CODE_MOST = 40
const CODE =
  'Code of the second factor: six digits, of which those of 30 seconds before and after count ' +
  'too, or a recovery code, whose capitals, spaces and hyphen do not count.'

export const SignIn = Strict({ email: Email, password: Password })
export type SignIn = Static<typeof SignIn>

export const SignedIn = Type.Object({ member: Member }, { title: 'SignedIn' })
export type SignedIn = Static<typeof SignedIn>

export const Challenge = Type.Object(
  {
    challenge: Type.String({
      description: 'Challenge that the second step repeats; valid once, for five minutes.',
    }),
  },
  { title: 'Challenge' },
)

export const SecondStep = Strict({
  challenge: Type.String({ maxLength: TOKEN_MOST, description: '`challenge` of the first step.' }),
  code: Type.String({ maxLength: CODE_MOST, description: CODE }),
})
export type SecondStep = Static<typeof SecondStep>

export const PresentSession = Type.Object(
  {
    member: Member,
    tenant: Type.Optional(Tenant),
    tenant_header: Type.Optional(
      Type.String({
        description:
          'Header with which a request of the operator’s team names the tenant that it acts for; ' +
          'only for a member of that team.',
      }),
    ),
    role: Field('Role of the member.', RoleName),
    permissions: Type.Array(OneOf(KEY_PERMISSIONS), {
      description: 'Permissions that the member may give to an API key.',
    }),
    operations: Type.Array(Type.String(), {
      description: 'Operations that the role may call, by `operationId`.',
    }),
    expires: Field('When the session ends, used or not, in real time.', Instant),
    second_factor_required: Type.Boolean({
      description:
        'Whether the session may only set up a second factor, which the tenant requires and the ' +
        'member lacks.',
    }),
  },
  { title: 'PresentSession' },
)
export type PresentSession = Static<typeof PresentSession>

export const Session = Type.Object(
  {
    id: Field('Id of the session.', Uuid),
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    created: Field('When the sign-in was, in real time.', Instant),
    last_used: Field('When it was used last, to ten seconds.', Instant),
    expires: Field('When it ends, used or not.', Instant),
    user_agent: Type.String({ description: 'User agent of the browser.' }),
    address: Type.String({ description: 'IP address that the sign-in came from.' }),
  },
  { title: 'Session' },
)
export const SessionList = ListOf(Session)
export const SessionQuery = ListQuery({})
