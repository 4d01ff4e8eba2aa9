/** The types of a document: openapi-typescript makes them, each gets a name of its own here. */

import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import type { Schemas } from '#lib/openapi.ts'

const { factory } = ts
const EXPORT = [factory.createModifier(ts.SyntaxKind.ExportKeyword)]
/** Members that would make the package larger and are read in the API reference. */
const LEFT_OUT = new Set(['example', 'examples', 'title'])

/** Source text that exports a type for each schema. */
export async function typesOf(schemas: Schemas): Promise<string> {
  const document = {
    openapi: '3.1.0',
    info: { title: '', version: '' },
    paths: {},
    components: { schemas: slim(schemas) as never },
  }
  const nodes = await openapiTS(document, {
    defaultNonNullable: false,
    // A file of a form.
    transform: ({ format }) =>
      format === 'binary' ? factory.createTypeReferenceNode('Blob') : undefined,
  })
  return membersOf(nodes)
    .map((member) => astToString([declarationOf(member)]))
    .join('\n')
    .replace(/components\["schemas"\]\["(\w+)"\]/g, '$1')
    .replace(/^ *\* @(enum|constant).*\n/gm, '')
    .replace(/@description /g, '')
    .replace(/\/\*\*\n *\* (.*)\n *\*\//g, '/** $1 */')
}

function slim(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(slim)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      // A member of an object may have such a name: it is a schema, not a text.
      (!LEFT_OUT.has(name) || (name === 'title' && typeof member === 'object')) &&
      // An `anyOf` beside a type restricts the text, not its type.
      !(name === 'anyOf' && 'type' in value && Array.isArray(member)),
  )
  return Object.fromEntries(kept.map(([name, member]) => [name, slim(member)]))
}

/** The members of `components.schemas`. */
function membersOf(nodes: readonly ts.Node[]): ts.PropertySignature[] {
  const components = nodes.find(
    (node) => ts.isInterfaceDeclaration(node) && node.name.text === 'components',
  )
  if (!components || !ts.isInterfaceDeclaration(components)) return []
  const schemas = components.members.find(
    (member) => member.name && ts.isIdentifier(member.name) && member.name.text === 'schemas',
  )
  const type = schemas && ts.isPropertySignature(schemas) ? schemas.type : undefined
  return type && ts.isTypeLiteralNode(type) ? type.members.filter(ts.isPropertySignature) : []
}

function declarationOf(member: ts.PropertySignature): ts.Node {
  const { type } = member
  const name =
    ts.isIdentifier(member.name) || ts.isStringLiteral(member.name) ? member.name.text : ''
  if (!type) throw new Error(`${name} has no type`)
  const made = ts.isTypeLiteralNode(type)
    ? factory.createInterfaceDeclaration(EXPORT, name, undefined, undefined, type.members)
    : factory.createTypeAliasDeclaration(EXPORT, name, undefined, type)
  return ts.setSyntheticLeadingComments(made, ts.getSyntheticLeadingComments(member))
}
