/**
 * Messages of a client to PostgreSQL (protocol 3.0, without TLS), cut into units: a simple query,
 * or a group of prepared statements up to its Sync. The server answers each with one ReadyForQuery.
 */

export type Unit = {
  /** The messages before `last`: the statements of a group. */
  statements: readonly Buffer[]
  /** The Sync of a group; otherwise the whole unit. */
  last: Buffer
  /** How many statements of the group are run before its end. */
  executes: number
  /** It begins a transaction that may write, or is one. */
  begins: boolean
  /** The server commits at its end. */
  commits: boolean
}

const typed = (letter: string) => letter.charCodeAt(0)
const SYNC = typed('S')
const QUERY = typed('Q')
const PARSE = typed('P')
const BIND = typed('B')
const EXECUTE = typed('E')
const GROUPED = new Set(['P', 'B', 'D', 'E', 'C', 'H'].map(typed))

/** A group with the tenant's and two more. A single statement is not counted as a transaction. */
const SEVERAL = 3
const WRITES = /\b(insert into|update|delete from)\b/i
const BEGINS = /^begin(;|$)/
/** Statements that a group on a cluster has around the others (D-647). */
const FRAMES = /^(begin|set local)\b/

/** Whether the server answers it with ReadyForQuery. */
export const isAnswered = ({ last }: Unit): boolean => last[0] === SYNC || last[0] === QUERY

/** The part of a group that has not been sent once its statements have. */
export const endOf = (unit: Unit): Unit => ({ ...unit, statements: [], executes: 0 })

/** Reads the units of one connection, from its first byte. */
export function unitReader(): (chunk: Buffer) => Unit[] {
  const read = messageReader(0)
  const texts = new Map<string, string>()
  let inTransaction = false
  let counts = true
  let group: Buffer[] = []
  const unitOf = (last: Buffer): Unit => {
    const statements = group
    group = []
    const text = last[0] === QUERY ? stringsOf(last)[0] : undefined
    const bound = statements.flatMap((one) => (one[0] === BIND ? textOf(one, texts) : []))
    const isBegin = BEGINS.test(text ?? bound[0] ?? '')
    if (isBegin) {
      inTransaction = true
      counts = mayBeWritten(bound.filter((one) => !FRAMES.test(one)))
    }
    if (text === 'commit' || text === 'rollback') inTransaction = false
    const executes = statements.filter((message) => message[0] === EXECUTE).length
    const isGroup = last[0] === SYNC && executes >= SEVERAL
    const isOwn = isGroup && !inTransaction && bound.some((one) => WRITES.test(one))
    return {
      statements,
      last,
      executes,
      begins: isOwn || (isBegin && counts),
      commits: isOwn || (text === 'commit' && counts),
    }
  }
  return (chunk) => {
    const units: Unit[] = []
    for (const message of read(chunk)) {
      if (message[0] === PARSE) note(message, texts)
      if (GROUPED.has(message[0] ?? 0)) group.push(message)
      else units.push(unitOf(message))
    }
    return units
  }
}

function note(parse: Buffer, texts: Map<string, string>): void {
  const [name = '', text = ''] = stringsOf(parse)
  texts.set(name, text)
}

/** Whether a transaction that begins with these statements may write: a group, or nothing yet. */
const mayBeWritten = (own: readonly string[]): boolean =>
  own.length === 0 || (own.length > 1 && own.some((one) => WRITES.test(one)))

/** The text that a Bind is of. */
function textOf(bind: Buffer, texts: ReadonlyMap<string, string>): string {
  const [, name] = stringsOf(bind)
  return name === undefined ? '' : (texts.get(name) ?? '')
}

/** The strings that a message begins with. */
const stringsOf = (message: Buffer): string[] =>
  message
    .subarray(TYPE_BYTES + LENGTH_BYTES)
    .toString('latin1')
    .split('\0', 2)

const TYPE_BYTES = 1
/** The length of a message begins its text. */
const LENGTH_BYTES = 4

/** Cuts what is sent into messages: the first one of a client has no letter. */
export function messageReader(firstTypeBytes: 0 | 1): (chunk: Buffer) => Buffer[] {
  let left = Buffer.alloc(0)
  let typeBytes: number = firstTypeBytes
  return (chunk) => {
    left = Buffer.concat([left, chunk])
    const messages: Buffer[] = []
    while (left.length >= typeBytes + LENGTH_BYTES) {
      const end = typeBytes + left.readInt32BE(typeBytes)
      if (left.length < end) break
      messages.push(left.subarray(0, end))
      left = left.subarray(end)
      typeBytes = TYPE_BYTES
    }
    return messages
  }
}
