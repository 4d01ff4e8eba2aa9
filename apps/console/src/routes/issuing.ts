import type { PageRoutes } from './pages.ts'

export const issuing: PageRoutes = []
