import type { PageRoutes } from './pages.ts'

export const operator: PageRoutes = []
