/** The parameters of an operation in an OpenAPI document. */

import { IDEMPOTENCY_HEADER } from '../idempotency_header.ts'
import type { Objects } from '../objects.ts'
import type { Route } from '../route.ts'
import { type Components, hoist, type Json } from './components.ts'
import { exampleMember, type OperationExample } from './examples.ts'

type ParameterParts = {
  components: Components
  example: OperationExample | undefined
  idempotencyHeader: string
  objects: Objects
}

/** Parameters of the path, the query and the header of an operation, with their examples. */
export function parametersOf(
  route: Route,
  { components, example, idempotencyHeader, objects }: ParameterParts,
): Json[] {
  const list = (where: 'path' | 'query', schema: object | undefined): Json[] => {
    const values = where === 'path' ? example?.params : example?.query
    const { properties = {}, required = [] } = (schema ?? {}) as {
      properties?: Record<string, object>
      required?: string[]
    }
    return Object.entries(properties).map(([name, member]) => ({
      name,
      in: where,
      required: where === 'path' || required.includes(name),
      ...('description' in member && { description: member.description }),
      schema: hoist(member, components),
      ...exampleMember(values?.[name]),
    }))
  }
  return [
    ...list('path', route.params),
    ...list('query', route.query),
    ...headersOf(route, idempotencyHeader, objects),
  ]
}

function headersOf(
  route: Route,
  idempotencyHeader: string,
  objects: ParameterParts['objects'],
): Json[] {
  const parameters: Json[] = []
  if (route.media) {
    parameters.push({
      name: 'range',
      in: 'header',
      required: false,
      description: 'One range of bytes, as `bytes=0-1023`.',
      schema: { type: 'string' },
    })
  }
  if (route.stream) {
    parameters.push({
      name: 'last-event-id',
      in: 'header',
      required: false,
      description:
        'In place of `after` where the answer is text/event-stream: the id that a client sends ' +
        'when it connects again.',
      schema: { type: 'string' },
    })
  }
  if (route.method === 'POST' && route.permission !== 'open') {
    parameters.push({
      name: idempotencyHeader,
      in: 'header',
      required: false,
      description:
        'The same content with the same key has one effect (24 hours).' +
        (idempotencyHeader === IDEMPOTENCY_HEADER ? '' : ' `Idempotency-Key` is an alias.'),
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    })
  }
  if (objects.changed) {
    parameters.push({
      name: 'if-match',
      in: 'header',
      required: false,
      description:
        'The `etag` of the object that this changes, or several, or `*` for any: if it has ' +
        'another version, nothing is changed, and the answer is 412.',
      schema: { type: 'string' },
    })
  }
  return parameters
}
