/** Servers by SFTP: the host key is pinned, and known before a password is sent. */

import { createHash, timingSafeEqual } from 'node:crypto'
import { posix } from 'node:path'
import { Readable } from 'node:stream'
import type { default as Client } from 'ssh2-sftp-client'
import { BureauFault, type Transport } from '#issuing/card_orders/provider.ts'
import type { ClearingFolder } from '#issuing/clearings/provider.ts'
import type { SftpPlace } from '#kit/settings/sftp.ts'

/** How long the server may take to let us in, for a step, and for a whole file. */
const LIMITS = { connect_ms: 20_000, step_ms: 60_000, file_ms: 10 * 60_000 }

export async function openSftp(
  settings: SftpPlace,
  answers: string,
  { connect_ms, step_ms, file_ms }: typeof LIMITS = LIMITS,
): Promise<Transport> {
  const client = await connected(settings, connect_ms)
  return transportOf(client, settings.folder, answers, { step_ms, file_ms })
}

/** The folder of the settings, in which files of a card network appear. */
export async function openSftpFolder(
  settings: SftpPlace,
  { connect_ms, step_ms }: Pick<typeof LIMITS, 'connect_ms' | 'step_ms'> = LIMITS,
): Promise<ClearingFolder> {
  const client = await connected(settings, connect_ms)
  const { folder } = settings
  const place = (name: string) => posix.join(folder, name)
  const step = <Result>(what: string, work: Promise<Result>) =>
    failing(what, within(client, work, step_ms))
  return {
    async list(isWanted) {
      const found = await step(`cannot list ${folder}`, client.list(folder))
      return found.flatMap(({ type, name, size, modifyTime: changed }) =>
        type === '-' && isWanted(name) ? [{ name, size, changed }] : [],
      )
    },
    read: (name) => chunksOf(client, place(name), step),
    putAway: (from, to) =>
      step(`cannot rename in ${folder}`, putAway(client, place(from), place(to))),
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => {})
    },
  }
}

/** One chunk at a time, each within the limit of a step. */
async function* chunksOf(
  client: Client,
  path: string,
  step: <Result>(what: string, work: Promise<Result>) => Promise<Result>,
): AsyncGenerator<Buffer> {
  const stream = client.createReadStream(path)
  const chunks = stream[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await step(`cannot read ${path}`, chunks.next())
      if (next.done) return
      yield next.value
    }
  } finally {
    stream.destroy()
  }
}

type Limits = Pick<typeof LIMITS, 'step_ms' | 'file_ms'>

function transportOf(
  client: Client,
  folder: string,
  answers: string,
  { step_ms, file_ms }: Limits,
): Transport {
  const order = (name: string) => posix.join(folder, name)
  const answer = (name: string) => posix.join(answers, name)
  const step = <Result>(what: string, work: Promise<Result>, ms = step_ms) =>
    failing(what, within(client, work, ms))
  return {
    async write(name, content) {
      await step(`cannot write to ${folder}`, write(client, order(name), content), file_ms)
    },
    size: (name) => step(`cannot read ${folder}`, sizeOf(client, order(name))),
    async rename(from, to) {
      await step(`cannot rename in ${folder}`, client.rename(order(from), order(to)))
    },
    async remove(name) {
      await step(`cannot delete in ${folder}`, client.delete(order(name), true))
    },
    async answers() {
      const found = await step(`cannot list ${answers}`, client.list(answers))
      return found.filter(({ type }) => type === '-').map(({ name }) => name)
    },
    read: (name, most) => step(`cannot read ${answers}`, read(client, answer(name), most)),
    putAway: (from, to) =>
      step(`cannot rename in ${answers}`, putAway(client, answer(from), answer(to))),
    async [Symbol.asyncDispose]() {
      await client.end().catch(() => {})
    },
  }
}

async function connected(settings: SftpPlace, connect_ms: number): Promise<Client> {
  const { host, port, user: username, key, password, host_key } = settings
  const { default: Sftp } = await import('ssh2-sftp-client')
  const client = new Sftp()
  const seen = { key: '' }
  const hostVerifier = (presented: Buffer) => {
    seen.key = fingerprintOf(presented)
    return (
      seen.key.length === host_key.length &&
      timingSafeEqual(Buffer.from(seen.key), Buffer.from(host_key))
    )
  }
  try {
    await client.connect({
      host,
      port,
      username,
      ...(key && { privateKey: key.reveal() }),
      ...(password && { password: password.reveal() }),
      hostVerifier,
      readyTimeout: connect_ms,
    })
  } catch (error) {
    await client.end().catch(() => {})
    if (seen.key !== '' && seen.key !== host_key) {
      throw new BureauFault(`the host key of ${host} is ${seen.key}, not ${host_key}`)
    }
    throw new BureauFault(`cannot connect to ${host}:${port} (${reasonOf(error)})`)
  }
  return client
}

/** As OpenSSH writes it, without padding. */
const fingerprintOf = (key: Buffer) =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=$/, '')}`

/** The client reports no write that failed, and the protocol has no code for a full disk. */
async function write(client: Client, path: string, content: AsyncIterable<Uint8Array>) {
  let bytes = 0
  async function* counted() {
    for await (const part of content) {
      bytes += part.length
      yield part
    }
  }
  await client.put(Readable.from(counted()), path)
  const { size } = await client.stat(path)
  if (size === bytes) return
  throw new BureauFault(
    `the server has ${size} of the ${bytes} bytes that were written: its disk may be full`,
  )
}

async function sizeOf(client: Client, path: string): Promise<number | undefined> {
  return (await client.exists(path)) === false ? undefined : (await client.stat(path)).size
}

async function read(client: Client, path: string, most: number): Promise<Buffer> {
  const { size } = await client.stat(path)
  if (size > most) throw new BureauFault(`a file of answers has more than ${most} bytes`)
  const bytes = await client.get(path)
  if (!Buffer.isBuffer(bytes)) throw new BureauFault('a file of answers is not read')
  return bytes
}

async function putAway(client: Client, from: string, to: string): Promise<void> {
  if ((await client.exists(from)) === false) return
  // A file that came again has the name of the first: OpenSSH renames over none.
  if ((await client.exists(to)) !== false) await client.delete(to)
  await client.rename(from, to)
}

/** A server that is silent for so long loses the connection: the attempt is made again. */
async function within<Result>(client: Client, work: Promise<Result>, ms: number): Promise<Result> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new BureauFault(`the server did not answer within ${ms / 1000} s`))
    void client.end().catch(() => {})
  }, ms)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

async function failing<Result>(what: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (error instanceof BureauFault) throw error
    throw new BureauFault(`${what} (${reasonOf(error)})`)
  }
}

/** The code of the error, or what the server said; neither has a password or a key. */
function reasonOf(error: unknown): string {
  const { code, message } = Object(error) as Record<string, unknown>
  const said = typeof message === 'string' ? message.split('\n', 1)[0]?.slice(0, 200) : undefined
  return [code, said].filter((part) => typeof part === 'string' && part !== '').join(': ')
}
