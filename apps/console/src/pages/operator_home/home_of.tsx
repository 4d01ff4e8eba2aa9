import { lazy, Suspense } from 'react'
import { useHasTenant } from '../../api/session.ts'
import { loadTexts } from '../../i18n/i18n.ts'
import { Waiting } from '../../parts/waiting.tsx'

/** Asked for at once, not after the session is known: most readers are members of a tenant. */
const home = import('../home/home.tsx')
const Home = lazy(async () => ({ default: (await home).Home }))
const OperatorHome = lazy(async () => {
  await loadTexts(['objects', 'platform'])
  return { default: (await import('./operator_home.tsx')).OperatorHome }
})

/** The first page: that of the tenant, or that of the platform if no tenant is chosen. */
export function HomeOf() {
  const hasTenant = useHasTenant()
  return (
    <Suspense fallback={<Waiting height={400} />}>
      {hasTenant ? <Home /> : <OperatorHome />}
    </Suspense>
  )
}
