/** The output of commands with --json (D-866). */

import { printableJson } from '#lib/printable.ts'

/** One document, indented. */
export const printJson = (document: object): void =>
  void process.stdout.write(`${printableJson(document, 2)}\n`)

/** The document of a command that could not do its work: a line for each fault. */
export const failureDocument = (format: string, errors: readonly string[]) => ({
  format,
  ok: false,
  errors,
})
