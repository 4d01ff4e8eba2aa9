import type { Shot } from '../shot.ts'

export const issuing: readonly Shot[] = [
  { name: 'users', path: '/console/users', as: 'member' },
  { name: 'users-new', path: '/console/users', as: 'newcomer' },
  { name: 'user', path: ({ ids }) => `/console/users/${ids.user}`, as: 'member' },
  { name: 'users-filtered', path: '/console/users?status=PENDINGKYB', as: 'member' },
  { name: 'user-business', path: ({ ids }) => `/console/users/${ids.business}`, as: 'member' },
  { name: 'reviews', path: '/console/reviews', as: 'member' },
  { name: 'reviews-new', path: '/console/reviews', as: 'newcomer' },
  {
    name: 'reviews-keys',
    path: '/console/reviews',
    as: 'member',
    act: (page) => page.keyboard.press('?'),
    isWindow: true,
  },
  { name: 'cards', path: '/console/cards', as: 'member' },
  { name: 'cards-new', path: '/console/cards', as: 'newcomer' },
  { name: 'card', path: ({ ids }) => `/console/cards/${ids.card}`, as: 'member' },
  { name: 'accounts', path: '/console/accounts', as: 'member' },
  { name: 'account', path: ({ ids }) => `/console/accounts/${ids.account}`, as: 'member' },
  { name: 'products', path: '/console/card-products', as: 'member' },
  { name: 'product', path: ({ ids }) => `/console/card-products/${ids.product}`, as: 'member' },
  {
    name: 'product-form',
    path: ({ ids }) => `/console/card-products/${ids.product}`,
    as: 'member',
    act: async (page) => {
      await page.getByRole('button', { name: /^(?:Edit|تعديل)$/ }).click()
      await page.getByRole('dialog').getByRole('textbox').last().scrollIntoViewIfNeeded()
    },
    isWindow: true,
  },
  { name: 'bulk', path: '/console/bulk-issuance', as: 'member' },
  { name: 'bulk-draft', path: ({ ids }) => `/console/bulk-issuance/${ids.bulk}`, as: 'member' },
  { name: 'card-order', path: ({ ids }) => `/console/card-orders/${ids.card_order}`, as: 'member' },
]
