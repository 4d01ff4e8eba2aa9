/** The access control server of an issuer on loopback: the issuing API, and a way to be bad. */

import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { World } from '../world.ts'

type Reached = { method: string; path: string; key: string | undefined; body: string }
/** `reach` gives the request to the issuer. */
type Misbehaviour = (response: ServerResponse, reach: () => Promise<unknown>) => unknown

export type TestAccessControl = {
  /** The settings of a program that uses it. */
  env: Record<string, string>
  /** The world that is the issuer, with the key of its tenant. */
  issuer: Pick<World, 'app' | 'tenant'> | undefined
  calls: Reached[]
  /** In place of its answers. */
  misbehaves: Misbehaviour | undefined
  close: () => Promise<void>
}

const ACS_KEY = 'the-key-of-the-acs'

const status =
  (code: number, body = '{}'): Misbehaviour =>
  (response) =>
    response.writeHead(code, { 'content-type': 'application/json' }).end(body)

/** Every quick way in which it answers badly, by its name. */
export const badAnswers: Readonly<Record<string, Misbehaviour>> = {
  'hangs up': (response) => response.destroy(),
  'acts and hangs up': async (response, reach) => {
    await reach()
    response.destroy()
  },
  'sends half an answer': (response) => {
    response.writeHead(200, { 'content-length': '100' })
    response.write('{"id":', () => response.destroy())
  },
  'answers 429': status(429),
  'answers 500': status(500),
  'answers 401': status(401),
  'answers a page': status(200, '<html></html>'),
  'answers null': status(200, 'null'),
  'answers something else': status(200, '{"status":"PASSED?"}'),
  'sends one elsewhere': (response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end(),
}

export async function openAccessControl(): Promise<TestAccessControl> {
  const server = createServer(async (request, response) => {
    response.on('error', () => {})
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const { method = '', url: path = '', headers } = request
    acs.calls.push({ method, path, key: headers['idempotency-key']?.toString(), body })
    const reach = async () => {
      const { issuer } = acs
      if (!issuer || headers['apikey'] !== ACS_KEY) return { statusCode: 401, body: '{}' }
      return issuer.app.inject({
        method: method as 'GET',
        url: path,
        headers: { ...headers, apikey: issuer.tenant.api_key },
        ...(body !== '' && { payload: body }),
      })
    }
    if (acs.misbehaves) return void acs.misbehaves(response, reach)
    const { statusCode, body: text } = await reach()
    response.writeHead(statusCode, { 'content-type': 'application/json' }).end(text)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const acs: TestAccessControl = {
    env: { ISSUER_ACS_URL: `http://127.0.0.1:${address.port}/`, ISSUER_ACS_KEY: ACS_KEY },
    issuer: undefined,
    calls: [],
    misbehaves: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return acs
}
