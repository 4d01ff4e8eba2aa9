/**
 * Receives an upload: every file is inspected while it streams into the store, encrypted. It
 * belongs to no identification until `addFiles` adds it in its transaction (D-27).
 */

import { type Context, transact } from '#kit/context.ts'
import type { ByteRange, Bytes } from '#kit/files/blobs.ts'
import { invalid } from '#kit/http/answers/problems.ts'
import { parseJson } from '#kit/http/bodies/body.ts'
import {
  type FilePart,
  type Parts,
  type Received,
  textOf,
  tooManyParts,
} from '#kit/http/bodies/uploads.ts'
import { newId } from '#lib/id.ts'
import { ApiError, type Fault } from '#lib/result.ts'
import { type Arrival, arrivals } from './arrivals.ts'
import { type FileStorage, readBlob, removeBlobs, scanBlob } from './file_storage.ts'
import { assertRoom } from './files.ts'
import { findIdentification, lockLivingUser } from './find.ts'
import { FileFault } from './inspection/faults.ts'
import { beginning } from './inspection/head.ts'
import { threads } from './inspection/threads.ts'
import { insertLoose } from './loose_store.ts'
import type { NewFile, NewFiles } from './new_files.ts'
import { FILES_PER_CALL_MAX, fileBytesMax, type IdentificationType } from './rules/documents.ts'
import type { Kind } from './rules/kinds.ts'
import {
  checkMetadata,
  checkPart,
  metadataNames,
  type PartFields,
  type PartHeaders,
} from './rules/metadata.ts'
import type { IdentificationPath } from './schema.ts'
import { putSealed, type SealedBlob } from './sealed_blobs.ts'
import { countFiles } from './store.ts'

type Arrived = PartHeaders & {
  kind: Kind
  /** Bytes that have arrived; fewer may be stored. */
  size: number
  blob: SealedBlob & { sha256: Buffer }
  scan_status: NewFile['scan_status']
  fields: PartFields
}

type Stored = Pick<Arrived, 'blob' | 'size' | 'scan_status'>

/** Longer than any request, so that the sweep does not delete the bytes of a running one. */
const LOOSE_FOR_MS = 60 * 60 * 1000
/** A text field or a JSON part, with or without a file name (D-129). */
const METADATA = 'metadata'

/**
 * A 400 has every fault of the metadata; a file that is not of its declared type is 400 too.
 */
export async function receiveFiles(
  storage: FileStorage,
  ctx: Context,
  { user_id, identification_id }: IdentificationPath,
  parts: Parts,
): Promise<Received<NewFiles>> {
  const { type } = await checkUpload(ctx, user_id, identification_id)
  return receiveForm(storage, ctx, type, parts)
}

/** Receives the files of a form, as those of an identification of the type. */
export async function receiveForm(
  storage: FileStorage,
  ctx: Context,
  type: IdentificationType,
  parts: Parts,
): Promise<Received<NewFiles>> {
  const form = new Form(storage, ctx, parts, type)
  try {
    const body = await form.read()
    const fingerprint = JSON.stringify([body.single, body.files.map(contentOf)])
    return {
      body,
      fingerprint,
      settle: () => form.end(),
    }
  } catch (error) {
    await form.end()
    throw error
  }
}

/** The members that a retry repeats; the key and the location of the bytes differ each time. */
const contentOf = ({ blob, sha256, scan_status: _scan, ...metadata }: NewFile) => ({
  ...metadata,
  size: blob.size,
  sha256: sha256.toString('hex'),
})

type Identified = { type: IdentificationType }

/** Checked before a byte is read, and again under locks when the files are added. */
function checkUpload(ctx: Context, user_id: string, id: string): Promise<Identified> {
  return transact(ctx, async (tx) => {
    await lockLivingUser(tx, user_id, 'keep')
    const identification = await findIdentification(tx, user_id, id)
    assertRoom(await countFiles(tx, identification.id), 1)
    return identification
  })
}

class Form {
  /** Keys of everything that was put into the store. */
  readonly #keys: string[] = []
  readonly #storage: FileStorage
  readonly #ctx: Context
  readonly #parts: Parts
  readonly #type: IdentificationType
  readonly #arrived: Arrived[] = []
  readonly #arrival: Arrival
  #names = new Set<string>()
  #fields: Record<string, string> = {}
  #json: unknown

  constructor(storage: FileStorage, ctx: Context, parts: Parts, type: IdentificationType) {
    this.#storage = storage
    this.#ctx = ctx
    this.#parts = parts
    this.#type = type
    this.#arrival = arrivals.begin(ctx.tenant_id)
  }

  /** Removes what belongs to no identification. */
  async end(): Promise<void> {
    try {
      await removeBlobs(this.#storage, this.#ctx, this.#keys)
    } finally {
      this.#arrival.end()
    }
  }

  async read(): Promise<NewFiles> {
    const file_bytes = fileBytesMax(this.#type)
    // A metadata part with a file name counts as one more file.
    for await (const part of this.#parts({ files: FILES_PER_CALL_MAX + 1, file_bytes })) {
      if (part.kind === 'text') this.#takeText(part.name, part.text)
      else if (part.name === METADATA) this.#takeText(part.name, await textOf(part))
      else await this.#takeFile(part)
    }
    const single = this.#names.has('file')
    if (this.#arrived.length === 0) throw invalid('files', 'is required')
    this.#placeLastFields()
    return { files: this.#validated(single), single }
  }

  #takeText(name: string, text: string): void {
    if (name === METADATA) {
      if (this.#json !== undefined) throw invalid(name, 'may be sent once')
      this.#json = parseJson(Buffer.from(text)) ?? null
      return
    }
    if (!metadataNames.some((known) => known === name)) throw invalid(name, 'is not known here')
    if (name in this.#fields) throw invalid(name, 'may be sent once before its file')
    this.#fields[name] = text
  }

  async #takeFile(part: FilePart): Promise<void> {
    const { name, file_name, content_type } = part
    if (name !== 'file' && name !== 'files') throw invalid(name, 'is not known here')
    this.#names.add(name)
    const count = this.#arrived.length
    if (count >= FILES_PER_CALL_MAX) throw tooManyParts()
    if (this.#names.size > 1 || (name === 'file' && count > 0)) {
      throw invalid(name, 'one part named file, or parts named files')
    }
    const path = name === 'file' ? name : `files.${count}`
    const fields = this.#fields
    this.#fields = {}
    const result = checkPart(fields, { file_name: file_name || this.#nameInJson(), content_type })
    if (!result.ok) throw new ApiError(result.code, { errors: under(path, result.errors) })
    try {
      const stored = await this.#store(result.value, part.bytes)
      this.#arrived.push({ ...stored, fields, file_name, content_type, kind: result.value })
    } catch (error) {
      throw error instanceof FileFault ? invalid(path, error.message) : error
    }
  }

  #nameInJson(): string {
    const fields = jsonFor(this.#json, this.#arrived.length)
    return typeof fields['file_name'] === 'string' ? fields['file_name'] : ''
  }

  async #store(kind: Kind, bytes: Bytes): Promise<Stored> {
    const [storage, ctx] = [this.#storage, this.#ctx]
    const arrived = await this.#put(beginning(kind, bytes))
    const { size } = arrived
    const read = (range: ByteRange) => readBlob(storage, ctx, arrived, range)
    const outcome = await threads.inspect(ctx.tenant_id, kind, { size, read })
    if ('fault' in outcome) throw new FileFault(outcome.fault)
    // The bytes that will be cut are scanned too.
    const verdict = await scanBlob(storage, ctx, arrived)
    if (verdict === 'INFECTED') throw new FileFault('holds a virus')
    const { end } = outcome
    const blob = end === size ? arrived : await this.#put(read({ start: 0, end }))
    return { blob, size, scan_status: statusAfter(verdict) }
  }

  async #put(bytes: Bytes): Promise<Arrived['blob']> {
    const [storage, ctx] = [this.#storage, this.#ctx]
    const key = `${ctx.tenant_id}/${newId()}`
    // Bytes expire on real time, as requests do.
    await insertLoose(ctx, key, LOOSE_FOR_MS)
    this.#keys.push(key)
    return await putSealed(storage.store, ctx.keys, key, this.#counted(bytes))
  }

  async *#counted(bytes: Bytes): AsyncGenerator<Buffer> {
    for await (const chunk of bytes) {
      this.#arrival.take(chunk.length)
      yield chunk
    }
  }

  /** Many clients send fields after their file; with one file their meaning is unambiguous. */
  #placeLastFields(): void {
    const [name] = Object.keys(this.#fields)
    const [first, second] = this.#arrived
    if (name === undefined || !first) return
    const twice = Object.keys(this.#fields).find((field) => field in first.fields)
    if (second || twice !== undefined) throw invalid(twice ?? name, 'must precede its file')
    first.fields = { ...first.fields, ...this.#fields }
  }

  #validated(single: boolean): NewFile[] {
    const errors: Fault[] = [...faultsOfJson(this.#json, this.#arrived.length)]
    const files = this.#arrived.flatMap(
      ({ blob: stored, scan_status, fields, ...part }, at): NewFile[] => {
        const { sha256, ...blob } = stored
        const all = { ...jsonFor(this.#json, at), ...fields }
        const result = checkMetadata(this.#type, all, part)
        if (result.ok) return [{ ...result.value, blob, sha256, scan_status }]
        errors.push(...under(single ? '' : `files.${at}`, result.errors))
        return []
      },
    )
    if (errors.length > 0) throw new ApiError('validation_failed', { errors })
    return files
  }
}

const under = (path: string, errors: readonly Fault[] = []): Fault[] =>
  errors.map((error) => ({ ...error, path: path === '' ? error.path : `${path}.${error.path}` }))

/** An object applies to every file; an array has one element for each. */
function jsonFor(json: unknown, at: number): Record<string, unknown> {
  const fields: unknown = Array.isArray(json) ? json[at] : json
  return isObject(fields) ? fields : {}
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function faultsOfJson(json: unknown, files: number): Fault[] {
  if (json === undefined) return []
  const all: unknown[] = Array.isArray(json) ? json : [json]
  if (!all.every(isObject) || (Array.isArray(json) && json.length !== files)) {
    return [{ path: 'metadata', message: 'must be an object, or an array of one for each file' }]
  }
  return all
    .flatMap((fields) => Object.keys(Object(fields)))
    .filter((name) => !metadataNames.some((known) => known === name))
    .map((name) => ({ path: `metadata.${name}`, message: 'is not known here' }))
}

function statusAfter(verdict: 'CLEAN' | 'UNKNOWN' | undefined): NewFile['scan_status'] {
  if (verdict === undefined) return 'NOT_SCANNED'
  return verdict === 'CLEAN' ? 'CLEAN' : 'HELD'
}
