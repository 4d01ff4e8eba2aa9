/** Why the program cannot start, as lines for the person who starts it: no stack, no secret. */

import { WrongMasterKey } from '#kit/keys/keyring.ts'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'

/** One line for each fault; most often there is one. */
export function explain(error: unknown): string[] {
  if (error instanceof StartError) return error.message.split('\n')
  if (error instanceof WrongMasterKey) {
    return [
      `${error.message}: set it, or master.key in DATA_DIR, to the key that this database had; ` +
        'one that was restored needs the key of the time that it was restored to',
    ]
  }
  return [`${lineOf(error)} (${codeOf(error) ?? 'not foreseen'}; LOG_LEVEL=debug logs more)`]
}

/** The line for a database that cannot be used at all. */
export function databaseUnusable(error: unknown): StartError {
  const code = codeOf(error) ?? ''
  const remedy = remedies[code] ?? 'start that database, or correct DATABASE_URL'
  return new StartError(`the database cannot be used (${reasonOf(error)}): ${remedy}`)
}

const remedies: Readonly<Record<string, string>> = {
  '28P01': 'correct user and password in DATABASE_URL',
  '28000': 'correct the user in DATABASE_URL, or let it in (pg_hba.conf)',
  '3D000': 'create it, or correct its name in DATABASE_URL',
  '25006': 'name the server that takes writes in DATABASE_URL; this one is a standby or read-only',
  '42501': 'let the user of DATABASE_URL own the database',
  '53300': 'let it accept more connections (max_connections), or stop what uses them',
}

/** Node's error has no message where each of several addresses rejected the connection. */
function reasonOf(error: unknown): string {
  return lineOf(error) || (codeOf(error) ?? 'no reason given')
}
