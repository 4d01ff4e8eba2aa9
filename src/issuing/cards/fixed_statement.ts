/** Statements that are read at very many requests: their text is made once, not for each call. */

import { CompiledQuery } from 'kysely'
import type { Db } from '#kit/db/database.ts'

const texts = new WeakMap<TemplateStringsArray, string>()

/** A statement whose values are all parameters; fragments of other statements cannot be put in. */
export const fixedStatement = <Row>(
  strings: TemplateStringsArray,
  ...values: readonly unknown[]
) => ({
  async execute(db: Db): Promise<Row[]> {
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(textOf(strings), [...values]))
    return rows
  },
})

function textOf(strings: TemplateStringsArray): string {
  const known = texts.get(strings)
  if (known !== undefined) return known
  const text = strings.reduce((before, part, at) => `${before}$${at}${part}`)
  texts.set(strings, text)
  return text
}
