import { type PageRoutes, pagesWith } from './pages.ts'

/**
 * The page of all parts, for those who work on the console: `npm run console` serves it, and no
 * build has it. A function, which the build leaves out with all that it imports.
 */
export function galleryRoutes(): PageRoutes {
  const page = pagesWith('objects', 'platform', 'trials', 'gallery')
  return [['/parts', page(() => import('../pages/gallery/gallery.tsx'), 'Gallery')]]
}
