import type { Shot } from '../shot.ts'

export const start: readonly Shot[] = [
  { name: 'home', path: '/console/home', as: 'member' },
  { name: 'home-new', path: '/console/home', as: 'newcomer' },
  {
    name: 'palette',
    path: '/console/home',
    as: 'member',
    isWindow: true,
    async act(page) {
      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'palette-chosen',
    path: '/console/home',
    as: 'member',
    isWindow: true,
    async act(page, { ids }) {
      for (const sought of [ids.user, ids.approved]) {
        await page.keyboard.press('Control+k')
        await page.locator('[role=dialog] input').fill(sought)
        await page.getByRole('option').first().waitFor()
        await page.keyboard.press('Enter')
        await page.getByRole('dialog').waitFor({ state: 'detached' })
      }
      await page.keyboard.press('Control+k')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'palette-search',
    path: '/console/home',
    as: 'member',
    isWindow: true,
    async act(page) {
      await page.keyboard.press('Control+k')
      await page.locator('[role=dialog] input').fill('la')
      await page.getByRole('option').getByText(' · ').first().waitFor()
    },
  },
  {
    name: 'palette-nothing',
    path: '/console/home',
    as: 'member',
    isWindow: true,
    async act(page) {
      await page.keyboard.press('Control+k')
      const searched = page.waitForResponse(/\/search\?/)
      await page.locator('[role=dialog] input').fill('zzzz')
      await page.getByRole('option').waitFor({ state: 'detached' })
      await searched
    },
  },
  { name: 'first-steps', path: '/console/first-steps', as: 'newcomer' },
  { name: 'simulator', path: '/console/simulator', as: 'member' },
  {
    name: 'simulator-approved',
    path: '/console/simulator',
    as: 'member',
    async act(page) {
      await page.locator('main form button[type=submit]').click()
      await page.locator('main').getByText('0000').first().waitFor()
      await page.locator('main details table').first().waitFor()
    },
  },
  {
    name: 'simulator-declined',
    path: '/console/simulator',
    as: 'member',
    async act(page) {
      await page.locator('main fieldset button').nth(1).click()
      await page.locator('main form button[aria-controls]').click()
      await page.locator('main input[maxlength="12"]').fill('0001')
      await page.locator('main form button[type=submit]').click()
      await page.locator('main').getByText('1017').first().waitFor()
    },
  },
  { name: 'simulator-new', path: '/console/simulator', as: 'newcomer' },
  { name: 'simulator-traffic', path: '/console/simulator/traffic', as: 'member' },
  {
    name: 'simulator-traffic-run',
    path: '/console/simulator/traffic',
    as: 'member',
    async act(page) {
      await page.locator('main form input').first().fill('40')
      await page.locator('main form select').selectOption('20')
      await page.locator('main form button[type=submit]').click()
      await page.locator('main a[href*="status=PENDING"]').waitFor()
      await page.locator('main figure svg').first().waitFor()
    },
  },
  { name: 'simulator-clock', path: '/console/simulator/clock', as: 'member' },
  {
    name: 'simulator-clock-moved',
    path: '/console/simulator/clock',
    as: 'newcomer',
    async act(page) {
      await page.locator('main button').nth(1).click()
      await page.locator('[role=dialog] button[type=submit]').click()
      await page.locator('main [role=status]').nth(1).waitFor()
    },
  },
  { name: 'not-found', path: '/console/nothing-here', as: 'member' },
]
