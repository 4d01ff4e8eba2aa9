/** Styles and scripts of the pages for people: read once, when the program starts. */

import { readFileSync } from 'node:fs'

export type Asset = { type: string; text: string }

const common = readFileSync(new URL('page.css', import.meta.url), 'utf8')

/** A style follows the common rules of all pages. */
export function readAsset(file: URL): Asset {
  const text = readFileSync(file, 'utf8')
  return file.pathname.endsWith('.css')
    ? { type: 'text/css; charset=utf-8', text: common + text }
    : { type: 'text/javascript; charset=utf-8', text }
}
