/**
 * Parts that the commands of this folder share. They need the sources of the program, which the
 * packed command line does not have: `commands.ts` loads them by their paths (D-988).
 */

import { explain } from '#src/program/explain.ts'
import { failureDocument, printJson } from '#src/program/json_output.ts'
import { EXIT, Fault, UsageFault } from '../kit/faults.ts'
import { dataFolder } from '../kit/platform.ts'
import { note } from '../kit/print.ts'

export type Json = { json?: boolean }

/** Surroundings of the program: DATA_DIR is the folder of `bezant start` where it is not set. */
export const surroundings = (): NodeJS.ProcessEnv => ({ ...process.env, DATA_DIR: dataFolder() })

type Failing = {
  /** The first words of each line about an error, if the reason alone does not say enough. */
  failed?: string
  /** The exit code of an error. */
  code?: number
  /** The format of the document about an error, with --json. */
  format?: string | undefined
  reasons?: (error: unknown) => readonly string[]
}

/** Does the work of a command, whose result is its exit code; an error is explained in lines. */
export async function exitWith(
  { failed, code = EXIT.failed, format, reasons = reasonsOf }: Failing,
  work: () => Promise<number>,
): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    if (error instanceof UsageFault) throw error
    const lines = reasons(error)
    for (const line of lines) note(failed === undefined ? line : `${failed}: ${line}`)
    if (format !== undefined) printJson(failureDocument(format, lines))
    process.exitCode = code
  }
}

const reasonsOf = (error: unknown): readonly string[] =>
  error instanceof Fault ? error.lines : explain(error)
