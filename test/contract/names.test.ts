/**
 * E-mail addresses and names of every request, by the schemas of all operations: marks of
 * direction, zero-width characters and blanks around an address do not count, and a name of nothing
 * else is refused. Phone numbers have one reader (src/lib/phone.ts).
 */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAjv } from '#kit/http/schema.ts'
import { readConfig } from '#src/config/config.ts'
import { contractsOf } from '#src/program/documents.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'

const ajv = createAjv(false)
const MARKS = [
  '\u200e',
  '\u200f',
  '\u202b',
  '\u2067',
  '\u061c',
  '\u200b',
  '\u2060',
  '\ufeff',
  '\u00a0',
]

type Schema = {
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: readonly Schema[]
  type?: string | string[]
  enum?: readonly string[]
  minLength?: number
}
type Member = { path: string; name: string; schema: Schema }

function membersOf(schema: Schema, at: string): Member[] {
  const inner = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])]
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, member]): Member[] => {
    const path = `${at} ${name}`
    return [{ path, name, schema: member }, ...membersOf(member, path)]
  })
  return [...own, ...inner.flatMap((each) => membersOf(each, at))]
}

const textOf = (schema: Schema) =>
  [schema, ...(schema.anyOf ?? [])].find(({ type, enum: words }) => !words && type === 'string')

const texts = contractsOf(readConfig({}), sandbox).flatMap(({ routes }) =>
  routes.flatMap(({ id, body }) =>
    (body ? membersOf(body as Schema, id) : []).filter(({ schema }) => textOf(schema)),
  ),
)

describe('an e-mail address of a request', () => {
  // A search and an order of a shop are read by their rules, whose tests have the marks.
  const emails = texts.filter(({ name, path }) => /email/.test(name) && !/order|search/.test(path))
  test('is a member of several operations', () => assert.ok(emails.length > 5))
  for (const { path, schema } of emails) {
    test(`${path} may have marks around it`, () => {
      for (const mark of MARKS) {
        assert.equal(ajv.validate(schema, `${mark}layla@example.com${mark}`), true, mark)
        assert.equal(ajv.validate(schema, mark), false, mark)
      }
    })
  }
})

describe('a name of a request', () => {
  // A shop sends what its customer typed, a header has a grammar, and names of users have rules.
  const names = texts.filter(
    ({ name, path, schema }) =>
      /(?<!header)(^|_)name$|^organization$/.test(name) &&
      !/order|search/.test(path) &&
      textOf(schema)?.minLength === 1,
  )
  test('is a member of several operations', () => assert.ok(names.length > 15))
  for (const { path, schema } of names) {
    test(`${path} is not blank`, () => {
      for (const mark of MARKS) {
        assert.equal(ajv.validate(schema, `${mark} ${mark}`), false, JSON.stringify(mark))
        assert.equal(ajv.validate(schema, `${mark}متجر`), true, JSON.stringify(mark))
      }
    })
  }
})
