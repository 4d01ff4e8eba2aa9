import type { Log } from '#kit/log.ts'
import type { Slice } from '#kit/slice.ts'
import { widgetErrors } from './errors.ts'
import { widgetPages } from './pages.ts'
import { widgetRoutes } from './routes.ts'
import { widgetSweeps } from './sweeps.ts'

/** `publicUrl` returns an address without a slash at its end; called for each use. */
type Parts = { publicUrl: () => string; log: Log }

export const widgetsSlice = ({ publicUrl, log }: Parts): Slice => ({
  name: 'widgets',
  routes: widgetRoutes(publicUrl),
  errors: widgetErrors,
  sweeps: widgetSweeps,
  pages: (app, services) => widgetPages(app, { services, publicUrl, log }),
})
