/** A file of orders as an OpenPGP message, encrypted to the bureau and signed by us (D-1022). */

import { Readable } from 'node:stream'
import { ReadableStream } from 'node:stream/web'
import { BureauFault, type BureauKeys } from '../provider.ts'

const loaded = () => import('openpgp')

type Opened = Awaited<ReturnType<typeof opened>>

/** Fails with a BureauFault that names the key that is wrong. */
async function opened({ recipient, signer, passphrase }: BureauKeys) {
  const { decryptKey, readKey, readPrivateKey } = await loaded()
  const encryptionKeys = await readKey({ armoredKey: recipient }).catch(
    wrong('the key of the bureau cannot be read'),
  )
  if (encryptionKeys.isPrivate()) throw new BureauFault('the key of the bureau is a private one')
  await encryptionKeys.getEncryptionKey().catch(wrong('the key of the bureau does not encrypt'))
  const privateKey = await readPrivateKey({ armoredKey: signer.reveal() }).catch(
    wrong('the signing key cannot be read'),
  )
  const signingKeys = privateKey.isDecrypted()
    ? privateKey
    : await decryptKey({ privateKey, passphrase: passphrase?.reveal() ?? '' }).catch(
        wrong('the signing key does not open with its passphrase'),
      )
  await signingKeys.getSigningKey().catch(wrong('the signing key does not sign'))
  return { encryptionKeys, signingKeys }
}

const wrong = (what: string) => (error: unknown) => {
  const reason = error instanceof Error ? error.message : 'unknown'
  throw new BureauFault(`${what}: ${reason}`)
}

/** Opens the keys before the file is made: a wrong key is found first. */
export async function protection(
  keys: BureauKeys,
): Promise<(clear: AsyncIterable<Uint8Array>, name: string) => AsyncIterable<Uint8Array>> {
  const both = await opened(keys)
  return (clear, name) => encrypted(both, clear, name)
}

async function* encrypted(
  { encryptionKeys, signingKeys }: Opened,
  clear: AsyncIterable<Uint8Array>,
  filename: string,
): AsyncGenerator<Uint8Array> {
  const { createMessage, encrypt } = await loaded()
  const binary = ReadableStream.from(clear) as globalThis.ReadableStream<Uint8Array<ArrayBuffer>>
  const message = await createMessage({ binary, filename })
  const bytes = await encrypt({ message, encryptionKeys, signingKeys, format: 'binary' })
  yield* Readable.fromWeb(bytes as unknown as ReadableStream<Uint8Array>)
}
