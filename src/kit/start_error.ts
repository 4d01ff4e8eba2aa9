/**
 * The reason why the program cannot start, written for the person who starts it: the fault and the
 * remedy, one line a fault, without secrets and without a stack. main prints it and exits with code
 * 1.
 */
export class StartError extends Error {
  override readonly name: string = 'StartError'
}

/** The error code of the operating system or of PostgreSQL (`EACCES`, `55P03`), if there is one. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}

/** Whether it, or what caused it, has this code. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && (codeOf(error) === code || hasCode(error.cause, code))

/** The message of an unknown thrown value, as a single line of bounded length. */
export function lineOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.replace(/\s+/g, ' ').trim().slice(0, 500)
}
