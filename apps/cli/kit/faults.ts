/** Errors that end a command, and the exit code that follows from each. */

import { CommanderError } from 'commander'
import { ApiError, BezantError, ConnectionError } from '#client/index.ts'
import { visible } from './text.ts'

/** The command cannot go on; the lines state why and what to do. */
export class Fault extends Error {
  readonly lines: readonly string[]

  constructor(lines: string | readonly string[], options?: ErrorOptions) {
    const all = typeof lines === 'string' ? [lines] : lines
    super(all.join('\n'), options)
    this.lines = all
  }
}

/** The command line is wrong. */
export class UsageFault extends Fault {}

/** A file is wrong; each line begins with its name. */
export class FileFault extends Fault {}

/** 1: the API answered with an error, or not at all. 2: the command line is wrong. */
export const EXIT = { done: 0, failed: 1, usage: 2 } as const

/** The lines for standard error, and the exit code. An error of another kind is thrown. */
export function outcomeOf(error: unknown): { code: number; lines: readonly string[] } {
  if (error instanceof CommanderError) {
    // Commander has printed the sentence itself.
    return { code: error.exitCode === 0 ? EXIT.done : EXIT.usage, lines: [] }
  }
  if (error instanceof UsageFault) return { code: EXIT.usage, lines: error.lines }
  if (error instanceof Fault) return { code: EXIT.failed, lines: error.lines }
  if (error instanceof BezantError) return { code: EXIT.failed, lines: linesOf(error) }
  throw error
}

/** `method` and `path` are those of the request, where they are known. */
export function linesOf(error: BezantError, asked?: { method: string; path: string }): string[] {
  // The errors without an answer begin with the method and the address.
  const method = asked?.method ?? /^[A-Z]+(?= )/.exec(error.message)?.[0] ?? 'GET'
  const doubt = method !== 'GET' && isInDoubt(error) ? [DOUBT] : []
  const lines = error instanceof ApiError ? answerLines(error, asked) : [sentenceOf(error)]
  return [...lines, ...doubt].map(visible)
}

const DOUBT = 'It is not known whether the request took effect.'

function answerLines(error: ApiError, asked?: { method: string; path: string }): string[] {
  const { detail, faults, status, code, requestId } = error
  const fields = Object.entries(faults).map(
    ([path, messages]) => `  ${path === '' ? 'body' : path}: ${messages.join(', ')}`,
  )
  const where = [status, code, requestId && `request ${requestId}`].filter((part) => part)
  const subject = asked ? `${asked.method} ${asked.path}: ` : ''
  return [`${subject}${ownWords(status, asked) ?? detail} (${where.join(', ')})`, ...fields]
}

const NO_SESSION =
  'it needs the session of a member, one that has not ended: bezant profile add NAME URL --session'

/** The sentence for an answer that is not the API's own or says too little. */
function ownWords(status: number, asked?: { method: string; path: string }): string | undefined {
  const isPortal = asked?.path.startsWith('/portal/') ?? false
  if (status === 401 && isPortal) {
    // A POST there may be a sign-in, whose answer says what is wrong.
    return asked?.method === 'POST' ? undefined : NO_SESSION
  }
  if (status === 401) return 'the platform does not know this key'
  return status < 400 ? 'the answer is a redirect, which a key does not follow' : undefined
}

function sentenceOf(error: BezantError): string {
  return error instanceof ConnectionError ? `${error.message}: ${causeOf(error)}` : error.message
}

/** Whether the request may have been processed although its answer has not arrived. */
function isInDoubt(error: BezantError): boolean {
  if (error instanceof ApiError) return IN_DOUBT.has(error.status)
  return !(error instanceof ConnectionError) || !NOT_SENT.test(codeOf(error))
}

/** Statuses after which it is not known whether the request has taken effect. */
export const IN_DOUBT: ReadonlySet<number> = new Set([502, 503, 504])

/** Codes of errors by which nothing was sent: no connection came about. */
export const NOT_SENT =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|E(HOST|NET)UNREACH)$|^UND_ERR_CONNECT|CERT|VERIFY/

function innerOf({ cause }: Error): unknown {
  return cause instanceof Error ? (cause.cause ?? cause) : cause
}

function codeOf(error: Error): string {
  const inner = innerOf(error)
  return inner instanceof Error && 'code' in inner ? String(inner.code) : ''
}

/** Certificates of a private CA are trusted by NODE_EXTRA_CA_CERTS (D-554). */
function causeOf(error: Error): string {
  const [inner, code] = [innerOf(error), codeOf(error)]
  if (/CERT|VERIFY/.test(code)) return `${code}: set NODE_EXTRA_CA_CERTS to the file of its CA`
  if (code === 'ECONNREFUSED') return 'nothing listens there: start the server (bezant start)'
  return code || (inner instanceof Error ? inner.message : 'no answer')
}
