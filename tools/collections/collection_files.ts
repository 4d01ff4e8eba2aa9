/** docs/collections: the collections for Postman and for Bruno (D-845). */

import type { OpenApi } from '#lib/openapi.ts'
import type { Generated } from '../generated.ts'
import { brunoFiles } from './bruno.ts'
import { collectionOf } from './collection.ts'
import { postmanCollection, postmanEnvironment } from './postman.ts'

export const COLLECTIONS = 'docs/collections'
export const POSTMAN_FILE = `${COLLECTIONS}/bezant.postman_collection.json`
export const POSTMAN_ENVIRONMENT = `${COLLECTIONS}/sandbox.postman_environment.json`
export const BRUNO_FOLDER = `${COLLECTIONS}/bruno`

/** `documents` are those of issuing, merchant and portal, as openapiOf makes them. */
export function collectionFiles(documents: readonly object[], base_url: string): Generated[] {
  // What openapiOf makes is an OpenAPI document; the round trip leaves out what JSON lacks.
  const parsed = JSON.parse(JSON.stringify(documents)) as OpenApi[]
  const collection = collectionOf(parsed, base_url)
  const json = (value: object) => `${JSON.stringify(value, null, 2)}\n`
  return [
    { path: POSTMAN_FILE, text: json(postmanCollection(collection)) },
    { path: POSTMAN_ENVIRONMENT, text: json(postmanEnvironment(collection)) },
    ...brunoFiles(collection).map(({ path, text }) => ({ path: `${BRUNO_FOLDER}/${path}`, text })),
  ]
}
