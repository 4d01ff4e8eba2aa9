/** Texts of Home that come with its figures. */

import { program } from './program.ts'

export const texts = { program }
