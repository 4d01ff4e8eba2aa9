/** An answer that is an error, as /v1 and /portal/v1 and the order service describe it. */

type Described = {
  code?: string
  detail?: string
  message?: string
  request_id?: string
  errors?: { path: string; message: string }[]
}

export class Problem extends Error {
  override readonly name = 'Problem'
  /** 0 where no answer came. */
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
    this.fields = Object.fromEntries(faults.map(({ path, message }) => [nameOf(path), message]))
  }
}

const nameOf = (path: string): string => path.replace(/^[/.]+/, '').replaceAll('/', '.')

/** Whatever was thrown, as a problem that a page can show. */
export const problemOf = (thrown: unknown): Problem =>
  thrown instanceof Problem ? thrown : new Problem(0)
