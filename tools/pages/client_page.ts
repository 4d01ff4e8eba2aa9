/** The generated page of docs/ that names the function of the client library for each operation. */

import type { ClientModel } from '../client/document.ts'
import { page, table } from './markdown.ts'

/** `title` is that of the document, `client` the name of a client in the examples. */
export type Documented = { title: string; client: string; model: ClientModel }

export function clientPage(apis: readonly Documented[]): string {
  const sections = apis.map(({ title, client, model }) =>
    [
      `## ${title}`,
      '',
      `Paths are under \`${model.prefix}\`.`,
      '',
      ...table(
        ['Operation', 'Function'],
        model.groups.flatMap(({ name: group, operations }) =>
          operations.map(({ method, path, name }) => [
            `\`${method} ${path}\``,
            `\`${client}.${group}.${name}\``,
          ]),
        ),
      ),
    ].join('\n'),
  )
  const intro =
    'The functions of [`@bezant/client`](../packages/client/README.md); [routes.md](routes.md) ' +
    'describes the operations, and [client_examples.md](client_examples.md) has an example for ' +
    'each group.'
  return page('Functions of the client library', [intro, ...sections])
}
