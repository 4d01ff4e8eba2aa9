/** Why the program cannot start, as lines for the person who starts it: no stack, no secret. */

import { DatabaseUnavailable } from '#kit/db/database.ts'
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
  if (error instanceof DatabaseUnavailable) return [databaseUnusable(error.cause).message]
  const code = codeOf(error) ?? ''
  if (FULL.test(code)) return [`${lineOf(error)}: make room on that disk, or set DATA_DIR`]
  return [`${lineOf(error)} (${code || 'not foreseen'}; LOG_LEVEL=debug logs more)`]
}

/** A disk, or what an account may take of it. */
const FULL = /^(ENOSPC|EDQUOT)$/

/** The line for a database that cannot be used at all. */
export function databaseUnusable(error: unknown): StartError {
  return new StartError(`the database cannot be used (${reasonOf(error)}): ${remedyOf(error)}`)
}

function remedyOf(error: unknown): string {
  const code = codeOf(error) ?? ''
  const [, byMessage] = remediesByMessage.find(([message]) => message.test(lineOf(error))) ?? []
  return remedies[code] ?? byMessage ?? 'start that database, or correct DATABASE_URL'
}

const NAME_CA =
  'name the file of the CA that signed its certificate in DATABASE_URL ' +
  '(?sslmode=verify-full&sslrootcert=/path/ca.pem)'

const remedies: Readonly<Record<string, string>> = {
  '28P01': 'correct user and password in DATABASE_URL',
  '28000': 'correct the user in DATABASE_URL, or let it in (pg_hba.conf)',
  '3D000': 'create it, or correct its name in DATABASE_URL',
  '25006': 'name the server that takes writes in DATABASE_URL; this one is a standby or read-only',
  '42501': 'let the user of DATABASE_URL own the database',
  '53100': 'make room on its disk',
  '53300': 'let it accept more connections (max_connections), or stop what uses them',
  // Certificates, by the codes of Node.
  DEPTH_ZERO_SELF_SIGNED_CERT: NAME_CA,
  SELF_SIGNED_CERT_IN_CHAIN: NAME_CA,
  UNABLE_TO_GET_ISSUER_CERT: NAME_CA,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NAME_CA,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NAME_CA,
  CERT_HAS_EXPIRED: 'renew its certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'name the host in DATABASE_URL as its certificate does',
}

/** Remedies for messages of the driver without a code, or with one that has other causes too. */
const remediesByMessage: readonly (readonly [RegExp, string])[] = [
  [/client password must be/, 'add the password to DATABASE_URL'],
  [/does not support SSL/, 'let it have TLS (ssl = on), or leave sslmode out of DATABASE_URL'],
  [/, open '/, 'correct the file that DATABASE_URL names (sslrootcert, sslcert or sslkey)'],
]

/** Node's error has no message if each of several addresses rejected the connection. */
function reasonOf(error: unknown): string {
  return lineOf(error) || (codeOf(error) ?? 'no reason given')
}
