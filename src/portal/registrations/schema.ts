import { type Static, Type } from 'typebox'
import { Tenant } from '#issuing/tenants/schema.ts'
import { Field, Name, Strict } from '#kit/http/schema.ts'
import { Email, Member, NewPassword } from '#portal/people/schema.ts'

export const NewRegistration = Strict({
  email: Email,
  password: NewPassword,
  organization: Field('Name of the organization, which becomes the tenant.', Name),
})
export type NewRegistration = Static<typeof NewRegistration>

export const Confirmation = Strict({
  token: Type.String({ maxLength: 100, description: '`token` of the link in the mail.' }),
})
export type Confirmation = Static<typeof Confirmation>

export const ToConfirm = Type.Object({}, { title: 'ToConfirm', description: 'Nothing.' })

export const Registered = Type.Object(
  {
    member: Member,
    tenant: Tenant,
    api_key: Type.String({ description: 'First API key of the tenant, returned only once.' }),
  },
  { title: 'Registered' },
)
export type Registered = Static<typeof Registered>
