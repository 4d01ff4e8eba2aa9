/**
 * The statements of a migration, as a cluster takes them: one in each message, and one change in
 * each `alter table` (D-1103). They are found by brackets, quotes and comments alone.
 */

/** A quoted text or name, a text between dollars, a comment, or one character. */
const PIECE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$).*?\1|--[^\n]*|\/\*.*?\*\/|./gs
const COMMENT = /^(?:--|\/\*)/
const ALTER_TABLE =
  /^(alter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?(?:"[^"]+"|[\w.]+)+\s+)(.*)$/is

export function statementsOf(text: string): string[] {
  return divide(text, ';').flatMap(changesOf)
}

/** Citus takes no constraint beside another change. */
function changesOf(statement: string): string[] {
  const [, head, changes] = ALTER_TABLE.exec(statement) ?? []
  if (head === undefined || changes === undefined) return [statement]
  return divide(changes, ',').map((change) => `${head}${change}`)
}

/** The parts between separators that stand in no brackets, without comments. */
function divide(text: string, separator: string): string[] {
  const parts = ['']
  let depth = 0
  for (const [piece] of text.matchAll(PIECE)) {
    if (COMMENT.test(piece)) continue
    if (piece === '(') depth += 1
    if (piece === ')') depth -= 1
    if (piece === separator && depth === 0) parts.push('')
    else parts.push(`${parts.pop()}${piece}`)
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '')
}
