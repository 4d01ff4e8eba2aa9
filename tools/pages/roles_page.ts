/** docs/roles.md: which operation each role may call (D-137). */

import {
  bodyLimitsOf,
  keyPermissionsOf,
  mayCall,
  OPERATOR_ROLES,
  ROLES,
  type Role,
  TENANT_ROLES,
} from '#callers/roles.ts'
import type { DocumentedApi } from '#kit/http/openapi/openapi.ts'
import type { Route } from '#kit/http/route.ts'
import { page, quoted, table } from './markdown.ts'

const INTRO =
  'What a member may call with a session. An API key is held against its permissions, ' +
  'and one that a member made also against the values that the table names for its role (D-884). ' +
  'No session may call an operation that answers card numbers: they are seen only in widgets. ' +
  'Members of the operator’s team name the tenant that a request is about in the header ' +
  '`x-bezant-tenant`; without it they call the operator’s operations (D-576).'

export function rolesPage(apis: readonly DocumentedApi[]): string {
  const sections = apis.map(({ document, routes }) => {
    const called = routes.filter(({ permission }) => permission !== 'open')
    return [
      `## ${document.title}`,
      '',
      `Paths are under \`${document.server}\`.`,
      ...ofRoles(called, TENANT_ROLES),
      ...ofRoles(called, OPERATOR_ROLES),
    ].join('\n')
  })
  const keys = [
    '## Keys',
    '',
    ...table(
      ['Role', 'Permissions that it may give to a key'],
      ROLES.map((role) => [role, quoted(keyPermissionsOf(role)) || 'none']),
    ),
  ]
  return page('Roles', [INTRO, ...sections, keys.join('\n')])
}

function ofRoles(routes: readonly Route[], roles: readonly Role[]): string[] {
  const rows = routes
    .map((route) => [
      `\`${route.method} ${route.path}\``,
      ...roles.map((role) => cell(role, route)),
    ])
    .filter((row) => row.slice(1).some((text) => text !== ''))
  return rows.length === 0 ? [] : ['', ...table(['Operation', ...roles], rows)]
}

function cell(role: Role, route: Route): string {
  if (!mayCall(role, route)) return ''
  const limits = Object.entries(bodyLimitsOf(role, route.id))
  return limits.length === 0
    ? 'yes'
    : limits.map(([member, words]) => `${member}: ${words.join(', ')}`).join('; ')
}
