/** docs/events.md: each kind of event with its members and an example that was received. */

import { Type } from 'typebox'
import { PING } from '#issuing/webhooks/webhooks.ts'
import type { EventKind } from '#kit/event.ts'
import type { DocumentedApi } from '#kit/http/openapi/openapi.ts'
import { page, quoted, table } from './markdown.ts'

/** The kinds in the order of the slices, those of one name together (D-60, D-61). */
export function eventsPage(apis: readonly DocumentedApi[]): string {
  // The kinds of merchants are in both documents.
  const kinds = [...new Set(apis.flatMap(({ events }) => events ?? []))]
  const toMerchants = kinds.flatMap(({ event, to_merchant }) => (to_merchant ? [event] : []))
  const named = [...Map.groupBy(kinds, ({ event }) => event)]
  const rows = named.map(([event, ofName]) => [
    `[\`${event}\`](#${event.toLowerCase()})`,
    ofName.map(({ emitted }) => emitted).join(' '),
    ofName.map(({ object }) => object).join(' or '),
  ])
  const examples = Object.assign({}, ...apis.map((api) => api.examples?.().events))
  return page('Events', [
    'Every delivery is one flat JSON object with the members below. Each has `event`, the kind; ' +
      '`id`, the id of the event; and `created`, the time of the event where its kind names ' +
      'nothing else. Events of one object arrive in order. An event may come more than once: ' +
      'compare `id`. The pull feed ' +
      '(`GET /v1/events`) has the same objects, as pages or as server-sent events; `npm run ' +
      'listen` forwards them to a local address. ' +
      'The OpenAPI document has the schemas under `webhooks`, with the headers of a delivery. ' +
      `\`${PING}\` is sent only by \`:ping\` and cannot be subscribed to.`,
    `An endpoint of a merchant ([shops.md](shops.md)) receives ${quoted(toMerchants)} of that ` +
      'merchant alone, with the same body and headers. The subscriptions and the feed of the ' +
      `tenant have those of all its merchants, the feed also each \`${PING}\` of their endpoints.`,
    table(['Event', 'Emitted when', 'In order per'], rows).join('\n'),
    ...named.map(([event, ofName]) => sectionOf(event, ofName, examples[event])),
  ])
}

function sectionOf(event: string, kinds: readonly EventKind[], example: unknown): string {
  const tables = kinds.flatMap(({ emitted, object, payload }) => [
    `${emitted} Events of one ${object} arrive in order.`,
    table(['Member', 'Value', 'Description'], membersOf(Type.Object(payload))).join('\n'),
  ])
  const text = JSON.stringify(example, null, 2)
  return [`## ${event}`, ...tables, ['```json', text, '```'].join('\n')].join('\n\n')
}

/** Members of a property's schema that the page reads. */
type Shown = {
  title?: string
  description?: string
  type?: string
  format?: string
  const?: unknown
  enum?: readonly string[]
  properties?: Readonly<Record<string, Shown>>
  required?: readonly string[]
}

/** A row for each member, those of an object without a name of its own below it. */
function membersOf({ properties = {}, required = [] }: Shown, path = ''): string[][] {
  return Object.entries(properties).flatMap(([name, member]) => {
    const place = `${path}${name}`
    const absence = required.includes(name) ? '' : ' May be absent.'
    const row = [`\`${place}\``, kindOfValue(member), `${member.description ?? ''}${absence}`]
    return member.title === undefined ? [row, ...membersOf(member, `${place}.`)] : [row]
  })
}

function kindOfValue({ title, type, format, const: only, enum: words }: Shown): string {
  if (title !== undefined) return title
  if (words) return quoted(words)
  if (only !== undefined) return quoted([String(only)])
  return format ?? type ?? ''
}
