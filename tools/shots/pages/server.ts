import type { Shot } from '../shot.ts'

/** Pages that the program renders itself. */
export const server: readonly Shot[] = [
  { name: 'docs-start', path: '/docs/start', as: 'nobody' },
  { name: 'docs-errors', path: '/docs/errors', as: 'nobody' },
  { name: 'docs', path: '/docs', as: 'nobody', isWindow: true },
  { name: 'docs-signed-in', path: '/docs', as: 'member', isWindow: true },
  { name: 'widget', path: ({ ids }) => ids.widget, as: 'nobody' },
]
