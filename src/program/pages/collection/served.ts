/**
 * The collection of all requests for Postman, which Bruno imports, made of the OpenAPI documents
 * (D-845): /docs/collections, and its environment beside it.
 */

import type { App } from '#kit/http/app.ts'
import type { OpenApi } from '#lib/openapi.ts'
import { once } from '../once.ts'
import { type Collection, collectionOf } from './collection.ts'
import { postmanCollection, postmanEnvironment } from './postman.ts'

/** The paths, and the names by which the files are kept. */
export const COLLECTION_FILES = {
  '/docs/collections': {
    name: 'bezant.postman_collection.json',
    of: postmanCollection,
  },
  '/docs/collections/environment': {
    name: 'sandbox.postman_environment.json',
    of: postmanEnvironment,
  },
} satisfies Record<string, { name: string; of: (collection: Collection) => object }>

export type CollectionPath = keyof typeof COLLECTION_FILES

/** `documents` are those of issuing, merchant and portal, as openapiOf makes them. */
export function collectionText(
  path: CollectionPath,
  documents: readonly object[],
  base_url: string,
): string {
  // openapiOf makes an OpenAPI document; the round trip leaves out what JSON lacks.
  const parsed = JSON.parse(JSON.stringify(documents)) as OpenApi[]
  const made = COLLECTION_FILES[path].of(collectionOf(parsed, base_url))
  return `${JSON.stringify(made, null, 2)}\n`
}

export function serveCollection(
  app: App,
  documents: () => readonly object[],
  base_url: () => string,
): void {
  for (const path of Object.keys(COLLECTION_FILES) as CollectionPath[]) {
    const text = once(() => collectionText(path, documents(), base_url()))
    app.get(path, async (_request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="${COLLECTION_FILES[path].name}"`)
        .send(text()),
    )
  }
}
