import type { PageRoutes } from './pages.ts'

export const controls: PageRoutes = []
