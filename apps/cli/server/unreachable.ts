/** Why the platform cannot be reached, and what to do. */

import { existsSync } from 'node:fs'
import { codeOf } from '#kit/start_error.ts'

/** A sentence about an error of `fetch`. A private CA is trusted by NODE_EXTRA_CA_CERTS (D-554). */
export function unreachable(url: string, error: unknown, start = 'start the server (npm start)') {
  const code = codeOf(error instanceof Error ? error.cause : undefined) ?? ''
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return `the certificate of ${url} has another name: use an address that it names`
  }
  if (/CERT|VERIFY/.test(code)) {
    return (
      `the certificate of ${url} is not trusted (${code}): set NODE_EXTRA_CA_CERTS to the file ` +
      'of the CA that signed it'
    )
  }
  return `${url} does not answer: ${start}`
}

/** A sentence about a sandbox.json that is not there, or is not what the program writes. */
export function noSandbox(path: string, remedy = 'start the server (npm start)'): string {
  return existsSync(path)
    ? `${path} is damaged: ${remedy}; a start writes the file anew`
    : `${path} does not exist: ${remedy}`
}
