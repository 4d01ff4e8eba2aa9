import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expressionBuilder, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely'
import { TemplateCompiler } from './execution.ts'

type Root = Parameters<PostgresQueryCompiler['compileQuery']>[0]

const compiled = (compiler: PostgresQueryCompiler, statement: RawBuilder<unknown>) => {
  const { sql: text, parameters } = compiler.compileQuery(statement.toOperationNode() as Root, {
    queryId: 'id',
  })
  return { text, parameters: [...parameters] }
}

test('a template has the text and the values of the library', () => {
  const [ours, theirs] = [new TemplateCompiler(), new PostgresQueryCompiler()]
  const constant = sql`now() - ${sql.lit("it's")}`
  const at = new Date(0)
  const statements = [
    sql`select 1`,
    sql`select ${1}, ${null}, ${at}, ${Buffer.of(1)}, ${true}`,
    sql`select ${constant}, ${'a'}, ${constant}, ${sql.lit(7)}, ${sql.lit(null)}`,
    sql`select ${sql.ref('t.a')} from ${sql.table('s.t')} ${sql.raw('where')} ${sql.id('a', 'b')}`,
    sql`with x as (${sql.join([sql`select ${1}`, sql`select ${2}`], sql` union all `)}) ${sql``}`,
    sql`(${sql.join([1, 'b', at])})`,
    sql`select ${sql.val('x')}`,
  ]
  for (const statement of [...statements, ...statements]) {
    assert.deepEqual(compiled(ours, statement), compiled(theirs, statement))
  }
})

test('what contains values and is no template is left to the library', () => {
  const [ours, theirs] = [new TemplateCompiler(), new PostgresQueryCompiler()]
  const { eb } = expressionBuilder<{ t: { a: number } }, 't'>()
  const mixed = sql`select ${0} where ${eb('a', 'in', [1, 2])} and d = ${3}`
  assert.deepEqual(compiled(ours, mixed), compiled(theirs, mixed))
})
