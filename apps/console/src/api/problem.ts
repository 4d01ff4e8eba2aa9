/** An answer that is an error, as /v1 and /portal/v1 and the order service describe it. */

type Described = {
  code?: string
  detail?: string
  message?: string
  request_id?: string
  errors?: { path: string; message: string }[]
}

/** The member for faults of the whole body, as the order service names it. */
const WHOLE = 'non_field_errors'
/** Answers to who asks, which say nothing of an earlier request with the same key. */
const UNDECIDED = [401, 403, 408, 425, 429]

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
    // The order service nests the faults of a body as the body is (D-88).
    const isNested = status === 400 && typeof (described.detail ?? described.code) !== 'string'
    const { code, detail, message, errors = [] } = isNested ? {} : described
    const faults = isNested
      ? faultsIn(described)
      : errors.map(({ path, message: fault }) => [nameOf(path), fault] as const)
    const { [WHOLE]: whole, ...fields } = Object.fromEntries(faults)
    super(detail ?? message ?? whole ?? '')
    this.status = status
    this.code = code ?? (status === 0 ? 'unreachable' : 'unknown')
    this.request_id = described.request_id ?? request_id ?? undefined
    this.retry_after = secondsOf(retry_after)
    this.fields = fields
  }

  /** Seconds after which the page asks again by itself: the server was busy, and named them. */
  get wait(): number | undefined {
    return this.status === 429 || this.status === 503 ? this.retry_after : undefined
  }

  /** Whether the request may have had its effect: no answer says whether it had (D-974). */
  get isUnknown(): boolean {
    const { status, retry_after } = this
    if (status === 0 || status === 408) return true
    // A conflict that passes by itself: the first request may be the one that is under way.
    if (status === 409) return retry_after !== undefined
    return status >= 500 && status !== 501
  }

  /** Whether the server has decided the request: the same one may then be asked anew. */
  get isDecided(): boolean {
    return !this.isUnknown && !UNDECIDED.includes(this.status)
  }
}

/** The header has seconds or an instant. */
function secondsOf(retry_after: string | null | undefined): number | undefined {
  if (!retry_after) return undefined
  const seconds = Number(retry_after)
  const wait = Number.isNaN(seconds) ? (Date.parse(retry_after) - Date.now()) / 1000 : seconds
  return Number.isNaN(wait) ? undefined : Math.max(0, Math.ceil(wait))
}

/** Texts of a tree by the path of each: `{order: {total: ['…']}}` has one at `order.total`. */
function faultsIn(tree: unknown, path = ''): [path: string, text: string][] {
  if (typeof tree === 'string') return [[path, tree]]
  if (Array.isArray(tree) && tree.every((item) => typeof item === 'string')) {
    return [[path, tree.join(' ')]]
  }
  return Object.entries(Object(tree)).flatMap(([name, below]) => {
    if (name === WHOLE && path !== '') return faultsIn(below, path)
    return faultsIn(below, path === '' ? name : `${path}.${name}`)
  })
}

const nameOf = (path: string): string => path.replace(/^[/.]+/, '').replaceAll('/', '.')

/** The status of a problem if the page itself has failed. */
export const OF_PAGE = -1

/** A part of the console that is loaded when it is first needed, in the words of each browser. */
const UNLOADED = /dynamically imported module|importing a module script failed|preload CSS/i

/** Whether what was thrown says that a part of the console did not arrive. */
export const isUnloaded = (thrown: unknown): boolean =>
  thrown instanceof Error && UNLOADED.test(thrown.message)

/** Anything that was thrown, as a problem that a page can show. */
export function problemOf(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  return isUnloaded(thrown) ? new Problem(0) : new Problem(OF_PAGE, { code: 'page_fault' })
}
