import type { Slice } from '#kit/slice.ts'
import { applicantPages } from './pages.ts'
import { simulatedIdentityRoutes } from './routes.ts'

/** In sandbox only: a live deployment has neither its routes nor its pages (D-14). */
export const simulatedIdentitySlice: Slice = {
  name: 'identity',
  routes: simulatedIdentityRoutes,
  pages: applicantPages,
}
