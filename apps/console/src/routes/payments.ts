import type { PageRoutes } from './pages.ts'

export const payments: PageRoutes = []
