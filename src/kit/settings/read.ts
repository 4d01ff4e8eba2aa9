/** Reads environment variables by the schemas of their values. */

import { readFileSync } from 'node:fs'
import type { Static, TObject, TSchema } from 'typebox'
import { createAjv } from '#kit/http/schema.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** A function of the text in a schema, beside the keywords of JSON Schema. */
const ajv = createAjv(false).addKeyword({
  keyword: 'isRight',
  validate: (isRight: (text: string) => boolean, text: string) => isRight(text),
})
const isOf = (schema: TSchema, value: unknown): boolean => ajv.validate(schema, value)

/** The keywords that variables.ts may write beside a shape. */
type Variable = TSchema & {
  type: 'string' | 'integer' | 'array'
  items?: TSchema
  default?: unknown
  description?: string
  remedy?: string
  writeOnly?: true
  inFile?: true
}

/** An empty variable counts as absent, as compose files and CI systems write it. */
const textOf = (env: Environment, name: string): string | undefined =>
  env[name]?.trim() || undefined

/**
 * The values of all variables of the table, and a line for every one that has another shape. If
 * there are faults, the values only show which variables are set. `suffix` is part of every name.
 */
export function readVariables<Table extends TObject>(
  table: Table,
  env: Environment,
  suffix = '',
): { values: Static<Table>; faults: string[] } {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(table.properties)) {
    // The schemas of variables.ts contain no other type and these keywords.
    const variable = schema as Variable
    const isInFile = variable.inFile && table.properties[`${name}_FILE`] === undefined
    const given = isInFile ? givenOrRead(env, name, suffix) : textOf(env, `${name}${suffix}`)
    if (typeof given === 'object') {
      faults.push(given.fault)
      values[name] = UNREAD
      continue
    }
    const text = given
    const value = text === undefined ? variable.default : parsed(variable, text)
    const isRight = text === undefined || isOf(variable, value)
    if (!isRight) faults.push(faultOf(`${name}${suffix}`, variable, wrongPart(variable, text)))
    values[name] = isRight ? value : (variable.default ?? value)
  }
  // Every member is its default or was checked by its schema.
  return { values: values as Static<Table>, faults }
}

/** Stands for a value whose file was faulty: the variable counts as set. */
export const UNREAD = ''

/**
 * The text of a variable, or of the file that NAME_FILE names (D-675). It is read once, without the
 * white space around it, as editors and `echo` leave a line break at its end.
 */
function givenOrRead(
  env: Environment,
  name: string,
  suffix: string,
): string | undefined | { fault: string } {
  const [own, named] = [`${name}${suffix}`, `${name}_FILE${suffix}`]
  const [text, path] = [textOf(env, own), textOf(env, named)]
  if (path === undefined) return text
  if (text !== undefined) return { fault: `${own} and ${named} are both set: set one` }
  try {
    const content = readFileSync(path, 'utf8').trim()
    return content || { fault: `${named} names an empty file: write the value into it` }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : 'no text'
    return { fault: `${named} cannot be read (${reason}): let this account read the file` }
  }
}

/** Text that is no number stays text, which no schema of a number accepts. */
function parsed({ type }: Variable, text: string): unknown {
  if (type === 'array') return entriesOf(text)
  return type === 'integer' && /^\d{1,9}$/.test(text) ? Number(text) : text
}

const entriesOf = (text: string): string[] => text.split(',').map((entry) => entry.trim())

/** The first wrong entry of a list, or the whole text. */
function wrongPart({ items }: Variable, text: string): string {
  return (items && entriesOf(text).find((entry) => !isOf(items, entry))) ?? text
}

/** Quoted, so that it is one line, and truncated. */
function faultOf(name: string, { description, remedy, writeOnly }: Variable, wrong: string) {
  const found = writeOnly ? '' : `, not ${JSON.stringify(wrong.slice(0, 60))}`
  return `${name} must be ${description}${found}: ${remedy}`
}
