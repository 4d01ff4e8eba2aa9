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
    components: { schemas: slim(schemas, true) as never },
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

/** `isNamed`: the members are schemas by names, which may be those of other words. */
function slim(value: unknown, isNamed = false): unknown {
  if (Array.isArray(value)) return value.map((one) => slim(one))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([name, member]) =>
      isNamed ||
      (!LEFT_OUT.has(name) &&
        // An `anyOf` beside a type restricts the text, not its type.
        !(name === 'anyOf' && 'type' in value && Array.isArray(member))),
  )
  return Object.fromEntries(
    kept.map(([name, member]) => [name, slim(member, !isNamed && name === 'properties')]),
  )
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
