/** Card networks, which a sandbox has where NETWORKS_FILE names them. */

import type { Page } from 'playwright-core'

const ago = (ms: number): string => new Date(Date.now() - ms).toISOString()
const PROCESS = '01900000-0000-7000-8000-0000000090ab'

const lineOf = (address: string, signed_on: boolean) => ({
  ...{ process_id: PROCESS, address, signed_on, opened: ago(7_500_000) },
  ...(signed_on && { last_message: ago(2_000) }),
})

const scheme = {
  ...{ name: 'scheme', role: 'connect', addresses: ['scheme.example:9100'], dialect: 'bcd' },
  ...{ header: 'binary2', envelope: 'base1', sign_on: 'us', echo_seconds: 30, deadline_ms: 1_500 },
  ...{ codes: 'mastercard', billing: 'scheme', bins: ['400000', '510000'], has_keys: true },
  ...{ mac_required: true, mac_algorithm: 'iso9797_3', mac_failures: 2, messages_refused: 5 },
  connections: [lineOf('192.0.2.10:9100', true), lineOf('192.0.2.11:9100', true)],
  keys: [
    { use: 'ZAK', check_value: '8D2A10', created: ago(120_000) },
    { use: 'ZAK', check_value: '4C11F0', created: ago(86_400_000) },
    { use: 'ZPK', check_value: '08D7B4', created: ago(86_400_000) },
  ],
  exchanges: [
    { id: '01900000-0000-7000-8000-0000000000a2', use: 'ZPK', state: 'SENT', created: ago(9_000) },
    {
      id: '01900000-0000-7000-8000-0000000000a1',
      use: 'ZAK',
      state: 'DONE',
      created: ago(125_000),
    },
  ],
}
const acquirer = {
  ...{ ...scheme, name: 'acquirer', role: 'listen', addresses: ['0.0.0.0:9200'], has_keys: false },
  ...{ dialect: 'ascii', mac_required: false, mac_failures: 0, messages_refused: 0, keys: [] },
  ...{ exchanges: [], connections: [lineOf('198.51.100.7:41022', false)], sign_on: 'peer' },
}
const switched = { ...acquirer, name: 'switch', addresses: ['0.0.0.0:9300'], connections: [] }

/** Answers as if three networks were there, and reads the page anew. */
export async function plantNetworks(page: Page): Promise<void> {
  await page.route('**/v1/operator/networks', (route) =>
    route.fulfill({ json: { data: [scheme, acquirer, switched] } }),
  )
  await page.reload()
  await page.locator('main tbody a').first().waitFor()
}
