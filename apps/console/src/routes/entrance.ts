import { lazyRouteComponent as lazy } from '@tanstack/react-router'
import type { PageRoutes } from './pages.ts'

/** Pages of those who have not signed in; mails lead to the last three. */
export const entrance: PageRoutes = [
  ['/sign-up', lazy(() => import('../pages/sign_up/sign_up.tsx'), 'SignUp')],
  ['/sign-in', lazy(() => import('../pages/sign_in/sign_in.tsx'), 'SignIn')],
  ['/forgot', lazy(() => import('../pages/links/forgot.tsx'), 'ForgotPage')],
  ['/reset', lazy(() => import('../pages/links/reset.tsx'), 'ResetPage')],
  ['/invitation', lazy(() => import('../pages/links/invitation.tsx'), 'InvitationPage')],
  ['/confirm', lazy(() => import('../pages/links/confirm.tsx'), 'ConfirmPage')],
]
