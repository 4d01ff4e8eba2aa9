/** Drawings of the payment page, within the page itself: nothing is loaded. They are decoration. */

import { Html } from '#lib/html.ts'

const drawing = (name: string, content: string) =>
  new Html(
    `<svg class="icon ${name}" viewBox="0 0 24 24" width="24" height="24" fill="none" ` +
      'stroke="currentColor" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round" ' +
      `aria-hidden="true" focusable="false">${content}</svg>`,
  )

export const icons = {
  back: drawing('back', '<path d="M15 6l-6 6 6 6"/>'),
  wrong: drawing('wrong', '<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.5v.01"/>'),
  note: drawing('note', '<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.5v.01"/>'),
  good: drawing('good', '<circle cx="12" cy="12" r="9"/><path d="M8 12.5l2.8 2.8L16 9.5"/>'),
  wait: drawing('wait', '<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>'),
  lock: drawing(
    'lock',
    '<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  ),
  card: drawing(
    'card',
    '<rect x="3" y="5" width="18" height="14" rx="2"/><path d="M3 10h18M7 15h3"/>',
  ),
  bank: drawing(
    'bank',
    '<path d="M3.5 9.5L12 4l8.5 5.5zM6 10v7M10 10v7M14 10v7M18 10v7M4 20h16"/>',
  ),
  box: drawing('box', '<path d="M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5"/>'),
  fold: drawing('fold', '<path d="M6 9l6 6 6-6"/>'),
} as const

export type Icon = keyof typeof icons
