import { type Static, Type } from 'typebox'
import { Field, Instant, Line, ListOf, ListQuery, Uuid } from '#kit/http/schema.ts'

/** The longest address of a mailbox (RFC 5321). */
const ADDRESS_LENGTH = 254

export const KeptMail = Type.Object(
  {
    id: Field('Id of the mail.', Uuid),
    to: Type.String({ description: 'Address of the recipient, in lower case.' }),
    subject: Field('Subject of the mail.', Line),
    text: Type.String({ description: 'The mail as plain text.' }),
    html: Type.String({ description: 'The mail as HTML, with the same words.' }),
    created: Field('When the mail was written.', Instant),
  },
  { title: 'Mail' },
)
export type KeptMail = Static<typeof KeptMail>

export const MailList = ListOf(KeptMail)
export const MailQuery = ListQuery({
  to: Type.Optional(
    Type.String({ maxLength: ADDRESS_LENGTH, description: 'Only mails to this address.' }),
  ),
})
