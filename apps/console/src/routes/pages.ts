import type { RouteComponent } from '@tanstack/react-router'

/** Pages of members by their paths; each is loaded when it is opened. */
export type PageRoutes = readonly (readonly [path: string, component: RouteComponent])[]
