/** Every regular expression of the tree that meets text from outside, read from its source. */

import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'

export type Expression = { place: string; source: string; flags: string }

const FOLDERS = ['src/**/*.ts', 'packages/client/src/**/*.ts', 'apps/**/*.{ts,tsx}']
/** Descriptions of the API that are made from it. */
const NOT_WRITTEN = /(^|\/)(node_modules|dist|generated|api\/schema)(\/|$)/

/**
 * Literals, what `RegExp` is called with, and patterns of schemas, which ajv compiles with the flag
 * u. A source that is put together of other texts is in `composed`, by its file.
 */
export function expressionsOf(): { expressions: Expression[]; composed: string[] } {
  const expressions: Expression[] = []
  const composed: string[] = []
  const exclude = (path: string) => NOT_WRITTEN.test(path)
  for (const path of globSync(FOLDERS, { exclude })) {
    if (path.endsWith('.test.ts')) continue
    const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
    const text = readFileSync(path, 'utf8')
    const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
    const add = (node: ts.Node, source: string, flags: string) => {
      const line = file.getLineAndCharacterOfPosition(node.getStart()).line + 1
      expressions.push({ place: `${path}:${line}`, source, flags })
    }
    const visit = (node: ts.Node): void => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        add(node, node.text.slice(1, end), node.text.slice(end + 1))
      }
      const given = givenSource(node)
      if (given && ts.isStringLiteralLike(given)) add(node, given.text, 'u')
      else if (given && isCall(node)) composed.push(path)
      node.forEachChild(visit)
    }
    visit(file)
  }
  return { expressions, composed: [...new Set(composed)].sort() }
}

const isCall = (node: ts.Node) => ts.isNewExpression(node) || ts.isCallExpression(node)

/** The source of a call of RegExp, or of the pattern of a schema. */
function givenSource(node: ts.Node): ts.Expression | undefined {
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
    const isRegExp = ts.isIdentifier(node.expression) && node.expression.text === 'RegExp'
    return isRegExp ? node.arguments?.[0] : undefined
  }
  const isPattern = ts.isPropertyAssignment(node) && node.name.getText() === 'pattern'
  return isPattern ? node.initializer : undefined
}
