/**
 * The simulated bureau (D-1025): it decrypts the file with its own key, verifies signature and
 * trailer, and answers PRODUCED for each record. Its keys are of this process; it keeps no file.
 */

import { createHash } from 'node:crypto'
import type { Bureau, BureauKeys, Transport } from '#issuing/card_orders/provider.ts'
import { BureauFault } from '#issuing/card_orders/provider.ts'
import { Secret } from '#lib/secret.ts'

/** Published: it protects the PINs of a sandbox from nobody. */
export const SANDBOX_ZPK = '0123456789ABCDEFFEDCBA9876543210'

type Keys = BureauKeys & {
  own: { read: Secret; verify: string }
}

const makeKeys = async (): Promise<Keys> => {
  const { generateKey } = await import('openpgp')
  const [bureau, bank] = await Promise.all(
    ['Simulated bureau', 'Sandbox'].map((name) => generateKey({ userIDs: [{ name }] })),
  )
  if (!bureau || !bank) throw new Error('a key was not made')
  return {
    recipient: bureau.publicKey,
    signer: new Secret(bank.privateKey),
    passphrase: null,
    own: { read: new Secret(bureau.privateKey), verify: bank.publicKey },
  }
}

export function simulatedBureau(): Bureau {
  let made: Promise<Keys> | undefined
  const keys = () => {
    made ??= makeKeys()
    return made
  }
  const files = new Map<string, Buffer>()
  const answers = new Map<string, Buffer>()
  const transport: Transport = {
    async write(name, content) {
      const chunks: Uint8Array[] = []
      for await (const bytes of content) chunks.push(bytes)
      files.set(name, Buffer.concat(chunks))
    },
    size: async (name) => files.get(name)?.length,
    async rename(from, to) {
      const bytes = files.get(from)
      files.delete(from)
      if (bytes) answers.set(`${to}.rsp`, answersTo(await opened(await keys(), bytes)))
    },
    async remove(name) {
      files.delete(name)
    },
    answers: async () => [...answers.keys()],
    read: async (name) => answers.get(name) ?? Buffer.alloc(0),
    async putAway(name) {
      answers.delete(name)
    },
    async [Symbol.asyncDispose]() {},
  }
  return {
    name: 'sandbox',
    outside: false,
    layout: null,
    zpk: new Secret(SANDBOX_ZPK),
    keys,
    open: async () => transport,
  }
}

/** The file in clear. Throws where it is not for this bureau, or not signed by the sandbox. */
async function opened({ own }: Keys, bytes: Buffer): Promise<string> {
  const { decrypt, readKey, readMessage, readPrivateKey } = await import('openpgp')
  const { data } = await decrypt({
    message: await readMessage({ binaryMessage: bytes }),
    decryptionKeys: await readPrivateKey({ armoredKey: own.read.reveal() }),
    verificationKeys: await readKey({ armoredKey: own.verify }),
    expectSigned: true,
  })
  return data
}

/** PRODUCED for each order, if the trailer is that of the records. */
function answersTo(text: string): Buffer {
  const lines = text.split('\n').slice(0, -1)
  const records = lines.filter((line) => line.startsWith('R,'))
  const sha256 = createHash('sha256')
    .update(records.map((line) => `${line}\n`).join(''))
    .digest('hex')
  if (lines.at(-1) !== `T,${records.length},${sha256}`) {
    throw new BureauFault('the trailer of the file is not that of its records')
  }
  return Buffer.from(records.map((line) => `${line.split(',', 2)[1]},PRODUCED\n`).join(''))
}
