/** The ids of files that this program sends (PDS 0105). */

import { dateOf, INSTITUTION_DIGITS } from './envelope.ts'

/** Type of PDS 0105, for files from a member to the network. */
const FILE_TYPE = '002'
/** Digits of the number of a file of its institution and day. */
const SEQUENCE_DIGITS = 5
const LAST_NUMBER = 99_999

/** The ids that were taken. */
export type Names = {
  /** The number of the last file whose id begins so; 0 for none. */
  findLast: (prefix: string) => Promise<number>
  /** False if another file has the id; one that is just taking it is waited for. */
  insert: (file: string) => Promise<boolean>
}

/** Takes the next id of the institution and day, which no other file has. */
export async function takeName(names: Names, institution: string, day: Date): Promise<string> {
  const prefix = `${FILE_TYPE}${dateOf(day)}${institution.padStart(INSTITUTION_DIGITS, '0')}`
  for (;;) {
    const number = (await names.findLast(prefix)) + 1
    if (number > LAST_NUMBER) throw new Error(`no number is left for files ${prefix}`)
    const file = `${prefix}${String(number).padStart(SEQUENCE_DIGITS, '0')}`
    if (await names.insert(file)) return file
  }
}
