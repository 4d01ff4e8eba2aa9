/** A key service with the API of OpenBao and Vault: the transit engine, one key and one token. */

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Transit = {
  url: string
  key: string
  token: string
  /** The calls, as method and path with their body. */
  calls: { what: string; body: Record<string, string> }[]
  /** How calls from now on are answered instead; undefined as a key service does. */
  answer: (how: ((response: ServerResponse) => unknown) | undefined) => void
  close: () => Promise<void>
}

const PREFIX = 'vault:v1:'

export async function openTransit(): Promise<Transit> {
  const [secret, token, key] = [randomBytes(32), `s.${randomBytes(12).toString('hex')}`, 'bezant']
  const calls: Transit['calls'] = []
  let instead: ((response: ServerResponse) => unknown) | undefined

  const aad = (body: Record<string, string>) => Buffer.from(body['associated_data'] ?? '', 'base64')
  const verbs: Record<string, (body: Record<string, string>) => object> = {
    encrypt(body) {
      const nonce = randomBytes(12)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(aad(body))
      const clear = Buffer.from(body['plaintext'] ?? '', 'base64')
      const sealed = [nonce, cipher.update(clear), cipher.final(), cipher.getAuthTag()]
      return { ciphertext: `${PREFIX}${Buffer.concat(sealed).toString('base64')}`, key_version: 1 }
    },
    decrypt(body) {
      const sealed = Buffer.from((body['ciphertext'] ?? '').slice(PREFIX.length), 'base64')
      const decipher = createDecipheriv('aes-256-gcm', secret, sealed.subarray(0, 12))
        .setAAD(aad(body))
        .setAuthTag(sealed.subarray(-16))
      const clear = [decipher.update(sealed.subarray(12, -16)), decipher.final()]
      return { plaintext: Buffer.concat(clear).toString('base64') }
    },
  }

  function reply(request: IncomingMessage, body: Record<string, string>): [number, object] {
    if (request.headers['x-vault-token'] !== token) return [403, { errors: ['permission denied'] }]
    const [, verb = '', name] = /^\/v1\/transit\/(\w+)\/(.+)$/.exec(request.url ?? '') ?? []
    const perform = verbs[verb]
    if (!perform || name !== key || request.method !== 'POST') return [404, { errors: [] }]
    try {
      return [200, { request_id: 'r', data: perform(body) }]
    } catch {
      return [400, { errors: ['cipher: message authentication failed'] }]
    }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString() || '{}')
    calls.push({ what: `${request.method} ${request.url}`, body })
    if (instead) {
      instead(response)
      return
    }
    const [status, answer] = reply(request, body)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    key,
    token,
    calls,
    answer(how) {
      instead = how
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
