import type { Context } from '#kit/context.ts'

/** A person who signs in or signs up has no tenant yet: the portal looks for it, or makes it. */
export const overAllTenants = <Given extends Context>(ctx: Given): Given => ({
  ...ctx,
  db: ctx.db.overAllTenants(),
})
