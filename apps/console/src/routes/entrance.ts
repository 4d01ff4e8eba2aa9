import { type PageRoutes, pagesWith } from './pages.ts'

const page = pagesWith('entrance')

/** Pages of those who have not signed in; mails lead to the last three. */
export const entrance: PageRoutes = [
  ['/sign-up', page(() => import('../pages/sign_up/sign_up.tsx'), 'SignUp')],
  ['/sign-in', page(() => import('../pages/sign_in/sign_in.tsx'), 'SignIn')],
  ['/forgot', page(() => import('../pages/links/forgot.tsx'), 'ForgotPage')],
  ['/reset', page(() => import('../pages/links/reset.tsx'), 'ResetPage')],
  ['/invitation', page(() => import('../pages/links/invitation.tsx'), 'InvitationPage')],
  ['/confirm', page(() => import('../pages/links/confirm.tsx'), 'ConfirmPage')],
]
