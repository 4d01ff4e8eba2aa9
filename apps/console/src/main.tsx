/** The console: a client of the APIs and of nothing else (D-133). */

import '@fontsource-variable/inter/index.css'
import '@fontsource/ibm-plex-mono/latin-400.css'
import '@fontsource/ibm-plex-sans-arabic/400.css'
import '@fontsource/ibm-plex-sans-arabic/600.css'
import '@mantine/core/styles.layer.css'
import '../../../src/kit/http/answers/tokens.css'
import './app.css'
import { DirectionProvider, MantineProvider, useDirection } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { useTranslation } from 'react-i18next'
import { queries } from './api/session.ts'
import { directionOf, startLanguages } from './i18n/i18n.ts'
import { router } from './router.tsx'
import { theme, variables } from './theme.ts'

const nonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce

// The library that locks the page behind a dialog adds a style, and reads its nonce here.
Object.assign(globalThis, { __webpack_nonce__: nonce })

/** Turns the components with the language; the text typed in them stays. */
function Follow({ direction }: { direction: 'ltr' | 'rtl' }) {
  const { setDirection } = useDirection()
  useEffect(() => setDirection(direction), [direction, setDirection])
  return null
}

function App() {
  const { i18n } = useTranslation()
  const direction = directionOf(i18n.language)
  return (
    <DirectionProvider initialDirection={direction} detectDirection={false}>
      <Follow direction={direction} />
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variables}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce ?? ''}
      >
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  )
}

const root = document.getElementById('root')
if (root) {
  await startLanguages()
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
