/** What ends a command, and the exit code that follows from it. */

import { CommanderError } from 'commander'
import { ApiError, BezantError, ConnectionError } from '#client/index.ts'
import { visible } from './text.ts'

/** The command cannot go on; the message states why and what to do. */
export class Fault extends Error {}

/** What was typed is wrong. */
export class UsageFault extends Fault {}

/** 1: the API answered with an error, or not at all. 2: what was typed is wrong. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** The lines for standard error, and the exit code. What is no error of these is thrown. */
export function outcomeOf(error: unknown): { code: number; lines: string[] } {
  if (error instanceof CommanderError) {
    // Commander has printed the sentence itself.
    return { code: error.exitCode === 0 ? EXIT.done : EXIT.usage, lines: [] }
  }
  if (error instanceof UsageFault) return { code: EXIT.usage, lines: [error.message] }
  if (error instanceof Fault) return { code: EXIT.failed, lines: [error.message] }
  if (error instanceof ApiError) return { code: EXIT.failed, lines: linesOf(error) }
  if (error instanceof ConnectionError) {
    return { code: EXIT.failed, lines: [visible(`${error.message}: ${causeOf(error)}`)] }
  }
  if (error instanceof BezantError) return { code: EXIT.failed, lines: [visible(error.message)] }
  throw error
}

function linesOf({ detail, faults, status, code, requestId }: ApiError): string[] {
  const fields = Object.entries(faults).map(
    ([path, messages]) => `  ${path === '' ? 'body' : path}: ${messages.join(', ')}`,
  )
  const where = [status, code, requestId && `request ${requestId}`].filter((part) => part)
  return [`${detail} (${where.join(', ')})`, ...fields].map(visible)
}

/** Certificates of a private CA are trusted by NODE_EXTRA_CA_CERTS (D-554). */
function causeOf({ cause }: Error): string {
  const inner = cause instanceof Error ? (cause.cause ?? cause) : cause
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : ''
  if (/CERT|VERIFY/.test(code)) return `${code}: set NODE_EXTRA_CA_CERTS to the file of its CA`
  if (code === 'ECONNREFUSED') return 'nothing listens there: start the server (bezant start)'
  return code || (inner instanceof Error ? inner.message : 'no answer')
}
