import { lazyRouteComponent, type RouteComponent } from '@tanstack/react-router'
import { loadTexts, type Part } from '../i18n/i18n.ts'

/** Pages of members by their paths; each is loaded when it is opened. */
export type PageRoutes = readonly (readonly [path: string, component: RouteComponent])[]

/** Makes pages that are loaded together with these parts of the texts. */
export const pagesWith =
  (...parts: Part[]): typeof lazyRouteComponent =>
  (load, name) =>
    lazyRouteComponent(async () => {
      const [module] = await Promise.all([load(), loadTexts(parts)])
      return module
    }, name)
