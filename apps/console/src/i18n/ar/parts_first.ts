/** Texts of the entrance, the shell and Home. */

import { account } from './account.ts'
import { common } from './common.ts'
import { home } from './home.ts'
import { pages } from './pages.ts'
import { search } from './search.ts'

export const first = { ...common, account, home, pages, search }
