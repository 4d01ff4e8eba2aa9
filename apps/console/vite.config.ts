/** How the console is built and served while it is developed (D-590). */

import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { InlineConfig, ProxyOptions } from 'vite'

/**
 * The text that the server replaces by the nonce of a request; src/program/pages/console.ts does
 * it.
 */
const NONCE = '__NONCE__'

/** The running program that `npm run console` calls. */
const PROGRAM = process.env['BEZANT_URL'] ?? 'http://127.0.0.1:8080'

/** Requests go on as if the pages were the program's own, whose origin they must have (D-136). */
const proxied: ProxyOptions = {
  target: PROGRAM,
  changeOrigin: true,
  headers: { origin: new URL(PROGRAM).origin },
}

export const settings: InlineConfig = {
  configFile: false,
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/console/',
  plugins: [react()],
  html: { cspNonce: NONCE },
  build: {
    // Browsers of 2024 and later: colors of both schemes are written as light-dark().
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox128', 'safari17.5'],
    manifest: 'manifest.json',
    // The packages within the files, which a release names (tools/release/shipped.ts).
    license: { fileName: 'licenses.json' },
    // A font or picture within a style would need a wider policy.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        // The entry names the files of all pages: eight hex digits are half as long once compressed.
        hashCharacters: 'hex',
        // Modules that most pages share are one file: a request for each would take longer than it.
        codeSplitting: { groups: [{ name: 'common', minShareCount: 28 }] },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/portal': proxied, '/v1': proxied, '/api': proxied, '/widgets': proxied },
  },
}
