import type { User } from '../../api/types.ts'

/** The name of a person or a company; '' where neither is known. */
export const nameOfUser = (user: User): string =>
  user.business_legal_name ??
  user.company_name ??
  [user.first_name, user.middle_name, user.last_name].filter(Boolean).join(' ')
