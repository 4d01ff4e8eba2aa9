/** The surroundings of the program: endpoints of tenants, an issuer, and an exporter of metrics. */

import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Server, type Socket } from 'node:net'
import { createFrameReader, frame } from '#iso8583/framing.ts'
import { decode, encode } from '#iso8583/message.ts'

const MAX_FRAME = 8_192

export type Endpoint = AsyncDisposable & {
  /** host:port */
  address: string
  url: string
}

/** An endpoint that answers as `answer` says at that time. */
export async function openEndpoint(
  answer: () => { status: number; body?: string },
): Promise<Endpoint> {
  const server = createHttpServer((request, response) => {
    request.resume().once('end', () => {
      const { status, body = '' } = answer()
      response.writeHead(status, { 'content-type': 'text/plain' }).end(body)
    })
  })
  const address = await listen(server)
  return {
    address,
    url: `http://${address}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An issuer that accepts each sign-on and answers no payment. */
export async function openSilentIssuer(): Promise<AsyncDisposable & { address: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket)).on('error', () => {})
    const reader = createFrameReader({ header: 'binary2', max_frame: MAX_FRAME })
    socket.on('data', (chunk: Buffer) => {
      for (const bytes of reader.push(chunk).frames) answerManagement(socket, bytes)
    })
  })
  const address = await listen(server)
  return {
    address,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function answerManagement(socket: Socket, bytes: Buffer): void {
  const decoded = decode(bytes, 'ascii')
  if (!decoded.ok || decoded.message.mti !== '0800') return
  const fields = { ...decoded.message.fields, 39: '00' }
  socket.write(frame(encode({ mti: '0810', fields }, 'ascii'), 'binary2'))
}

async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
}
