/** The style and the script of the payment page, and the style of a shop's color. */

import { createHash } from 'node:crypto'
import { readAsset } from '#kit/http/answers/assets.ts'
import type { App } from '#kit/http/app.ts'
import { ApiError } from '#lib/result.ts'
import { brands } from '#merchant/kept_cards/rules.ts'
import { type Shades, shadesOf } from '#merchant/merchants/rules.ts'
import type { Assets } from './views/layout.ts'

const ASSET_SECONDS = 3600
const FOREVER = 'public, max-age=31536000, immutable'

const read = (name: string) => ({
  name,
  ...readAsset(new URL(`assets/${name}`, import.meta.url)),
})
const style = read('checkout.css')
/** One list of brands for the page and for the cards that a shop keeps. */
const knownBrands = brands.map(([name, pattern]) => `['${name}', ${pattern}]`).join(', ')
const ownScript = read('checkout.js')
const script = { ...ownScript, text: `const BRANDS = [${knownBrands}]\n${ownScript.text}` }

/** The version makes a page of a new program load the new files. */
const addressOf = ({ name, text }: ReturnType<typeof read>): string => {
  const version = createHash('sha256').update(text).digest('hex').slice(0, 10)
  return `/checkout/assets/${name}?v=${version}`
}

export const assetAddresses: Assets = { style: addressOf(style), script: addressOf(script) }

export function serveAssets(scope: Pick<App, 'get'>): void {
  for (const { name, type, text } of [style, script]) {
    scope.get(`/checkout/assets/${name}`, async (_request, reply) =>
      reply.type(type).header('cache-control', `public, max-age=${ASSET_SECONDS}`).send(text),
    )
  }
  // A color is in the address, since the policy of the page lets no style of its own in (D-700).
  scope.get('/checkout/brand/:name', async ({ params }, reply) => {
    const [, color] = /^([0-9a-f]{6})\.css$/.exec(String(Object(params).name)) ?? []
    if (color === undefined) throw new ApiError('not_found')
    return reply
      .type(style.type)
      .header('cache-control', FOREVER)
      .send(brandStyle(`#${color}`))
  })
}

function brandStyle(color: string): string {
  const { light, dark } = shadesOf(color)
  return `${rule(light)}\n@media (prefers-color-scheme: dark) {\n${rule(dark)}\n}\n`
}

const rule = ({ ground, ink }: Shades) => `:root { --brand: ${ground}; --on-brand: ${ink}; }`
