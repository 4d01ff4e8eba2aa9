/** Events in an OpenAPI document: what a subscribed endpoint receives, under `webhooks`. */

export type DocumentedEvent = {
  event: string
  /** When it is emitted. */
  emitted: string
  /** Members of the body beside `event`, `id` and `created`: a name, then what it holds. */
  members: readonly string[]
  isUnbuilt?: true
}

const COMMON = {
  id: {
    type: 'string',
    format: 'uuid',
    description: 'Id of the event: the same at every attempt, and the header webhook-id.',
  },
  created: { type: 'string', format: 'date-time', description: 'When the event happened.' },
}

/** One operation for each event that is emitted today. */
export function webhooksOf(events: readonly DocumentedEvent[], tag: string): object {
  const built = events.filter(({ isUnbuilt }) => !isUnbuilt)
  return Object.fromEntries(built.map((each) => [each.event, { post: receiptOf(each, tag) }]))
}

function receiptOf({ event, emitted, members }: DocumentedEvent, tag: string): object {
  const name = event.toLowerCase().replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase())
  const schema = {
    type: 'object',
    required: ['event', 'id', 'created'],
    properties: {
      event: { const: event, description: 'The kind of the event.' },
      ...COMMON,
      ...Object.fromEntries(members.map(memberOf)),
    },
  }
  return {
    operationId: `receive${name}`,
    summary: `Receive ${event}`,
    description: `${emitted} Signed by the rules of Standard Webhooks.`,
    tags: [tag],
    requestBody: { required: true, content: { 'application/json': { schema } } },
    responses: {
      '2XX': { description: 'The event is received and is not sent again.' },
      '4XX': { description: 'The event is sent again; after 410 the subscription is disabled.' },
    },
  }
}

/** `order {id, reference}` is an object; a name alone is described by itself. */
function memberOf(text: string): [name: string, schema: object] {
  const [, name = text, content] = /^(\w+)(?: [({](.*)[)}])?$/.exec(text) ?? []
  const isObject = text.includes('{')
  return [
    name,
    {
      ...(isObject && { type: 'object' }),
      description: content === undefined ? `The ${name.replaceAll('_', ' ')}.` : `${content}.`,
    },
  ]
}
