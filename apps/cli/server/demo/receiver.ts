/** A client's webhook endpoint during the demo; it verifies signatures as clients do. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { DemoFault, type Sandbox } from './client.ts'
import { print, step } from './print.ts'

const PATIENCE_MS = 10_000
const KINDS = [
  'CARD_STATUS_CHANGE',
  'TRANSACTION',
  'ORDER_AUTHORIZED',
  'ORDER_CAPTURED',
  'ORDER_REFUNDED',
]

export type Received = { event: string; id: string }
export type Receiver = {
  /** All that has arrived, once each of these kinds has. */
  expect: (kinds: string[]) => Promise<readonly Received[]>
  close: () => Promise<void>
}

export async function openReceiver(sandbox: Sandbox): Promise<Receiver> {
  step('A webhook subscription is made; this program receives it')
  const received: Received[] = []
  let verifier: Webhook | undefined
  let notify = () => {}
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const headers = request.headers as Record<string, string>
      received.push(verifier?.verify(body, headers) as Received)
      response.end()
      notify()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  // Open, the server would keep the demo from its end.
  const webhook = await sandbox
    .issuing('POST', '/webhooks', { endpoint, events: KINDS })
    .catch((error: unknown) => {
      server.close()
      throw error
    })
  verifier = new Webhook(webhook.secret)
  print(`  webhook ${webhook.id} → ${endpoint}`)

  return {
    async expect(kinds) {
      step('The events arrive, signed')
      const end = Date.now() + PATIENCE_MS
      const missing = () => kinds.filter((kind) => !received.some(({ event }) => event === kind))
      while (missing().length > 0 && Date.now() < end) await nextEvent()
      for (const { event, id } of received) print(`  ${event.padEnd(20)} ${id}`)
      if (missing().length > 0) throw new DemoFault(`did not arrive: ${missing().join(', ')}`)
      return received.map(({ event, id }) => ({ event, id }))
    },
    async close() {
      await sandbox.issuing('DELETE', `/webhooks/${webhook.id}`).catch(() => {})
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }

  function nextEvent(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, 250)
      notify = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
