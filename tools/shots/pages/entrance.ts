import type { Shot } from '../shot.ts'

export const entrance: readonly Shot[] = [
  { name: 'sign-up', path: '/console/sign-up', as: 'nobody' },
  { name: 'sign-in', path: '/console/sign-in', as: 'nobody' },
  {
    name: 'sign-in-wrong',
    path: '/console/sign-in',
    as: 'nobody',
    async act(page) {
      await page.locator('input').first().fill('layla@palm.example')
      await page.locator('input[type=password]').fill('not this one, surely')
      await page.locator('button[type=submit]').click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'forgot', path: '/console/forgot', as: 'nobody' },
  { name: 'reset', path: '/console/reset?token=none', as: 'nobody' },
  { name: 'invitation', path: '/console/invitation?token=none', as: 'nobody' },
]
