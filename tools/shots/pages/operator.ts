import type { Page } from 'playwright-core'
import type { Scene } from '../scene.ts'
import type { Shot } from '../shot.ts'
import { plantClearings } from './planted_clearings.ts'
import { plantNetworks } from './planted_networks.ts'
import { plantDifferences } from './planted_report.ts'
import { plantSettlements } from './planted_settlements.ts'

const as = 'operator'

/** The dialog of the first button of a page: its title is the same in no two languages. */
const openFirst = (page: Page) => page.locator('main header button').first().click()

async function chooseTenant(page: Page): Promise<void> {
  await page.locator('header [aria-haspopup="dialog"]').first().click()
  await page.locator('[role=dialog] li').first().waitFor()
}

/** The first links of the rows are of three records, then of the files. */
async function openClearing(page: Page, scene: Scene, row: number): Promise<void> {
  await plantClearings(page, scene)
  const links = page.locator('main tbody tr td:first-child a')
  await links.nth(4).waitFor()
  await links.nth(row - 1).click()
  await page.locator('main dl').first().waitFor()
}

const reconciled = ({ ids }: Scene) => `/console/reconciliation?date=${ids.day}`

export const operator: readonly Shot[] = [
  { name: 'operator-home', path: '/console/home', as },
  { name: 'tenant-chooser', path: '/console/home', as, act: chooseTenant, isWindow: true },
  {
    name: 'tenant-acting',
    path: '/console/cards',
    as,
    act: async (page, { ids }) => {
      const kept = JSON.stringify({ id: ids.tenant, name: 'Palm Bank' })
      await page.evaluate(`sessionStorage.setItem('bezant.acting', ${JSON.stringify(kept)})`)
      await page.reload()
      await page.locator('main table tbody tr').first().waitFor()
    },
  },
  { name: 'tenants', path: '/console/tenants', as },
  { name: 'tenant-create', path: '/console/tenants', as, act: openFirst, isWindow: true },
  { name: 'tenant', path: ({ ids }) => `/console/tenants/${ids.tenant}`, as },
  {
    name: 'tenant-product-keys',
    path: ({ ids }) => `/console/tenants/${ids.tenant}/card-products/${ids.product}`,
    as,
  },
  { name: 'rates', path: '/console/rates', as },
  { name: 'rates-set', path: '/console/rates', as, act: openFirst, isWindow: true },
  { name: 'merchants', path: '/console/merchants', as },
  { name: 'merchant', path: ({ ids }) => `/console/merchants/${ids.merchant}`, as },
  {
    name: 'merchant-brand',
    path: ({ ids }) => `/console/merchants/${ids.merchant}`,
    as,
    act: openFirst,
    isWindow: true,
  },
  {
    name: 'merchant-change',
    path: ({ ids }) => `/console/merchants/${ids.merchant}`,
    as,
    act: async (page) => {
      await page.locator('main header button').last().click()
      await page.locator('[role=dialog] form').waitFor()
    },
    isWindow: true,
  },
  {
    name: 'merchant-fees',
    path: ({ ids }) => `/console/merchants/${ids.merchant}`,
    as,
    act: async (page) => {
      await page.locator('main section header button, main section button').first().click()
      await page.locator('[role=dialog] form').waitFor()
    },
    isWindow: true,
  },
  { name: 'merchant-payouts', path: '/console/merchant-payouts', as },
  {
    name: 'merchant-payouts-mark',
    path: '/console/merchant-payouts',
    as,
    act: async (page) => {
      await page.locator('main tbody button').first().click()
      await page.locator('[role=dialog] form').waitFor()
    },
    isWindow: true,
  },
  { name: 'reconciliation', path: reconciled, as },
  { name: 'reconciliation-none', path: '/console/reconciliation?date=2020-01-01', as },
  {
    name: 'reconciliation-differs',
    path: reconciled,
    as,
    act: plantDifferences,
  },
  { name: 'settlements', path: '/console/settlements', as, act: plantSettlements },
  { name: 'settlements-none', path: '/console/settlements', as },
  {
    name: 'settlement',
    path: '/console/settlements',
    as,
    act: async (page, scene) => {
      await plantSettlements(page, scene)
      await page.locator('main tbody a').first().click()
      await page.locator('main dl').waitFor()
    },
  },
  {
    name: 'settlement-agrees',
    path: '/console/settlements',
    as,
    act: async (page, scene) => {
      await plantSettlements(page, scene)
      await page.locator('main tbody td:first-child a').last().click()
      await page.locator('main dl').waitFor()
    },
  },
  { name: 'clearings', path: '/console/clearings', as, act: plantClearings },
  { name: 'clearings-none', path: '/console/clearings', as },
  { name: 'clearing', path: '/console/clearings', as, act: (...of) => openClearing(...of, 4) },
  {
    name: 'clearing-rejected',
    path: '/console/clearings',
    as,
    act: (...of) => openClearing(...of, 5),
  },
  {
    name: 'clearing-record',
    path: '/console/clearings',
    as,
    act: (...of) => openClearing(...of, 1),
  },
  { name: 'networks', path: '/console/networks', as, act: plantNetworks },
  { name: 'networks-none', path: '/console/networks', as },
  {
    name: 'network',
    path: '/console/networks',
    as,
    act: async (page) => {
      await plantNetworks(page)
      await page.locator('main tbody a').first().click()
      await page.locator('main dl').waitFor()
    },
  },
  { name: 'mails', path: '/console/mails', as },
  {
    name: 'mail',
    path: '/console/mails',
    as,
    act: (page) => page.locator('main tbody button').first().click(),
    isWindow: true,
  },
  { name: 'jobs', path: '/console/jobs', as },
  { name: 'operator-team', path: '/console/team', as },
  { name: 'operator-audit-log', path: '/console/audit-log', as },
]
