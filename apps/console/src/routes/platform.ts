import type { PageRoutes } from './pages.ts'

export const platform: PageRoutes = []
