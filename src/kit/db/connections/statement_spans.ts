/** Spans of statements: the verb and its table, and the text, which has no values. */

import { here, inSpan } from '#kit/tracing/tracing.ts'

const NAMES_MAX = 1_000
const names = new Map<string, string>()

/** Only within a span: a search for due work is none. */
export function spanOfStatement<Result>(
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!here()) return work()
  const attributes = { 'db.system.name': 'postgresql', 'db.query.text': text }
  return inSpan(nameOf(text), { kind: 'client', attributes }, work)
}

function nameOf(text: string): string {
  const known = names.get(text)
  if (known !== undefined) return known
  const [verb = 'statement'] = /[a-z]+/i.exec(text) ?? []
  const [, table = ''] = /\b(?:into|update|from|join)\s+"?([a-z_]+)/i.exec(text) ?? []
  const name = `${verb.toLowerCase()} ${table}`.trim()
  if (names.size < NAMES_MAX) names.set(text, name)
  return name
}
