/** An answer that is an error, as /v1 and /portal/v1 and the order service describe it. */

import i18next from 'i18next'

type Described = {
  code?: string
  detail?: string
  message?: string
  request_id?: string
  errors?: { path: string; message: string }[]
}

export class Problem extends Error {
  override readonly name = 'Problem'
  /** 0 where no answer came, `OF_PAGE` where the page itself has failed. */
  readonly status: number
  readonly code: string
  readonly request_id: string | undefined
  /** Seconds after which the same request may be made again, where the answer says so. */
  readonly retry_after: number | undefined
  /** Faults of members of the body, by their paths without the leading slash. */
  readonly fields: Readonly<Record<string, string>>

  constructor(
    status: number,
    described: Described = {},
    request_id?: string | null,
    retry_after?: string | null,
  ) {
    super(described.detail ?? described.message ?? '')
    this.status = status
    this.code = described.code ?? (status === 0 ? 'unreachable' : 'unknown')
    this.request_id = described.request_id ?? request_id ?? undefined
    this.retry_after = retry_after ? Number(retry_after) : undefined
    const faults = described.errors ?? []
    this.fields = Object.fromEntries(
      faults.map(({ path, message }) => [nameOf(path), plainOf(message)]),
    )
  }
}

const nameOf = (path: string): string => path.replace(/^[/.]+/, '').replaceAll('/', '.')

/** A pattern is a matter of programs: a reader of the page gets a sentence. */
const plainOf = (message: string): string =>
  message.startsWith('must match pattern') ? i18next.t('states.wrong_form') : message

/** In place of a status, where the page itself has failed. */
export const OF_PAGE = -1

/** A part of the console that is loaded when it is first needed, in the words of each browser. */
const UNLOADED = /dynamically imported module|importing a module script failed|preload CSS/i

/** Whether what was thrown says that a part of the console did not arrive. */
export const isUnloaded = (thrown: unknown): boolean =>
  thrown instanceof Error && UNLOADED.test(thrown.message)

/** Whatever was thrown, as a problem that a page can show. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  return isUnloaded(thrown) ? new Problem(0) : new Problem(OF_PAGE, { code: 'page_fault' })
}
