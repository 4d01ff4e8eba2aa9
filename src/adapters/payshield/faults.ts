/** Why a command has no answer that can be used (D-1014). No message repeats what was sent. */

export type FaultReason =
  /** No connection could be opened, or every module is left alone. */
  | 'unreachable'
  /** The connection ended first. */
  | 'lost'
  | 'timeout'
  /** The answer could not be read, or is that of another command. */
  | 'garbled'
  /** An error code that says nothing about the values of the sender. */
  | 'refused'

export class ModuleFault extends Error {
  override name = 'ModuleFault'
  readonly reason: FaultReason
  /** The error code of the module, if it answered one. */
  readonly code: string | undefined

  constructor(reason: FaultReason, command: string, code?: string) {
    super(`the security module did not do ${command}: ${code ? `error ${code}` : reason}`)
    this.reason = reason
    this.code = code
  }
}

export const asFault = (error: unknown, command: string): ModuleFault =>
  error instanceof ModuleFault ? error : new ModuleFault('lost', command)
