import { type Route, route } from '#kit/http/route.ts'
import { listMails } from './mails.ts'
import { MailList, MailQuery } from './schema.ts'

/** Mounted with the other operator routes (D-142). */
export const mailRoutes: readonly Route[] = [
  route({
    id: 'listMails',
    tag: 'Operator',
    description:
      'Lists the mails of the portal that a sandbox without `SMTP_URL` has kept instead of ' +
      'sending them, newest first. They are kept for 30 days.',
    method: 'GET',
    path: '/operator/mails',
    permission: 'operator',
    summary: 'List kept mails',
    sandbox: true,
    query: MailQuery,
    answer: MailList,
    run: (ctx, { query }) => listMails(ctx, query),
  }),
]
