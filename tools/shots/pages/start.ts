import type { Shot } from '../shot.ts'

export const start: readonly Shot[] = [
  { name: 'home', path: '/console/home', as: 'member' },
  { name: 'home-new', path: '/console/home', as: 'newcomer' },
  { name: 'first-steps', path: '/console/first-steps', as: 'newcomer' },
  { name: 'simulator', path: '/console/simulator', as: 'member' },
  {
    name: 'simulator-approved',
    path: '/console/simulator',
    as: 'member',
    async act(page) {
      await page.locator('main button[type=submit]').click()
      await page.locator('main').getByText('0000').first().waitFor()
    },
  },
  { name: 'simulator-new', path: '/console/simulator', as: 'newcomer' },
  { name: 'not-found', path: '/console/nothing-here', as: 'member' },
]
