/** Texts of the pages of those who have not signed in. */

import { entrance } from './entrance.ts'
import { mailed } from './mailed.ts'

export const outside = { entrance, mailed }
