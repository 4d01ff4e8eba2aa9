import type { Shot } from '../shot.ts'

export const payments: readonly Shot[] = [
  { name: 'transactions', path: '/console/transactions', as: 'member' },
  {
    name: 'transaction',
    path: ({ ids }) => `/console/transactions/${ids.approved}`,
    as: 'member',
  },
  {
    name: 'transaction-declined',
    path: ({ ids }) => `/console/transactions/${ids.declined}`,
    as: 'member',
  },
  {
    name: 'transactions-found',
    path: '/console/transactions?status_code=0000&transaction_type=PURCHASE',
    as: 'member',
  },
  { name: 'transactions-new', path: '/console/transactions', as: 'newcomer' },
  { name: 'disputes', path: '/console/disputes', as: 'member' },
  { name: 'dispute', path: ({ ids }) => `/console/disputes/${ids.dispute}`, as: 'member' },
  { name: 'disputes-new', path: '/console/disputes', as: 'newcomer' },
  { name: 'shop-disputes', path: '/console/payouts/disputes', as: 'member' },
  {
    name: 'shop-dispute',
    path: ({ ids }) => `/console/payouts/disputes/${ids.shop_dispute}`,
    as: 'member',
  },
  {
    name: 'shop-dispute-answer',
    path: ({ ids }) => `/console/payouts/disputes/${ids.shop_dispute}`,
    as: 'member',
    isWindow: true,
    act: async (page) => {
      await page.locator('body').press('e')
      await page.locator('[role=dialog] form').waitFor()
    },
  },
  {
    name: 'shop-dispute-answered',
    path: ({ ids }) => `/console/payouts/disputes/${ids.answered_dispute}`,
    as: 'member',
  },
  { name: 'orders', path: '/console/orders', as: 'member' },
  { name: 'orders-new', path: '/console/orders', as: 'newcomer' },
  { name: 'order', path: ({ ids }) => `/console/orders/${ids.order}`, as: 'member' },
  {
    name: 'order-capture',
    path: ({ ids }) => `/console/orders/${ids.order}`,
    as: 'member',
    isWindow: true,
    act: async (page) => {
      await page.locator('header button').last().click()
      await page.locator('[role=dialog] form').waitFor()
    },
  },
  {
    name: 'order-refunded',
    path: ({ ids }) => `/console/orders/${ids.refunded}`,
    as: 'member',
  },
  { name: 'orders-found', path: '/console/orders?refund=partial&currency=AED', as: 'member' },
  { name: 'captures', path: '/console/captures', as: 'member' },
  { name: 'captures-new', path: '/console/captures', as: 'newcomer' },
  { name: 'refunds', path: '/console/refunds', as: 'member' },
  { name: 'kept-cards', path: '/console/kept-cards', as: 'member' },
  { name: 'kept-cards-none', path: '/console/kept-cards?customer=C-1', as: 'member' },
  {
    name: 'kept-card-remove',
    path: '/console/kept-cards',
    as: 'member',
    isWindow: true,
    act: async (page) => {
      await page.locator('main tbody button').first().click()
      await page.locator('[role=dialog] form').waitFor()
    },
  },
  { name: 'endpoints', path: '/console/endpoints', as: 'member' },
  { name: 'endpoints-new', path: '/console/endpoints', as: 'newcomer' },
  {
    name: 'endpoint-create',
    path: '/console/endpoints',
    as: 'member',
    isWindow: true,
    act: async (page) => {
      await page.locator('main header button').first().click()
      await page.locator('[role=dialog] form').waitFor()
    },
  },
  { name: 'endpoint', path: ({ ids }) => `/console/endpoints/${ids.endpoint}`, as: 'member' },
  {
    name: 'endpoint-delivery',
    path: ({ ids }) => `/console/endpoints/${ids.endpoint}`,
    as: 'member',
    act: async (page) => {
      await page.locator('main tbody a').last().click()
      await page.locator('main ol > li').first().waitFor()
    },
  },
  { name: 'payouts', path: '/console/payouts', as: 'member' },
  {
    name: 'payout',
    path: '/console/payouts',
    as: 'member',
    act: async (page) => {
      await page.locator('main tbody a').last().click()
      await page.locator('main dl').first().waitFor()
      await page.locator('main table').first().waitFor()
    },
  },
  { name: 'statement', path: '/console/payouts/statement', as: 'member' },
  {
    name: 'orders-checkout',
    path: '/console/orders',
    as: 'member',
    isWindow: true,
    act: async (page) => {
      await page.locator('header button').last().click()
      await page.locator('[role=dialog] form').waitFor()
    },
  },
]
