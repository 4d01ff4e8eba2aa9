/** Source text of the classes of errors: one for each code that an API answers. */

import type { DocumentedApi, DocumentedError } from '#kit/http/openapi/openapi.ts'
import { errorsOf } from '#kit/http/openapi/openapi.ts'
import { formatError } from '#merchant/error_format.ts'
import { comment } from './groups.ts'
import { pascal } from './names.ts'

/** The APIs share one class for a code, whose status and sentence are the same in all of them. */
export function errorsSource(apis: readonly DocumentedApi[]): string {
  const answered = apis.flatMap((api) => errorsOf(api).filter(({ routes }) => routes.length > 0))
  const byCode = new Map<string, DocumentedError>()
  for (const error of answered) {
    const known = byCode.get(error.code)
    if (known && known.status !== error.status) throw new Error(`${error.code} has two statuses`)
    byCode.set(error.code, known ?? error)
  }
  const errors = [...byCode.values()].sort((one, other) => (one.code < other.code ? -1 : 1))
  const classes = errors.map(
    ({ code, status, detail }) => `${comment([`${status}: ${detail}`])}
export class ${classOf(code)} extends ApiError<'${code}'> {}
`,
  )
  return `/** A class for each code of an error. */
import { ApiError } from '../core/errors.ts'

${classes.join('\n')}
/** The class of each code. */
export const errorClasses = {
${errors.map(({ code }) => `${code}: ${classOf(code)},`).join('\n')}
} as const

/** Every code that an API answers. */
export type ErrorCode = keyof typeof errorClasses
`
}

const classOf = (code: string) => `${pascal(code)}Error`

/** An answer of the merchant API has no code: the sentence of each, by its status (D-88). */
export function sentencesSource(api: DocumentedApi): string {
  const rows = errorsOf(api)
    .filter(({ status, routes }) => routes.length > 0 && status !== 400)
    .map(({ code, status, detail }) => {
      const { body } = formatError({ code, status, detail })
      return [status, code, JSON.parse(body).detail] as const
    })
  return `/** The sentence of each code, with which the details of its answers begin. */
export const sentences: readonly (readonly [status: number, code: string, sentence: string])[] =
${JSON.stringify(rows)}
`
}
