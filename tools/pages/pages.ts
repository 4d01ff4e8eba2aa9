/** The generated pages of docs/: routes, errors and status codes, each from its table. */

import { statusCodes } from '#iso8583/codes.ts'
import { checks } from '#issuing/authorization/decide/checks/checks.ts'
import { moves as bulkMoves } from '#issuing/bulk/rules.ts'
import { fulfillmentMoves } from '#issuing/cards/rules/fulfillment.ts'
import { cardReasons, type Move, moves } from '#issuing/cards/rules/moves.ts'
import { switchTable } from '#issuing/products/rules.ts'
import { moves as tokenMoves } from '#issuing/tokens/rules.ts'
import { reasons } from '#issuing/users/rules/status.ts'
import { transitions } from '#issuing/users/rules/transitions.ts'
import { type DocumentedApi, errorsOf } from '#kit/http/openapi/openapi.ts'
import type { Route } from '#kit/http/route.ts'
import { otherAnswers, producersOf, type Reasons } from './code_producers.ts'
import { checkReasons } from './code_reasons.ts'
import { page, quoted, table } from './markdown.ts'

type Apis = readonly DocumentedApi[]

/** Each operation: its permission, its summary and its own errors. */
export function routesPage(apis: Apis): string {
  const sections = apis.map(({ document, routes }) =>
    [
      `## ${document.title}`,
      '',
      `Paths are under \`${document.server}\`.`,
      '',
      ...table(
        ['Operation', 'Permission', 'Summary', 'Errors of its own'],
        routes.map((route) => [
          `\`${route.method} ${route.path}\``,
          permissionOf(route),
          route.summary,
          quoted(route.errors ?? []),
        ]),
      ),
    ].join('\n'),
  )
  const intro = 'Errors that any operation may return are in [errors.md](errors.md).'
  return page('Routes', [intro, ...sections])
}

const permissionOf = ({ permission, sandbox }: Route) =>
  sandbox ? `${permission}, sandbox only` : permission

/** Each code with its status, its sentence and the operations that may return it. */
export function errorsPage(apis: Apis): string {
  const sections = apis.map((api) => {
    const rows = errorsOf(api)
      .filter(({ routes }) => routes.length > 0)
      .map(({ code, status, detail, routes }) => [
        `\`${code}\``,
        String(status),
        detail,
        whereOf(routes, api.routes.length),
      ])
    return [
      `## ${api.document.title}`,
      '',
      ...table(['Code', 'Status', 'Meaning', 'Operations'], rows),
    ].join('\n')
  })
  return page('Errors', sections)
}

/** If more operations answer a code, the page has their number; routes.md names them. */
const NAMED_MAX = 8

function whereOf(routes: readonly Route[], all: number): string {
  if (routes.length === all) return 'all'
  if (routes.length > NAMED_MAX) return `${routes.length} of ${all}`
  return quoted(routes.map(({ method, path }) => `${method} ${path}`))
}

/** The checks in their order, then every status code with its DE39. */
export function codesPage(): string {
  const meaningOf = new Map(statusCodes.map(({ code, meaning }) => [code, meaning]))
  const described = (code: string) => `${code} ${meaningOf.get(code) ?? ''}`
  const order = checks.map(({ name, codes, credits, ends }, at) => [
    String(at + 1),
    name,
    codes.map(described).join('<br>'),
    { all: 'yes', 'but refunds': 'but refunds', none: 'no' }[credits],
    ends ? 'yes' : '',
  ])
  const reasonsOf = (title: string, reasons: Reasons) => {
    const rows = reasons.map(([code, reason]) => [described(code), reason])
    return [`### ${title}`, '', ...table(['Code', 'Reason'], rows)].join('\n')
  }
  const switchRows = switchTable.map(({ name, allows, product, card }) => [
    ...[`\`${name}\``, allows, product, card],
  ])
  const answers = Object.entries(otherAnswers).map(([by, reasons]) =>
    reasonsOf(`By ${by}`, reasons),
  )
  const producers = producersOf()
  const codes = statusCodes.map(({ code, meaning, extension, de39, isUnused }) => [
    code,
    meaning,
    extension ? 'yes' : '',
    de39,
    isUnused ? 'nothing' : (producers.get(code) ?? []).join('<br>'),
  ])
  return page('Status codes of transactions', [
    '## The checks, in their order\n\nThe first check that fails gives the code. The checks ' +
      'after it are made for the trace only, and none after one that ends the checks.',
    table(['', 'Check', 'Codes', 'Credits too', 'Ends the checks'], order).join('\n'),
    reasonsOf('What the checks find', checkReasons),
    'The switches of the product come before those of the card. A switch with one code, as `pos` ' +
      'with 1863, gives it at both levels. [limits.md](limits.md) has the codes of limits.',
    '### The switches, in their order\n\nThey are members of `auth_settings`, of a card product ' +
      'and of a card. Each is true by default, and declines where it is false at either.',
    table(['Switch', 'Allows', 'Code of the product', 'Code of the card'], switchRows).join('\n'),
    '## Answers beside the checks\n\nA credit that may not be posted is declined whole as a ' +
      'request; as an advice it is acknowledged and recorded with the code.',
    ...answers,
    '## The codes\n\n`Extension` marks codes that are not in the specification’s list. DE39 ' +
      'is the code that the card network receives; the four digits are never sent to it.',
    table(['Code', 'Meaning', 'Extension', 'DE39', 'Produced by'], codes).join('\n'),
  ])
}

/** Status changes, from the tables that the code follows (D-15, D-20, D-31, D-38). */
export function statusesPage(): string {
  const sections = [userStatuses, cardStatuses, fulfillmentStatuses, tokenStatuses, bulkStatuses]
  return page(
    'Statuses',
    sections.flatMap((section) => section()),
  )
}

function tokenStatuses(): string[] {
  const rows = Object.entries(tokenMoves).map(([from, to]) => [from, to.join(', ') || 'none'])
  return [
    '## Wallet tokens',
    'A token begins ACTIVE. `PUT /tokens/{id}` changes its status by this table; any other ' +
      'change fails with `token_status_move_refused`. The termination of its card deletes it. ' +
      'Each change emits a TOKEN_NOTIFICATION event.',
    table(['From', 'To'], rows).join('\n'),
  ]
}

function bulkStatuses(): string[] {
  const rows = bulkMoves.map(({ when, from, to, by }) => [when, from, to, by])
  return [
    '## Bulk issuances',
    'A bulk issuance begins SUBMITTED, or as a DRAFT when it is created with that status. Only ' +
      'these changes exist; any other fails with `bulk_issuance_move_refused`.',
    table(['When', 'From', 'To', 'By'], rows).join('\n'),
  ]
}

function userStatuses(): string[] {
  const rows = transitions.map((row) => [
    row.when + (row.sandbox ? ' (sandbox only)' : ''),
    row.condition ?? '',
    row.from.length === 0 ? '' : [row.from.join(', '), row.from_reasons?.join(', ')].join(' '),
    `${row.to}, ${row.reason}`,
    row.effects?.join('; ') ?? '',
  ])
  const meanings = Object.entries(reasons).map(([code, meaning]) => [`\`${code}\``, meaning])
  return [
    '## Users',
    'Only these changes exist, and the first row that matches applies; any other fails with ' +
      '`user_status_move_refused`. Each change emits a USER_STATUS_CHANGE event, a creation ' +
      'USER_CREATED.',
    table(['When', 'Condition', 'From', 'To', 'Effects'], rows).join('\n'),
    '### Reason codes of users',
    table(['Code', 'Meaning'], meanings).join('\n'),
  ]
}

function cardStatuses(): string[] {
  const rows = moves.map((move) => [
    move.when,
    conditionOf(move),
    [move.from.join(', '), move.from_reasons?.join(', ')].join(' '),
    `${move.to}, ${move.reason}`,
    move.by,
    move.effects ?? '',
  ])
  const meanings = Object.entries(cardReasons).map(([code, meaning]) => [`\`${code}\``, meaning])
  return [
    '## Cards',
    'A card begins INACTIVE (I0), or ACTIVE (A0) where its product is configured so. Only these ' +
      'changes exist; any other fails with `card_status_move_refused`. The operator may make ' +
      'every change of a client, the platform itself every change. Each change emits a ' +
      'CARD_STATUS_CHANGE event.',
    table(['When', 'Condition', 'From', 'To', 'By', 'Effects'], rows).join('\n'),
    '### Reason codes of cards',
    table(['Code', 'Meaning'], meanings).join('\n'),
  ]
}

function conditionOf({ card_type, fulfillment }: Move): string {
  const conditions = [card_type, fulfillment && `fulfillment ${fulfillment.join(', ')}`]
  return conditions.filter((condition) => condition !== undefined).join('; ')
}

function fulfillmentStatuses(): string[] {
  const rows = fulfillmentMoves.map(({ when, from, to, effects = '' }) => [when, from, to, effects])
  return [
    '## Fulfillment of cards',
    'A physical card begins as CREATED when it is issued, a virtual one when its migration to ' +
      'a physical card begins. Any other change fails with `fulfillment_move_refused`, and so ' +
      'does every change of a terminated card. Each change emits a CARD_DELIVERY_STATUS_CHANGED ' +
      'event, the assignment of a courier CARD_DELIVERY_PARTNER_ASSIGNED.',
    table(['When', 'From', 'To', 'Effects'], rows).join('\n'),
  ]
}
