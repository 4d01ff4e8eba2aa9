/** Clearing files, which a network sends: a sandbox has none. */

import type { Page } from 'playwright-core'
import type { Scene } from '../scene.ts'

const PATH = '**/v1/operator/clearings**'
const FILE = '01900000-0000-7000-8000-000000000011'
const REJECTED = '01900000-0000-7000-8000-000000000012'

const sumOf = (state: string, kind: string, direction: string, count: number, amount: number) => ({
  ...{ state, kind, currency: 'AED', direction, count, amount },
})

const file = {
  id: FILE,
  file: '0012611280000001234500001',
  sha256: '6c8f3bc61cc44ba2ce424f5b4813956a0dbd406865f417655da8568116ad8e54',
  state: 'POSTED',
  records: 1_208,
  faults_count: 0,
  faults: [],
  created: new Date().toISOString(),
  sums: [
    sumOf('BOOKED', 'FEE', 'DEBIT', 3, 14.5),
    sumOf('POSTED', 'PRESENTMENT', 'CREDIT', 41, 3_402.5),
    sumOf('POSTED', 'PRESENTMENT', 'DEBIT', 1_157, 98_114.25),
    sumOf('POSTED', 'REVERSAL', 'CREDIT', 2, 80),
    { state: 'SHOWN', kind: 'OTHER', direction: 'DEBIT', count: 2, amount: 0 },
    sumOf('SUSPENDED', 'PRESENTMENT', 'DEBIT', 3, 415.75),
  ],
}
const rejected = {
  ...{ ...file, id: REJECTED, file: '0012611270000001234500001', state: 'REJECTED', sums: [] },
  faults_count: 2,
  faults: [
    'record 418, byte 88312: DE71 is 00000419, and 00000418 is next',
    'PDS0306 is 00000812, and the file has 811 records',
  ],
}

const recordOf = (tenant_id: string, number: number, amount: number, reason?: string) => ({
  ...{ number, byte: number * 212, tenant_id, mti: '1240', function_code: '200' },
  ...{ kind: 'PRESENTMENT', state: reason ? 'SUSPENDED' : 'POSTED', direction: 'DEBIT' },
  ...{ amount, currency: 'AED', reversed: false, ...(reason && { reason }) },
  ...(reason && { booked_amount: amount, booked_currency: 'AED' }),
  content: {
    ...{ MTI: '1240', DE2: '400000******0002', DE3: '000000', DE4: '000000012500' },
    ...{ DE12: '261127103000', DE22: '900550S00330', DE24: '200', DE26: '5411' },
    ...{ DE31: '70000000000000000000010', DE38: '480913', DE41: 'TERM0001' },
    ...{ DE43: 'LULU HYPERMARKET\\AIRPORT ROAD\\ABU DHABI\\00000     ADHARE', DE49: '784' },
    ...{ DE71: String(number).padStart(8, '0'), PDS0148: '7842' },
  },
})

/** Answers as if files of two days had been imported, and reads the page anew. */
export async function plantClearings(page: Page, { ids }: Scene): Promise<void> {
  const suspended = [
    recordOf(ids.tenant, 2, 125, 'UNKNOWN_CARD'),
    recordOf(ids.tenant, 418, 240.5, 'DUPLICATE'),
    recordOf(ids.tenant, 977, 50.25, 'ACCOUNT_CLOSED'),
  ]
  const records = [...suspended, recordOf(ids.tenant, 3, 88)].toSorted(
    (a, b) => a.number - b.number,
  )
  await page.route(PATH, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url())
    const [, , , , id, part, number] = pathname.split('/')
    const one = records.find((record) => String(record.number) === number) ?? records[0]
    const of = searchParams.get('state') === 'SUSPENDED' ? suspended : records
    if (id === undefined) await route.fulfill({ json: { data: [file, rejected], has_more: false } })
    else if (part === undefined) await route.fulfill({ json: id === FILE ? file : rejected })
    else await route.fulfill({ json: number ? one : { data: of, has_more: false } })
  })
  await page.reload()
  await page.locator('main tbody a').nth(1).waitFor()
}
